import { type Column, type ColumnKind } from '../model/columns.js'
import { compareDecimals } from '../model/decimal.js'
import type { Comparison, Node } from './parse-condition.js'

/** SQL's three values: null is unknown. Only true admits. */
export type Truth = boolean | null

/** Asks a decoded row, in the order of its statement's columns. */
export type Evaluate = (row: readonly unknown[], values: readonly unknown[]) => Truth

/** Whether a row alone decides: no relation, no SQL, no folding of case. */
export function isDecidable(node: Node): boolean {
  switch (node.op) {
    case 'related':
    case 'sql':
      return false
    case 'compare':
      return node.test !== 'folded'
    case 'not':
      return isDecidable(node.node)
    case 'all':
    case 'any':
      return node.nodes.every(isDecidable)
    default:
      return true
  }
}

/** The own columns a decidable condition reads. */
export function columnsRead(node: Node): readonly string[] {
  if ('nodes' in node) return node.nodes.flatMap(columnsRead)
  if (node.op === 'not') return columnsRead(node.node)
  return 'column' in node ? [node.column.name] : []
}

/**
 * A decidable condition as a function. `indexOf` tells where a column is in the rows it will be
 * asked about.
 */
export function evaluator(node: Node, indexOf: (column: string) => number): Evaluate {
  switch (node.op) {
    case 'true':
      return () => true
    case 'false':
      return () => false
    case 'unknown':
      return () => null
    case 'not': {
      const inner = evaluator(node.node, indexOf)
      return (row, values) => {
        const truth = inner(row, values)
        return truth === null ? null : !truth
      }
    }
    case 'all':
    case 'any':
      return joinEvaluators(
        node.nodes.map((part) => evaluator(part, indexOf)),
        node.op === 'any',
      )
    case 'null': {
      const at = indexOf(node.column.name)
      return (row) => (row[at] === null) !== node.negated
    }
    case 'in':
      return evaluateIn(node, indexOf(node.column.name))
    case 'compare':
      return evaluateComparison(node, indexOf(node.column.name))
    default:
      throw new TypeError(`'${node.op}' is decided by the database`)
  }
}

/**
 * `any` ends at the first true, `all` at the first false; an unknown among the rest makes it
 * unknown.
 */
function joinEvaluators(parts: readonly Evaluate[], decisive: boolean): Evaluate {
  return (row, values) => {
    let truth: Truth = !decisive
    for (const part of parts) {
      const found = part(row, values)
      if (found === decisive) return decisive
      if (found === null) truth = null
    }
    return truth
  }
}

function evaluateIn({ slot, holey }: Node & { op: 'in' }, at: number): Evaluate {
  return (row, values) => {
    const list = values[slot] as readonly unknown[] // `listNode` made it
    const value = row[at]
    if (list.length === 0) return holey ? null : false
    if (value === null) return null
    return list.includes(value) || (holey ? null : false)
  }
}

const tests: Record<
  Exclude<Comparison, 'folded'>,
  (order: Order, left: never, right: never) => boolean
> = {
  equals: (_, left, right) => left === right,
  not: (_, left, right) => left !== right,
  lt: (order, left, right) => order(left, right) < 0,
  lte: (order, left, right) => order(left, right) <= 0,
  gt: (order, left, right) => order(left, right) > 0,
  gte: (order, left, right) => order(left, right) >= 0,
  contains: (_, left: string, right: string) => left.includes(right),
  startsWith: (_, left: string, right: string) => left.startsWith(right),
  endsWith: (_, left: string, right: string) => left.endsWith(right),
}

function evaluateComparison(node: Node & { op: 'compare' }, at: number): Evaluate {
  const { slot } = node
  if (node.test === 'folded') throw new TypeError('folding is decided by the database')
  const test = tests[node.test]
  const order = orderOf(node.column)
  return (row, values) => {
    const left = row[at]
    const right = values[slot]
    if (left === null || right === null) return null
    return test(order, left as never, right as never) // both are values of the column's kind
  }
}

type Order = (left: never, right: never) => number

const orders: Partial<Record<ColumnKind, Order>> = {
  decimal: (left: string, right: string) => compareDecimals(left, right),
  text: (left: string, right: string) => compareText(left, right),
  password: (left: string, right: string) => compareText(left, right),
}

const plainOrder = (left: number | string, right: number | string): number =>
  left < right ? -1 : left > right ? 1 : 0

function orderOf(column: Column): Order {
  return orders[column.kind] ?? plainOrder
}

/** By code point, as both databases compare UTF-8; JavaScript's `<` goes by UTF-16 units. */
function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i)
    const b = right.charCodeAt(i)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

/** Surrogates stand for code points above every other unit. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
