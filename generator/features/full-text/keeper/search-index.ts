import type { FullTextMark } from './marks.js'

/** The words of one table; names as the database has them. */
export interface SearchIndex extends Omit<FullTextMark, 'others'> {
  readonly table: string
  readonly columns: readonly string[]
}

/** The SQL of an index in one database. */
export interface SearchSql {
  readonly drop: (index: SearchIndex) => string
  /** With the words of the rows that are there. */
  readonly create: (index: SearchIndex) => string
  /** Returns true if a migration changes the table so that the index cannot stay as it is. */
  readonly isTouched: (sql: string, index: SearchIndex) => boolean
}
