/** Queries of code: what an address asks, written as an object. */

import type { IndexQuery, ShowQuery } from '../model/queries.js'
import { parseIndexQuery, parseShowQuery } from './parse-query.js'

/** Parameters of an address, by name: a list is `a,b`, and undefined is left out. */
export interface Parameters {
  readonly [name: string]:
    | string
    | number
    | boolean
    | readonly (string | number | boolean)[]
    | undefined
}

/**
 * What a list is asked, with the parameters that an address has: `page`, `perPage`, `sort`, `search`,
 * `include`, match columns and parameters of features. 400 names those that cannot be read.
 * @example PostRepository.index(user, indexQuery({ sort: '-id', perPage: 5, include: 'owner' }))
 */
export const indexQuery = (parameters: Parameters): IndexQuery =>
  parseIndexQuery(asSearch(parameters))

/**
 * What is asked of one record: `include`, `related`, `fields`.
 * @example PostRepository.show(user, id, showQuery({ include: 'owner,comments' }))
 */
export const showQuery = (parameters: Parameters): ShowQuery => parseShowQuery(asSearch(parameters))

function asSearch(parameters: Parameters): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined)
      search.append(name, Array.isArray(value) ? value.join() : String(value))
  }
  return search
}
