import type { Entity } from '../../blueprint/types.js'
import type { KnownRoute, Routed } from '../../plan/routes/routes.js'
import { aggregatesFact } from './check.js'

/** Routes of a repository with aggregates. */
export function aggregateRoutesOf(entity: Entity, { blueprint }: Routed): readonly KnownRoute[] {
  if (aggregatesFact.in(blueprint, entity) === null) return []
  return [
    {
      method: 'GET',
      path: `/${entity.key}/aggregate`,
      controller: `${entity.name}Controller.aggregate`,
      policy: `${entity.name}Policy.show`,
      does: { is: 'feature', feature: 'aggregates', operation: 'aggregate', entity },
    },
  ]
}

/** The repository of a route of this feature. */
export function aggregatedBy({ path, does }: KnownRoute): Entity {
  const entity = does.is === 'feature' ? does.entity : undefined
  if (entity !== undefined) return entity
  throw new Error(`'${path}' is not about the records of a repository`)
}
