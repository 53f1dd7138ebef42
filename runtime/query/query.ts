import type { Caller } from '../database/caller.js'
import { badRequest } from '../errors.js'
import type { Budget } from '../model/budget.js'

/** What a show request asks for. */
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
}

/** What an index request asks for. */
export interface IndexQuery extends ShowQuery, ListPart {}

/** What is asked of one collection. */
export interface ListPart {
  /** From 1. */
  readonly page?: number
  /** Null: what the request or the repository says. */
  readonly perPage?: number | null
  readonly search?: string | null
  readonly sort?: readonly SortKey[]
  readonly match?: readonly MatchValue[]
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

/** A parameter that may be a match column: `title=a`, `-title=a`, `filter[title]=a`. */
export interface MatchValue {
  readonly column: string
  readonly negated: boolean
  /** Written as `filter[title]`: it can only be a column. */
  readonly isFilter?: boolean
  readonly text: string
}

/** What a request without a query string asks for. */
export const emptyQuery: IndexQuery = Object.freeze({})

/** Queries come from code too: a negative limit would be no limit. */
export function positive(name: string, value: number): number {
  if (Number.isInteger(value) && value > 0) return value
  throw badParameter(name, 'must be a positive integer')
}

/** 400 naming one parameter; `problem` goes on after `The page parameter …`. */
export function badParameter(name: string, problem: string): Error {
  const message = `The ${name} parameter ${problem}.`
  return badRequest(message, { [name]: [message] })
}
