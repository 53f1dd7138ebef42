import type { Entity } from '../../blueprint/types.js'
import { entityLines, type Surroundings, understoodIn } from '../project.js'
import type { EntitySlots } from '../render/slots.js'

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
  const slots = entityLines(entity, project)
  const routed = relations.filter(({ routes }) => routes !== false)
  const hasRelations = routed.length + (morphs?.length ?? 0) > 0
  const isHanded = understoodIn(project).length > 0
  return { source, name, hasRelations, isHanded, slots }
}
