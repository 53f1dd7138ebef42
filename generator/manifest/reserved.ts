/** URI keys that would shadow a route, now or in a later version: whatever features a project has. */
export const RESERVED_KEYS = [
  'action',
  'actions',
  'attach',
  'auth',
  'bulk',
  'detach',
  'field',
  'filters',
  'forgotPassword',
  'getters',
  'graphql',
  'health',
  'login',
  'logout',
  'profile',
  'ready',
  'register',
  'resetPassword',
  'search',
  'setup',
  'sync',
  'tokens',
  'verify',
] as const

/** Tables that the server makes, or may make when a feature is switched on. */
export const RESERVED_TABLES: readonly string[] = [
  'password_resets',
  'personal_access_tokens',
  'rate_limits',
  'read_positions',
]

/** Types of those tables, and of a schema of the API. */
export const RESERVED_TYPES: readonly string[] = [
  ...['PasswordReset', 'PersonalAccessToken', 'RateLimit', 'ReadPosition'],
  ...['ID', 'JSON', 'Mutation', 'Query', 'Subscription'],
]

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
