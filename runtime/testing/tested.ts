import type { AnyRepository } from '../operations/repository-type.js'

/** A record of which only the key is known. */
export interface Row {
  readonly id: number | string
}

/** Columns by name: all of a row, or some. */
export type Values = Readonly<Record<string, unknown>>

/**
 * Facts about a repository for a project's tests: svc derived them from the manifest, not from the
 * repository itself.
 */
export interface Tested<User> extends Edges {
  readonly key: string
  /** Readable without a token. */
  readonly isPublic?: boolean
  /** Makes rows to try things with; where rows belong to users, the last is this user's. */
  readonly rows: (user: User) => Promise<readonly Row[]>
  /** Attributes of a response. */
  readonly attributes: readonly string[]
  /** Fields that a request may write. */
  readonly writes: readonly string[]
  /** Fields that a new record cannot do without. */
  readonly required: readonly string[]
  /** Relations that `include` may name. */
  readonly related: readonly string[]
  /** Values that are none of a field's. */
  readonly refused: Readonly<Record<string, readonly unknown[]>>
}

/** Edge cases that fields of a repository must keep. */
export interface Edges {
  /** Keys that a list may be sorted by. */
  readonly sort: readonly string[]
  /**
   * What a list is filtered by, and how: `partial`, or the options of a select. TypeScript takes the word of a column called
   * `constructor` for any text.
   */
  readonly match: Readonly<Record<string, string | readonly string[]>>
  readonly repository: AnyRepository
  /** Writes a row through `db`. */
  readonly make: (values: object) => Promise<{ readonly id: unknown }>
  /** Its model in Prisma's client. */
  readonly model: string
  /** Its field in the GraphQL schema; absent or null: it has none. */
  readonly query?: string | null
  /** Values that are lost easily, in the order of sorting: NULL comes last. */
  readonly fields: Readonly<Record<string, readonly unknown[]>>
}
