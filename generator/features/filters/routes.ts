import type { Entity } from '../../blueprint/types.js'
import type { KnownRoute, Routed } from '../../plan/routes/routes.js'
import { isReadOf } from '../reads/check.js'

/** Routes of a repository that lists its filters. */
export const filtersRoutes = (entity: Entity, { blueprint }: Routed): readonly KnownRoute[] =>
  isReadOf(blueprint, entity, 'filters')
    ? [
        {
          method: 'GET',
          path: `/${entity.key}/filters`,
          controller: `${entity.name}Controller.filters`,
          policy: null,
          does: { is: 'feature', feature: 'filters', operation: 'filters', entity },
        },
      ]
    : []

/** The repository that a route of this feature is about. */
export function entityOf({ path, does }: KnownRoute): Entity {
  if (does.is === 'feature' && does.entity !== undefined) return does.entity
  throw new Error(`'${path}' is not about what can be asked`)
}
