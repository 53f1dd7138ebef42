declare module '../../manifest/words.js' {
  interface FeatureSorts {
    /** `svc generate` says of one that is not counted. */
    readonly counts: `${string}.count`
  }
  interface RepositoryWords {
    /**
     * Relations to several records whose number may be asked for, `?withCount=reviews,tags`: under their policies, in the statement
     * that reads the list. With `'reviews.count'` in `sort`, lists are ordered by it.
     */
    readonly count?: readonly string[]
  }
}

export const countsParameter = 'withCount'
