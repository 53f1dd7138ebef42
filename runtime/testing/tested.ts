import type { AnyRepository } from '../operations/repository-type.js'

/** A record of which only the key is known. */
export interface Row {
  readonly id: number | string
}

/** Columns by name: all of a row, or some. */
export type Values = Readonly<Record<string, unknown>>

/** What a project's tests know of a repository, apart from what it says of itself: svc decided it, from the manifest. */
export interface Tested<User> extends Edges {
  readonly key: string
  /** Readable without a token. */
  readonly isPublic?: boolean
  /** Makes rows to try things with; where rows belong to users, the last is this user's. */
  readonly rows: (user: User) => Promise<readonly Row[]>
  /** What a response shows. */
  readonly attributes: readonly string[]
  /** What a request may write. */
  readonly writes: readonly string[]
  /** Fields that a new record cannot do without. */
  readonly required: readonly string[]
  /** What `include` may name. */
  readonly related: readonly string[]
  /** Values that are none of a field's. */
  readonly refused: Readonly<Record<string, readonly unknown[]>>
}

/** What the fields of a repository must keep. */
export interface Edges {
  /** What a list is sorted by. */
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
