import type { Entity } from '../../blueprint/types.js'
import { property } from '../../source/literal.js'
import { entityLines, type Surroundings } from '../project.js'

export interface HooksView {
  readonly imports: readonly string[]
  /** The type of the hooks: `HooksFor`. */
  readonly type: string
  readonly name: string
  readonly plural: string
  /** Null when nothing is computed: the file is there for other hooks. */
  readonly computed: readonly ComputedView[] | null
}

interface ComputedView {
  readonly property: string
  readonly remark: string
  readonly answer: string
}

export function hooksView(entity: Entity, project: Surroundings): HooksView {
  const [type = 'HooksFor'] = entityLines(entity, project).hooks_type
  const computed = entity.computed.map(({ key, batch }) => ({
    property: property(key),
    remark: batch
      ? `Answers \`include=${key}\` for a page at once, one answer per row, in their order: \`(context, rows) => …\``
      : `Answers \`include=${key}\` for one record: \`(context, ${entity.variable}) => …\``,
    answer: batch ? '(_context, rows) => rows.map(() => null)' : '() => null',
  }))
  return {
    imports: [`${entity.name}Model`, type].toSorted(),
    type,
    name: entity.name,
    plural: entity.plural,
    computed: computed.length > 0 ? computed : null,
  }
}
