import type { Later } from '../later.js'
import type { IndexQuery, ShowQuery } from '../model/queries.js'
import type { Page, Resource } from '../model/resource.js'
import type { JsonPage } from './read.js'

/**
 * By `show` and `index` of a repository, what reads the same, as JSON where a plan writes it without
 * resources. A function of somebody's own in their place has none.
 */
export const jsonShows = new WeakMap<
  object,
  (user: unknown, id: string, query: ShowQuery) => Later<string | Resource>
>()
export const jsonIndexes = new WeakMap<
  object,
  (user: unknown, query: IndexQuery) => Later<JsonPage | Page>
>()

/** `store` of repositories, which writes nothing before it is known that what the user relies on holds. */
export const confirmingStores = new WeakSet<object>()
