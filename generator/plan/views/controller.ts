import type { Entity } from '../../blueprint/types.js'
import { entityLines, type Surroundings, understoodIn } from '../project.js'
import type { EntitySlots } from '../slots.js'

export interface ControllerView {
  readonly source: string
  readonly name: string
  readonly hasRelations: boolean
  /** Repositories are told of the request of a write. */
  readonly isHanded: boolean
  readonly slots: EntitySlots
}

export function controllerView(entity: Entity, project: Surroundings): ControllerView {
  const { source, name, relations, morphs } = entity
  return {
    source,
    name,
    hasRelations: relations.length + (morphs?.length ?? 0) > 0,
    isHanded: understoodIn(project).length > 0,
    slots: entityLines(entity, project),
  }
}
