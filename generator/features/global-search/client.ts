import type { KnownRoute } from '../../plan/routes/routes.js'
import { literal } from '../../source/literal.js'
import type { Client, ClientPart } from '../client/names.js'
import { searchedIn } from './check.js'

export interface SearchModuleView {
  /** `'posts' | 'users'` */
  readonly keys: string
  /** The path of the route. */
  readonly path: string
}

export const searchInClient: ClientPart = { module: { path: 'search.ts', view } }

function view({ api }: Client, [route]: readonly KnownRoute[]): SearchModuleView {
  return {
    keys: searchedIn(api.project.blueprint)
      .map(({ key }) => literal(key))
      .join(' | '),
    path: route?.path ?? '',
  }
}
