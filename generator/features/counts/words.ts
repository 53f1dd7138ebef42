export interface CountsWords {
  /**
   * Relations to several records whose number may be asked for, `?withCount=reviews,tags`: under their policies, in the statement
   * that reads the list. With `'reviews.count'` in `sort`, lists are ordered by it.
   */
  readonly count?: readonly string[]
}

/** What `sort` may hold because of it: `svc generate` says of one that is not counted. */
export type CountSort = `${string}.count`

export const countsParameter = 'withCount'
