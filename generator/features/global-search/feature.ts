import { isInBlueprint } from '../../plan/feature.js'
import type { Feature } from '../../write/feature.js'
import { globalSearchCheck, searchedIn } from './check.js'
import { isPublicSearch, searchRoutes } from './routes.js'
import { searchView } from './view.js'

export const globalSearch: Feature = {
  name: 'globalSearch',
  check: globalSearchCheck,
  isOn: ({ blueprint }) => isInBlueprint('globalSearch', blueprint),
  outputs: [{ of: 'project', path: 'app/Http/search.ts', owner: 'svc', view: searchView }],
  slots: () => ({
    imports: { 'app/Http/resources.ts': [{ from: './search.js', names: ['search'] }] },
    resources_routes: ["resources.get('/search', search)"],
  }),
  texts: () => ({
    routes: [
      {
        route: '`/api/svc/search?search=…`',
        what: 'records of several repositories; `perPage` of each, `only=<repository>,…`',
      },
    ],
  }),
  has: ({ key }, blueprint) => {
    const found = searchedIn(blueprint).find((each) => each.key === key)
    if (found === undefined) return null
    return `a place in /search${found.subtitle === null ? '' : `, with ${found.subtitle} below its title`}`
  },
  commonRoutes: searchRoutes,
  publicReads: (routed) => (isPublicSearch(routed) ? ['search'] : []),
  client: async () => (await import('./client.js')).searchInClient,
  document: async () => (await import('./document.js')).searchInDocument,
}
