/** How columns are compared, listed and ordered in SQL. */

import type { Dialect, Parameter } from '../database/types.js'
import { literal, raw, type Sql, sql } from '../sql/sql.js'
import { arrayTypes, type Column, type ColumnKind, encodeList } from './columns.js'

/** `x in (…)` with the list as one parameter, so that its length changes no statement. */
export function inList(
  column: Column,
  expression: Sql,
  values: readonly unknown[],
  dialect: Dialect,
  kind: ColumnKind = column.kind,
): Sql {
  const list = encodeList(column.encode, dialect)(values)
  if (dialect === 'sqlite') return sql`${expression} in (select value from json_each(${list}))`
  return sql`${expression} = any(${list}::${raw(arrayTypes[kind])})`
}

/**
 * What `<` sees. Decimals are text on SQLite: their digits as one number up to 18 of them, above as
 * text that sorts like them. Text compares by code point on both databases.
 */
export function comparable(column: Column, expression: Sql, dialect: Dialect): Sql {
  const isText = column.kind === 'text' || column.kind === 'password'
  if (isText && dialect === 'postgresql') return sql`${expression} collate "C"`
  return sortable(column, expression, dialect)
}

/** The value on the other side of `comparable`. */
export function comparableValue(column: Column, value: unknown, dialect: Dialect): Parameter {
  if (column.kind !== 'decimal' || dialect === 'postgresql') return column.encode(value)
  return column.precision > chunk
    ? decimalSortKey(column, String(value))
    : BigInt(String(value).replace('.', ''))
}

/**
 * What ORDER BY sees; text in the order of the database. An index of the migrations is on this very
 * text: SQLite takes it for no other.
 */
export function sortable(column: Column, expression: Sql, dialect: Dialect): Sql {
  if (column.kind !== 'decimal' || dialect === 'postgresql') return expression
  return column.precision > chunk
    ? sortableDecimal(column, expression)
    : sql`cast(replace(${expression}, '.', '') as integer)`
}

/**
 * Digits that fit an integer of SQLite. Longer decimals are a text of chunks: `1` and the digits
 * with zeros before them, or `0` and what each chunk of a negative one lacks to all nines.
 */
const chunk = 18

const chunksOf = ({ precision }: Column): number => Math.ceil(precision / chunk)

/** The same as `decimalSortKey`, in SQL. */
function sortableDecimal(column: Column, expression: Sql): Sql {
  const length = chunksOf(column) * chunk
  const zeros = literal('0'.repeat(length))
  const bare = sql`replace(replace(${expression}, '-', ''), '.', '')`
  const digits = sql`substr(${zeros} || ${bare}, ${raw(String(-length))})`
  const nines = Array.from({ length: chunksOf(column) }, (_, at) => {
    const part = sql`substr(${digits}, ${raw(`${at * chunk + 1}, ${chunk}`)})`
    return sql`printf('%018d', 999999999999999999 - cast(${part} as integer))`
  })
  const negative = nines.reduce((text, part) => sql`${text} || ${part}`)
  return sql`case when ${expression} like '-%' then '0' || ${negative} else '1' || ${digits} end`
}

function decimalSortKey(column: Column, text: string): string {
  const digits = text.replace(/[-.]/g, '').padStart(chunksOf(column) * chunk, '0')
  if (!text.startsWith('-')) return `1${digits}`
  return `0${digits.replace(/\d/g, (digit) => String(9 - Number(digit)))}`
}

export type TextTest = 'contains' | 'startsWith' | 'endsWith' | 'folded'

/**
 * Text that is literally somewhere. Case-sensitive is INSTR or GLOB on SQLite, whose LIKE folds ASCII,
 * and LIKE on PostgreSQL; `folded` is LIKE and ILIKE: A to Z on SQLite, every letter the database's
 * locale knows on PostgreSQL. Neither takes accents away.
 */
export function textTest(
  test: TextTest,
  column: Column,
  expression: Sql,
  text: string,
  dialect: Dialect,
): Sql {
  const isGlob = dialect === 'sqlite' && test !== 'folded'
  if (isGlob && test === 'contains') return sql`instr(${expression}, ${text}) > 0`
  const wild = isGlob ? '*' : '%'
  const escaped = isGlob ? text.replace(/[*?[]/g, '[$&]') : text.replace(/[\\%_]/g, '\\$&')
  const before = test === 'startsWith' ? '' : wild
  const after = test === 'endsWith' ? '' : wild
  const pattern = `${before}${escaped}${after}`
  if (isGlob) return sql`${expression} glob ${pattern}`
  const isText = dialect === 'sqlite' || column.kind === 'text'
  const value = isText ? expression : sql`cast(${expression} as text)`
  const operator = raw(dialect === 'postgresql' && test === 'folded' ? 'ilike' : 'like')
  return sql`${value} ${operator} ${pattern} escape '\\'`
}
