import {
  hasCursors,
  hasDryRuns,
  hasFiles,
  hasIncluded,
  hasKeys,
  hasSearches,
  metaOf,
  ofWrites,
  readingTypesOf,
  recordPartOf,
  type Client,
} from '../names.js'

/** `client.ts` and what comes with it are the same for every manifest, but for what records have besides. */
export interface ClientView {
  /** Changes may say which version of a record they are about. */
  readonly hasVersions: boolean
  /** What writes may have a key, with which it is repeated. */
  readonly hasKeys: boolean
  /** What writes may be tried, and say how many rows it may write. */
  readonly hasDryRuns: boolean
  /** What writes takes more than any call does. */
  readonly hasWriteOptions: boolean
  /** `meta` of some records has more than the usual flags. */
  readonly hasMeta: boolean
  /** Columns to match by may be compared. */
  readonly hasComparisons: boolean
  /** Types of features, as they are declared. */
  readonly readingTypes: readonly string[]
  /** Some lists are asked in a body. */
  readonly hasSearches: boolean
  /** Some lists are files, too. */
  readonly hasFiles: boolean
  /** Some lists are walked from where a page ended. */
  readonly hasCursors: boolean
  /** Some lists take filters by their keys. */
  readonly hasFilters: boolean
  /** What `include` may be besides a list of paths. */
  readonly hasIncluded: boolean
  /** Repositories say what their lists may be asked for. */
  readonly hasAskables: boolean
}

export const clientView = (client: Client): ClientView => ({
  hasVersions: client.api.project.entities.some((entity) => recordPartOf(client, entity) !== null),
  hasKeys: hasKeys(client),
  hasComparisons: [...client.parts.values()].some(
    (part) => part.compared !== undefined || part.hasSearches === true,
  ),
  hasSearches: hasSearches(client),
  hasDryRuns: hasDryRuns(client),
  hasFiles: hasFiles(client),
  hasWriteOptions: ofWrites(client).length > 0,
  hasCursors: client.api.project.entities.some((entity) => hasCursors(client, entity)),
  hasFilters: [...client.parts.values()].some(({ hasFilters }) => hasFilters?.(client) === true),
  hasIncluded: hasIncluded(client),
  hasAskables: [...client.parts.values()].some(({ hasAskables }) => hasAskables === true),
  hasMeta: client.api.project.entities.some((entity) => metaOf(client, entity) !== null),
  readingTypes: Object.values(readingTypesOf(client)),
})
