import { compareDecimals } from '../../../runtime/kinds/decimal.js'
import type { KindName } from '../../../runtime/kinds/kinds.js'
/**
 * Evaluates conditions in memory: the database is compared with this. Relations and SQL are left
 * out.
 */
import { canonical, type Column } from '../../../runtime/model/columns.js'
import type { Entity, Row } from '../../../runtime/model/entity.js'
import { operands } from '../../../runtime/policy/condition.js'

/** SQL's three values: null is unknown. Only true admits a row. */
type Truth = boolean | null

/** Returns true if a condition holds for a row; values are those of attributes. */
export function holds(entity: Entity, condition: unknown, row: Row): Truth {
  if (typeof condition === 'boolean') return condition
  if (typeof condition !== 'object' || condition === null) return null
  if (operands in condition) {
    const { combines, [operands]: parts } = condition as Combination
    const truths = parts.map((part) => holds(entity, part, row))
    if (combines === 'not') return negated(truths[0] ?? null)
    return combines === 'any' ? some(truths) : every(truths)
  }
  const tests = Object.entries(condition)
  if (tests.length === 0) return null
  return every(tests.map(([name, test]) => columnHolds(columnOf(entity, name), test, row[name])))
}

interface Combination {
  readonly combines: 'any' | 'all' | 'not'
  readonly [operands]: readonly unknown[]
}

function columnOf({ columns }: Entity, name: string): Column {
  const column = columns.get(name)
  if (column === undefined) throw new TypeError(`no column '${name}'`)
  return column
}

function columnHolds(column: Column, test: unknown, stored: unknown): Truth {
  if (test === null) return null
  if (typeof test !== 'object') return compare(column, 'equals', test, stored)
  return every(
    Object.entries(test).map(([operator, value]) => compare(column, operator, value, stored)),
  )
}

function compare(column: Column, operator: string, value: unknown, stored: unknown): Truth {
  if (operator === 'in') return isListed(column, value, stored)
  if (operator === 'notIn') return negated(isListed(column, value, stored))
  if (operator === 'isNull') {
    return value === null || value === undefined ? null : value === (stored === null)
  }
  const isText = ['contains', 'startsWith', 'endsWith'].includes(operator)
  const held = isText ? (value ?? null) : canonical(column, value)
  if (held === null || stored === null) return null
  return (
    comparisons[operator]?.(orders[column.kind] ?? plainOrder, stored as never, held as never) ??
    null
  )
}

function isListed(column: Column, list: unknown, stored: unknown): Truth {
  if (!Array.isArray(list)) return null
  const values = list.map((value) => canonical(column, value))
  const known = values.filter((value) => value !== null)
  const isHoley = known.length < values.length
  if (known.length === 0) return isHoley ? null : false
  if (stored === null) return null
  return known.includes(stored) || (isHoley ? null : false)
}

const negated = (truth: Truth): Truth => (truth === null ? null : !truth)

function every(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false
  return truths.includes(null) ? null : true
}

function some(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true
  return truths.includes(null) ? null : false
}

type Order = (left: never, right: never) => number

const comparisons: Readonly<Record<string, (order: Order, left: never, right: never) => boolean>> =
  {
    equals: (_, left, right) => left === right,
    not: (_, left, right) => left !== right,
    lt: (order, left, right) => order(left, right) < 0,
    lte: (order, left, right) => order(left, right) <= 0,
    gt: (order, left, right) => order(left, right) > 0,
    gte: (order, left, right) => order(left, right) >= 0,
    contains: (_, left: string, right: string) => left.includes(right),
    startsWith: (_, left: string, right: string) => left.startsWith(right),
    endsWith: (_, left: string, right: string) => left.endsWith(right),
  } as Readonly<Record<string, (order: Order, left: never, right: never) => boolean>>

const orders: Partial<Record<KindName, Order>> = {
  decimal: (left: string, right: string) => compareDecimals(left, right),
  text: (left: string, right: string) => byCodePoint(left, right),
}

const plainOrder = (left: number | string, right: number | string): number =>
  left < right ? -1 : left > right ? 1 : 0

/** As both databases compare UTF-8; JavaScript's `<` goes by UTF-16 units. */
const byCodePoint = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right))
