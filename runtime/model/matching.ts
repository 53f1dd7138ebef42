import type { Column } from './columns.js'
import type { PerName } from './inherited.js'

export type MatchType =
  | 'text'
  | 'partial'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'datetime'
  | 'between'
  | 'array'
  /** The options of a select: any other value is a mistake. */
  | readonly string[]

/** Columns that clients filter by, and how; `matching({ … })` of a repository makes it. */
export interface Matching<Name extends string = string> {
  readonly types: PerName<Name, MatchType>
  /** @param texts What a request says of the column, more than once where its type takes lists. */
  read(column: Column, type: MatchType, texts: readonly string[], negated: boolean): Match
}

/** The condition of a match parameter, or the problem with its value. */
export type Match = { readonly condition: unknown } | { readonly problem: string }
