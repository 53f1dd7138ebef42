import { suffixOf } from '../../blueprint/names/names.js'
import type { Entity, Relation } from '../../blueprint/types.js'
import type { KnownRoute } from '../../plan/routes/routes.js'

const operations = ['attach', 'sync', 'detach'] as const

export type PivotOperation = (typeof operations)[number]

/** Routes of all many-to-many relations of a repository. */
export const pivotRoutes = (entity: Entity): readonly KnownRoute[] =>
  entity.relations.flatMap((relation) => routesOf(entity, relation))

function routesOf(entity: Entity, { key, pivot }: Relation): readonly KnownRoute[] {
  const { name } = entity
  if (pivot === null) return []
  return operations.map((operation) => ({
    method: 'POST',
    path: `/${entity.key}/:id/${operation}/${key}`,
    controller: `${name}Controller.${operation}`,
    policy: `${name}Policy.${operation}${suffixOf(key)}`,
    does: { is: 'feature', feature: 'pivots', operation, entity, key },
  }))
}

export interface PivotRoute {
  readonly entity: Entity
  readonly relation: Relation
  readonly operation: PivotOperation
}

/** Returns the operation of a route of this feature. */
export function pivotRouteOf({ path, does }: KnownRoute): PivotRoute {
  const { entity, key, operation: said = '' } = does.is === 'feature' ? does : {}
  const relation = entity?.relations.find((each) => each.key === key)
  const operation = operations.find((each) => each === said)
  if (entity !== undefined && relation !== undefined && operation !== undefined) {
    return { entity, relation, operation }
  }
  throw new Error(`'${path}' is not about a many-to-many relation`)
}
