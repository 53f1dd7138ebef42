import type { AggregatesWords } from './aggregates/words.js'
import type { AuthorizationTestsWords } from './authorization-tests/words.js'
import type { BulkWords } from './bulk/words.js'
import type { ClientWords } from './client/words.js'
import type { CountsWords, CountSort } from './counts/words.js'
import type { CsvExportWords } from './csv-export/words.js'
import type { DryRunWords } from './dry-run/words.js'
import type { FullText } from './full-text/words.js'
import type { GlobalSearchWords } from './global-search/words.js'
import { graphqlReserved } from './graphql/words.js'
import type { IdempotencyWords } from './idempotency/words.js'
import type { MetricsWords } from './metrics/words.js'
import type { NestedCreateWords } from './nested-create/words.js'
import type { NestedPivotsWords } from './nested-pivots/words.js'
import type { OpenapiWords } from './openapi/words.js'
import type { Matcher, OwnFiltersWords, Sorter } from './own-filters/words.js'
import type { ReaderThreadsWords } from './reader-threads/words.js'
import type { ReadsWords } from './reads/words.js'
import type { RelationMatchType } from './relation-filters/words.js'
import { replicasReserved, type ReplicasWords } from './replicas/words.js'
import type { RequestLimitWords } from './request-limit/words.js'
import { signInReserved } from './sign-in/words.js'
import type { SoftDeletesWords } from './soft-deletes/words.js'
import type { SpokenLanguagesWords } from './spoken-languages/words.js'
import type { TimestampsByColumn, TimestampsByWords } from './timestamps-by/words.js'
import type { TracingWords } from './tracing/words.js'
import type { TransactionsWords } from './transactions/words.js'
import type { UpsertWords } from './upsert/words.js'
import type { VersionsWords } from './versions/words.js'

/** What features add to `defineManifest`. */
export interface ManifestWords
  extends
    OpenapiWords,
    AuthorizationTestsWords,
    RequestLimitWords,
    MetricsWords,
    TracingWords,
    ReaderThreadsWords,
    ReplicasWords,
    TimestampsByWords,
    TransactionsWords,
    IdempotencyWords,
    DryRunWords,
    ReadsWords,
    SpokenLanguagesWords,
    ClientWords {}

/** What they add to `repository`. */
export interface RepositoryWords
  extends
    VersionsWords,
    SoftDeletesWords,
    BulkWords,
    UpsertWords,
    GlobalSearchWords,
    ReadsWords,
    CountsWords,
    CsvExportWords,
    OwnFiltersWords,
    AggregatesWords {}

/** What they add to `hasOne`, `hasMany` and their morphs. */
export interface HasWords extends NestedCreateWords {}

/** What they add to `belongsToMany` and `morphToMany`. */
export interface ManyToManyWords extends NestedPivotsWords {}

/** Columns that they may add to a repository. */
export type FeatureColumn = TimestampsByColumn

/** What `sort` may hold because of them, besides columns. */
export type FeatureSort = CountSort

/** What `match` may say because of them of a key that is no column, by the entries of `related`; never: nothing. */
export type FeatureMatch<Key, Entries> = RelationMatchType<Key, Entries>
/** What `sort` and `match` may hold because of them as values of their own, under names that are no columns. */
export type FeatureSortEntry = Sorter
export type FeatureMatchEntry = Matcher
/** What `searchable` may be because of them, in place of a list of columns. */
export type FeatureSearchable<Columns> = FullText<Columns>

/** URI keys of theirs. */
export const featureKeys = [...graphqlReserved.keys, ...signInReserved.keys] as const

/** Tables and types that they make, or speak of. */
export const reservedTables: readonly string[] = [
  ...replicasReserved.tables,
  ...signInReserved.tables,
]
export const reservedTypes: readonly string[] = [
  ...replicasReserved.types,
  ...graphqlReserved.types,
  ...signInReserved.types,
]
