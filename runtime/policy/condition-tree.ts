import type { Column } from '../model/columns.js'
import type { Link } from '../model/entity.js'

/**
 * A condition is described as structure and values. The structure is part of a compiled statement
 * and of its cache key; a value never is: it fills a slot at each run. So two users share a
 * statement and never each other's filter.
 */
export interface Described {
  readonly key: string
  readonly values: readonly unknown[]
  readonly node: Node
}

export type Comparison =
  | 'equals'
  | 'not'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'contains'
  | 'startsWith'
  | 'endsWith'
  /** Contains, whatever the case: search and partial matches, never in policies. */
  | 'folded'

/** What each comparison is with: a value of the column, or text to be found. */
export const comparisons: Record<Comparison, 'value' | 'text'> = {
  equals: 'value',
  not: 'value',
  lt: 'value',
  lte: 'value',
  gt: 'value',
  gte: 'value',
  contains: 'text',
  startsWith: 'text',
  endsWith: 'text',
  folded: 'text',
}

export function isComparison(operator: string): operator is Comparison {
  return Object.hasOwn(comparisons, operator)
}

export type Quantifier = 'some' | 'none' | 'every'

/** How policies ask of relations; `ofNull`: what the same test with null asks. */
export const quantifiers: Record<
  string,
  { readonly has: Quantifier; readonly ofNull: Quantifier }
> = {
  some: { has: 'some', ofNull: 'some' },
  none: { has: 'none', ofNull: 'none' },
  every: { has: 'every', ofNull: 'every' },
  is: { has: 'some', ofNull: 'none' },
  isNot: { has: 'none', ofNull: 'some' },
}

/**
 * Structure only. `slot` is the place of a value in `Described.values`; `key` tells the whole node
 * in one text. `unknown`: something was undefined; no row passes, and none does when it is negated.
 */
export type Node = { readonly key: string } & (
  | { readonly op: 'true' | 'false' | 'unknown' }
  | { readonly op: 'any' | 'all'; readonly nodes: readonly Node[] }
  | { readonly op: 'not'; readonly node: Node }
  | ({ readonly op: 'compare'; readonly test: Comparison; readonly slot: number } & Compared)
  | ({ readonly op: 'null'; readonly negated: boolean } & Place)
  /** `holey`: the list held NULL or undefined, so what is not found is unknown. */
  | ({ readonly op: 'in'; readonly slot: number; readonly holey: boolean } & Compared)
  | RelatedNode
  | { readonly op: 'sql'; readonly texts: readonly string[]; readonly parts: readonly SqlPart[] }
)

export interface Place {
  readonly column: Column
  /** A column of the table between, of the relation the condition is inside of. */
  readonly ofPivot: boolean
}

interface Compared extends Place {
  /** An integer column with a number it cannot hold, 2.5 say: both are compared as floats. */
  readonly asFloat: boolean
}

interface RelatedNode {
  readonly op: 'related'
  readonly link: Link
  readonly has: Quantifier
  readonly node: Node
  /**
   * Something inside is undefined, so a related record that was not found may be there all the
   * same: EXISTS knows no third value, and this says that the other answer is unknown.
   */
  readonly unsure: boolean
}

export type SqlPart = { readonly slot: number } | { readonly column: Column }

/** Whether something inside is undefined. */
export function isUnsure(node: Node): boolean {
  if ('nodes' in node) return node.nodes.some(isUnsure)
  if (node.op === 'not') return isUnsure(node.node)
  if (node.op === 'related') return node.unsure
  return node.op === 'unknown' || (node.op === 'in' && node.holey)
}

/** Whether some row could pass: not what is unknown, nor what needs something unknown. */
export function mayHold(node: Node): boolean {
  if (node.op === 'all') return node.nodes.every(mayHold)
  if (node.op === 'any') return node.nodes.some(mayHold)
  if (node.op === 'not') return mayFail(node.node)
  if (node.op === 'related') return !(node.unsure && node.has === 'none')
  return node.op !== 'unknown' && node.op !== 'false'
}

/** Whether it could be false for some row. */
function mayFail(node: Node): boolean {
  if (node.op === 'all') return node.nodes.some(mayFail)
  if (node.op === 'any') return node.nodes.every(mayFail)
  if (node.op === 'not') return mayHold(node.node)
  if (node.op === 'related') return !node.unsure || node.has === 'none'
  return node.op !== 'unknown' && node.op !== 'true' && !(node.op === 'in' && node.holey)
}
