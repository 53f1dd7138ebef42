import type { Sql } from '../sql/sql.js'
import type { Column } from './columns.js'

/**
 * What a condition comes to for every row: a constant (null: unknown, as SQL's NULL), or SQL that
 * is true, false or NULL. Only true admits a row.
 */
export type Test = boolean | null | SqlTest

export interface SqlTest {
  readonly sql: Sql
  /** Some row could pass; false where what is undefined keeps every row out. */
  readonly mayHold: boolean
  /** It could be false for some row. */
  readonly mayFail: boolean
  /** Something inside is undefined. */
  readonly isUnsure: boolean
  /** It reads columns of the row and nothing else, so it can stand in RETURNING. */
  readonly isOwnRow: boolean
}

/** One key of ORDER BY. */
export interface SortTerm {
  readonly key: string
  readonly descending: boolean
  /** Returns the value to sort by, of the table called `alias`. */
  readonly value: (alias: string) => Sql
  readonly mayBeNull: boolean
  /** Whose values they are; absent: it is no column's, as a number of records. */
  readonly column?: Column
  /** True: the value is a column of the table itself, so that an index may serve it. */
  readonly isOwn?: true
}
