import type { Dialect } from '../../kinds/kind.js'
import { selected } from '../../model/column-sql.js'
import type { Column } from '../../model/columns.js'
import { badParameter } from '../../query/query.js'
import { raw, type Sql, sql } from '../../sql/sql.js'
import { averageOf, type Exact, exactOf, exactText } from './exact.js'
import type { Place } from './places.js'

/** Functions over the values of a column; NULL is left out. */
export const functions = ['sum', 'avg', 'min', 'max', 'countDistinct'] as const

export type AggregateFunction = (typeof functions)[number]

const numbers: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'float', 'decimal'])

/**
 * What may be asked of a column; `generator/features/aggregates/functions.ts` says the same to
 * documents and types.
 *
 *   in `of`: numbers           sum avg min max countDistinct
 *   in `of`: days, instants    min max countDistinct
 *   all others                 countDistinct
 */
export function functionsOf(
  { column: { kind, storage }, isId }: Place,
  isOf: boolean,
): readonly AggregateFunction[] {
  if (!isOf || isId) return ['countDistinct']
  if (numbers.has(kind)) return functions
  return storage.isTime ? ['min', 'max', 'countDistinct'] : ['countDistinct']
}

/** The columns that a statement reads for one aggregate, and how they become its value. */
export interface Output {
  /** About rows that were grouped. */
  readonly columns: readonly Sql[]
  /** Makes the value of what the driver gave; undefined: the column holds an invalid value. */
  read(values: readonly unknown[]): unknown
  /** The value of no rows. */
  readonly empty: 0 | null
}

export const counting: Output = {
  columns: [sql`count(*)`],
  read: ([count]) => Number(count),
  empty: 0,
}

/** @param value The column, of rows that are grouped. */
export function outputOf(
  asked: AggregateFunction,
  { name, column }: Pick<Place, 'name' | 'column'>,
  value: Sql,
  dialect: Dialect,
): Output {
  switch (asked) {
    case 'countDistinct':
      return { ...counting, columns: [sql`count(distinct ${value})`] }
    case 'min':
    case 'max':
      return edgeOf(asked, column, value)
    default:
      return column.kind === 'float'
        ? floatOf(asked, name, value, dialect)
        : exactlyOf(asked, column, value, dialect)
  }
}

function edgeOf(asked: 'min' | 'max', column: Column, value: Sql): Output {
  return {
    columns: [selected(column, sql`${raw(asked)}(${value})`)],
    read: ([stored]) => decoded(column, stored),
    empty: null,
  }
}

/** Null, our value, or undefined: it is none. */
export const decoded = ({ decode }: Column, stored: unknown): unknown =>
  stored === null || decode === null ? stored : decode(stored)

/**
 * PostgreSQL fails where a sum of floats is too large for one; its numerics hold every sum. A float
 * that is cast to one keeps 15 of its 17 digits, and its text has all.
 */
function floatOf(asked: 'sum' | 'avg', name: string, value: Sql, dialect: Dialect): Output {
  const sum =
    dialect === 'sqlite'
      ? sql`sum(${value})`
      : sql`cast(sum(cast(cast(${value} as text) as numeric)) as text)`
  return {
    columns: [sum, sql`count(${value})`],
    read: ([stored, count]) => {
      if (stored === null) return null
      const total = Number(stored)
      if (Number.isNaN(total)) return undefined
      if (Number.isFinite(total)) return asked === 'sum' ? total : total / Number(count)
      throw badParameter('select', `asks for the ${asked} of ${name}, which is too large a number`)
    },
    empty: null,
  }
}

/** Whole numbers and decimals: added up exactly. */
function exactlyOf(asked: 'sum' | 'avg', column: Column, value: Sql, dialect: Dialect): Output {
  const { scale, kind } = column
  const parts = dialect === 'sqlite' ? sqliteSum(value, scale) : postgresSum(value)
  const shown = (exact: Exact) =>
    kind === 'integer' ? Number(exactText(exact)) : exactText(exact, scale)
  return {
    columns: [...parts, sql`count(${value})`],
    read: (values) => {
      const [first] = values
      if (first === null) return null
      const total = dialect === 'sqlite' ? joined(values, scale) : exactOf(String(first), scale)
      if (total === undefined) return undefined
      return shown(asked === 'sum' ? total : averageOf(total, Number(values.at(-1))))
    },
    empty: null,
  }
}

const postgresSum = (value: Sql): readonly Sql[] => [sql`cast(sum(${value}) as text)`]

/**
 * SQLite has decimals as floats, and adds them up as such: 0.1 + 0.2 is no 0.3. In units of their
 * last digit they are whole numbers, which it adds up exactly. It fails where a sum has more than 64
 * bits: so those of nine digits are added up for themselves, and those before them.
 */
function sqliteSum(value: Sql, scale: number): readonly Sql[] {
  const units =
    scale === 0 ? value : sql`cast(round(${value} * ${raw(`1${'0'.repeat(scale)}`)}) as integer)`
  return [
    sql`cast(sum(${units} / ${nineDigits}) as text)`,
    sql`cast(sum(${units} % ${nineDigits}) as text)`,
  ]
}

const nineDigits = raw('1000000000')

function joined([high, low]: readonly unknown[], scale: number): Exact | undefined {
  const [before, behind] = [high, low].map((each) => exactOf(String(each), 0))
  // Somebody else wrote a fraction where there is none.
  if (before?.scale !== 0 || behind?.scale !== 0) return undefined
  return { units: before.units * 1_000_000_000n + behind.units, scale }
}
