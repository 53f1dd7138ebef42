import type { Entity } from '../../blueprint/types.js'
import { entityLines, type Surroundings } from '../project.js'
import type { EntitySlots } from '../slots.js'
import { firstRules } from './first-rules.js'

export interface PolicyView {
  readonly imports: readonly string[]
  /** What the file does as svc writes it. */
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
  /** Its rows are the users. */
  readonly signsIn: boolean
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
    signsIn: entity.key === project.auth?.key,
    own: ownCondition(entity, project),
    slots: entityLines(entity, project),
  }
}

function ownCondition(entity: Entity, project: Surroundings): string | null {
  if (project.auth === null) return null
  if (entity.key === project.auth.key) return '{ id: user?.id }'
  const owner = entity.columns.find((column) => column.references?.entity === project.auth?.key)
  return owner === undefined ? null : `{ ${owner.name}: user?.id }`
}
