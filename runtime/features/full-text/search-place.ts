import type { Sql } from '../../sql/sql.js'
import type { SearchTerm } from './search-terms.js'

export interface FullTextOptions<Name extends string = string> {
  /** Up to four; a word in the first counts most. */
  readonly columns: readonly Name[]
  /** PostgreSQL's name of it: `english`; `simple` takes words as they are written. */
  readonly language: string
  /** SQLite: rows are known by numbers of their own, for their keys are none that stay. */
  readonly isByKey?: true
}

/** Finds terms in one database, in the columns that may be seen. */
export interface FullTextDialect {
  /** Returns the term as this language reads it; null: it means nothing. */
  meant(options: FullTextOptions, term: SearchTerm): SearchTerm | null
  /** Rows that have all of the terms, or any of them. */
  found(place: SearchPlace, terms: readonly SearchTerm[], joined: 'all' | 'any'): Sql
  /**
   * Rows that have a term whose last word is the beginning of one. Null: the language takes words as
   * they are written, so `found` finds these, too.
   */
  beginning(place: SearchPlace, term: SearchTerm): Sql | null
  /**
   * Returns the rank of a row, a whole number: it depends on the row alone, and on no other row.
   */
  rank(place: SearchPlace, terms: readonly SearchTerm[]): Sql
}

/** A table in a statement, with its alias. */
export interface SearchPlace extends FullTextOptions {
  readonly table: string
  readonly alias: string
  /** The column of its key. */
  readonly key: string
  /** Names of the columns in the table. */
  readonly names: readonly string[]
  /** The searched ones of `columns`, by their index. */
  readonly seen: readonly number[]
}
