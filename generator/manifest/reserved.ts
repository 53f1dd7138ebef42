import { featureKeys } from '../features/words.js'

/** URI keys that would shadow a route, now or in a later version. */
export const RESERVED_KEYS = [
  ...featureKeys,
  'action',
  'actions',
  'attach',
  'bulk',
  'detach',
  'field',
  'filters',
  'getters',
  'health',
  'ready',
  'search',
  'setup',
  'sync',
] as const

/** Columns that every table has. */
export const GIVEN_COLUMNS = ['id', 'created_at', 'updated_at'] as const

/**
 * Field names that something below cannot bear.
 *
 *     pivot              conditions and responses speak of the pivot table by this name
 *     oid, rowid         name the row itself in SQLite
 *     ctid, xmin, …      columns that PostgreSQL adds to every table
 */
export const RESERVED_FIELDS = [
  'pivot',
  'oid',
  'rowid',
  'ctid',
  'tableoid',
  'cmin',
  'cmax',
  'xmin',
  'xmax',
] as const

export type ReservedKey = (typeof RESERVED_KEYS)[number]
export type GivenColumn = (typeof GIVEN_COLUMNS)[number]
export type ReservedField = (typeof RESERVED_FIELDS)[number]
