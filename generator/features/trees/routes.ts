import type { Entity } from '../../blueprint/types.js'
import type { KnownRoute, Routed } from '../../plan/routes/routes.js'
import { isReadOf } from '../reads/check.js'

/** Routes of a repository whose lists can be searched with a body. */
export function searchRoutesOf(entity: Entity, { blueprint }: Routed): readonly KnownRoute[] {
  if (!isReadOf(blueprint, entity, 'trees')) return []
  const { key, name } = entity
  return [
    {
      method: 'POST',
      path: `/${key}/search`,
      controller: `${name}Controller.search`,
      policy: `${name}Policy.show`,
      does: { is: 'feature', feature: 'trees', operation: 'search', entity, onlyReads: true },
    },
  ]
}

/** The repository that is searched. */
export function searchedBy({ path, does }: KnownRoute): Entity {
  if (does.is === 'feature' && does.entity !== undefined) return does.entity
  throw new Error(`'${path}' is about no repository`)
}
