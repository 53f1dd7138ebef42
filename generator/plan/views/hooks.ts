import type { Entity } from '../../blueprint/types.js'
import { property } from '../literal.js'

export interface HooksView {
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

export function hooksView(entity: Entity): HooksView {
  const computed = entity.computed.map(({ key, batch }) => ({
    property: property(key),
    remark: batch
      ? `One answer for each of these ${entity.plural}, in their order.`
      : 'What clients get who ask for it by its name.',
    answer: batch ? '(_context, rows) => rows.map(() => null)' : '() => null',
  }))
  return { name: entity.name, plural: entity.plural, computed: computed.length > 0 ? computed : null }
}
