declare module '../../manifest/words.js' {
  interface RepositoryWords {
    /**
     * `GET /posts/aggregate?groupBy=status&select=count,sum(price)`: how many records there are, and their sums, averages and edges, of
     * those that the user may see; `postAggregate` in GraphQL.
     */
    readonly aggregate?: AggregateOptions
  }
}

export interface AggregateOptions {
  /** Columns whose values make groups, and those of one related record: `category.name`. Days and instants by day, week, month, quarter or year, too. */
  readonly groupBy?: readonly string[]
  /** Columns that `sum`, `avg`, `min`, `max` and `countDistinct` may be asked of, as far as their kind has them. */
  readonly of?: readonly string[]
}

/** Parameters besides those of lists. */
export const aggregateParameters = ['groupBy', 'select', 'tz'] as const
