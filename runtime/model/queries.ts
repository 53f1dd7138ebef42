/** Types of queries. Features extend them. */

import type { Caller } from '../database/caller.js'
import type { Sql } from '../sql/sql.js'
import type { Budget } from './budget.js'
import type { Resource } from './resource.js'
import type { Test } from './sql-test.js'

/** A request for one record. */
export interface ShowQuery {
  /** Attributes to read; null or left out: all that the user may see. */
  readonly columns?: readonly string[] | null
  /**
   * For surfaces that show no `meta`: nothing is read for it, and `relationships` is always there.
   * They have checked the tree themselves: how deep it may be, and that its keys are declared.
   */
  readonly withoutMeta?: boolean
  /** Shared by several reads of one request; else each has one of its own. */
  readonly budget?: Budget | undefined
  /** The request it came with, where it has no budget. */
  readonly caller?: Caller
  /** Related entries; as text, the parameters `include` and `related` as they were sent. */
  readonly include?: IncludeTree | IncludeTexts | undefined
  /** Page size of every related collection; null: each repository's own. */
  readonly relatablePerPage?: number | null
  /** Show `meta` of related resources on an index too. */
  readonly withMeta?: boolean
  /** Parameters of lists that were sent, of which one record knows nothing. */
  readonly unknown?: readonly string[]
  /** Other parameters that were sent: of extensions, or unknown. */
  readonly unread?: readonly MatchValue[]
  /** Values that features read with each record, in its statement. */
  readonly values?: readonly ReadValue[]
}

/** A value that is read with each record. */
export interface ReadValue {
  /** About the table called `t0`. */
  readonly value: Sql
  /** Shows what the driver gave for it. */
  show(resource: Resource, value: unknown): void
}

/** A request for a list. */
export interface IndexQuery extends ShowQuery, ListPart {
  /**
   * In code: a condition that the records must satisfy besides, as policies write them.
   * @example { where: { owner: { is: { followers: { some: { id: user.id } } } } } }
   */
  readonly where?: boolean | object
  /** Further tests of features, about the table called `t0`. */
  readonly tests?: readonly Test[]
}

/** Filters, order and search of one list. */
export interface ListPart {
  /** From 1; undefined: the first, and it was not asked for. */
  readonly page?: number | undefined
  /** Null: what the request or the repository says. */
  readonly perPage?: number | null
  /** In place of a page: some records from any one on. */
  readonly window?: ListWindow
  readonly search?: string | null
  /**
   * True: the search is about several repositories. One in which this user may search nothing finds
   * nothing.
   */
  readonly isOneOfMany?: true
  readonly sort?: readonly SortKey[]
  readonly match?: readonly MatchValue[]
  /** It came in a body, which may have names that no address has. */
  readonly inBody?: true
  /**
   * What surfaces besides the query string ask of features, by name: the other arguments of a list in
   * GraphQL. A feature reads those that are its own.
   */
  readonly asked?: Readonly<Record<string, unknown>> | undefined
}

/** Part of a list that begins anywhere. */
export interface ListWindow {
  /** Records before it. */
  readonly offset: number
  /** Records of it at most; as many as a page has unless it says otherwise. */
  readonly limit?: number
}

export interface IncludeNode {
  readonly key: string
  /** Null: every column. */
  readonly columns: readonly string[] | null
  readonly children: IncludeTree
  /** Its key under `relationships`, where that is another one. */
  readonly as?: string
  /** To-many relations: which of the related records. */
  readonly part?: ListPart
  /** A morph: what to read where the record is of this repository, by its URI key. */
  readonly ofType?: ReadonlyMap<string, Pick<IncludeNode, 'columns' | 'children'>>
  /** To-many relations: how many related records there are, instead of the records. */
  readonly isCount?: true
}

export type IncludeTree = readonly IncludeNode[]

export type IncludeTexts = readonly (readonly [parameter: string, text: string])[]

export interface SortKey {
  /** A column, or `owner.name`. */
  readonly key: string
  readonly descending: boolean
}

/**
 * A parameter that may be a match column, or of a feature: `title=a`, `-title=a`, `filter[title]=a`.
 * `price[gte]=5` and `filter[price][gte]=5` have `price[gte]` as their column.
 */
export interface MatchValue {
  readonly column: string
  readonly negated: boolean
  /** Written as `filter[title]`: it can only be a column. */
  readonly isFilter?: boolean
  readonly text: string
}
