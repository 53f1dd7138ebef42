import type { Entity } from '../../blueprint/types.js'
import { entityLines, type Surroundings, understoodIn } from '../project.js'
import { type EntitySlots, sortedImports } from '../render/slots.js'

export interface ControllerView {
  readonly source: string
  readonly name: string
  /** Of the runtime, in the order of its files, up to those that every controller has. */
  readonly imports: readonly string[]
  readonly hasRelations: boolean
  /** Repositories are told of the request of a write. */
  readonly isHanded: boolean
  readonly slots: EntitySlots
}

const relatedRoutes = "import { relatedRoutes } from '#runtime/features/relations/routes.js'"
const askedOf = "import { askedOf } from '#runtime/http/exchange.js'"

export function controllerView(entity: Entity, project: Surroundings): ControllerView {
  const { source, name, relations, morphs } = entity
  const slots = entityLines(entity, project)
  const routed = relations.filter(({ routes }) => routes !== false)
  const hasRelations = routed.length + (morphs?.length ?? 0) > 0
  const isHanded = understoodIn(project).length > 0
  const imports = sortedImports([
    ...slots.controller_imports,
    ...(hasRelations ? [relatedRoutes] : []),
    ...(isHanded ? [askedOf] : []),
  ])
  return { source, name, imports, hasRelations, isHanded, slots }
}
