import type { KnownRoute, Routed } from '../../plan/routes/routes.js'
import { searchedIn } from './check.js'

/** Returns true if some searched repository is public: then a guest may search it. */
export const isPublicSearch = ({ blueprint, entities }: Pick<Routed, 'blueprint' | 'entities'>) =>
  searchedIn(blueprint).some(({ key }) =>
    entities.some((entity) => entity.key === key && entity.isPublic),
  )

/** Below the path of all repositories. */
export function searchRoutes({ blueprint, entities }: Routed): readonly KnownRoute[] {
  const searched = searchedIn(blueprint).map(({ key }) => key)
  if (searched.length === 0) return []
  const names = entities.filter(({ key }) => searched.includes(key)).map(({ name }) => name)
  return [
    {
      method: 'GET',
      path: '/search',
      controller: 'app/Http/search.ts',
      policy: names.map((name) => `${name}Policy.show`).join(' or '),
      does: { is: 'feature', feature: 'globalSearch', operation: 'search' },
    },
  ]
}
