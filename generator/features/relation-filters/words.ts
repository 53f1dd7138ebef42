/** Match types of related columns. */
type RelatedMatch =
  | ('text' | 'partial' | 'array')
  | ('integer' | 'number' | 'between' | 'boolean' | 'datetime')
  | 'exists'

/**
 * What `match` may hold because of it, beside columns: `'seller.name': 'partial'`, `reviews: 'exists'`. Up to three relations;
 * `svc generate` says what there is behind them. `never`: it is no relation of the repository.
 */
type RelationMatchType<Key, Entries> = Key extends keyof Entries
  ? 'exists'
  : Key extends `${infer Head}.${string}`
    ? string extends keyof Entries
      ? RelatedMatch
      : Head extends keyof Entries
        ? RelatedMatch
        : never
    : never

declare module '../../manifest/words.js' {
  interface FeatureMatches<Key, Entries> {
    readonly relationFilters: RelationMatchType<Key, Entries>
  }
}

export {}
