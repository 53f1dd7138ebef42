import type { Entity } from '../../blueprint/types.js'
import { entityLines, type Surroundings } from '../project.js'
import type { EntitySlots } from '../render/slots.js'
import { gatedColumns } from '../written-columns.js'
import { firstRules } from './fields/first-rules.js'

export interface PolicyView {
  readonly imports: readonly string[]
  /** Describes what the file does as svc writes it. */
  readonly opening: string
  /** Sentences about what is open at first; none where nothing is. */
  readonly remarks: readonly string[]
  readonly show: string
  readonly store: string
  readonly update: string
  readonly delete: string
  readonly name: string
  readonly plural: string
  readonly hasUsers: boolean
  /**
   * The gate to write of the auth repository, and the fields that no request writes without one.
   * Null: it is another repository.
   */
  readonly gate: { readonly example: string; readonly fields: string } | null
  /** A condition for rows of one's own, as an example; null when nothing points at the user. */
  readonly own: string | null
  readonly slots: EntitySlots
}

export function policyView(entity: Entity, project: Surroundings): PolicyView {
  return {
    ...firstRules(entity, project),
    imports: [`${entity.name}Model`, 'PolicyFor'].toSorted(),
    name: entity.name,
    plural: entity.plural,
    hasUsers: project.auth !== null,
    gate: entity.key === project.auth?.key ? gateOf(entity) : null,
    own: ownCondition(entity, project),
    slots: entityLines(entity, project),
  }
}

/** Made of columns that there are: whoever follows it has code that compiles. */
function gateOf(entity: Entity): PolicyView['gate'] {
  const gated = gatedColumns(entity)
  const [first = ''] = gated
  const isFlag = entity.columns.some(({ name, kind }) => name === 'is_admin' && kind === 'boolean')
  const answer = isFlag ? 'user?.is_admin === true' : "user?.email === 'ada@example.com'"
  const fields = gated.map((name) =>
    name === 'password' ? 'the `password` of others' : `\`${name}\``,
  )
  return {
    example: `canUpdate: { ${first}: (user) => ${answer} }`,
    fields: new Intl.ListFormat('en', { type: 'disjunction' }).format(fields),
  }
}

function ownCondition(entity: Entity, project: Surroundings): string | null {
  if (project.auth === null) return null
  if (entity.key === project.auth.key) return '{ id: user?.id }'
  const owner = entity.columns.find((column) => column.references?.entity === project.auth?.key)
  return owner === undefined ? null : `{ ${owner.name}: user?.id }`
}
