/* Each feature adds its words to these interfaces, in `words.ts` of its folder: `declare module '../../manifest/words.js'`. */
/* oxlint-disable typescript/no-empty-interface, no-unused-vars */

/** Options that features add to `defineManifest`. */
export interface ManifestWords {}

/** Options that they add to `repository`. */
export interface RepositoryWords {}

/** Options that they add to `hasOne`, `hasMany` and their morphs. */
export interface HasWords {}

/** Options that they add to `belongsToMany` and `morphToMany`. */
export interface ManyToManyWords {}

/** Columns that they may add to any repository: lists may name them. */
export interface FeatureColumns {}

/** Words of `sort` that are no columns. */
export interface FeatureSorts {}

/** Values of `sort` and of `match` that are no words. */
export interface FeatureSortEntries {}
export interface FeatureMatchEntries {}

/**
 * The match types of a key that is no column, by the entries of `related`; never: it is none of the
 * feature's.
 */
export interface FeatureMatches<Key, Entries> {}

/** Values of `searchable` in place of a list of columns. */
export interface FeatureSearchables<Columns> {}

/** The values of all features. */
export type AnyOf<Said> = Said[keyof Said]
