/** Compares and lists columns in SQL. */

import type { Dialect, StoredKind } from '../kinds/kind.js'
import { raw, type Sql, sql } from '../sql/sql.js'
import { type Column, encodeList } from './columns.js'

/** `x in (…)` with the list as one parameter, so that its length changes no statement. */
export function inList(
  column: Column,
  expression: Sql,
  values: readonly unknown[],
  dialect: Dialect,
  { type }: StoredKind = column.storage,
): Sql {
  const list = encodeList(column.encode, dialect)(values)
  if (dialect === 'sqlite') return sql`${expression} in (select value from json_each(${list}))`
  return sql`${expression} = any(${list}::${raw(type)}[])`
}

/** A column as statements read it: of a value that a driver would round, its text. */
export const selected = ({ storage }: Column, expression: Sql): Sql =>
  storage.isRounded ? sql`cast(${expression} as text)` : expression

/** A column as `<` compares it: text by code point, which PostgreSQL has to be told. */
export function comparable(column: Column, expression: Sql, dialect: Dialect): Sql {
  const isToldHow = column.storage.isText && dialect === 'postgresql'
  return isToldHow ? sql`${expression} collate "C"` : expression
}

export type TextTest = 'contains' | 'startsWith' | 'endsWith' | 'containsAnyCase'

/**
 * Text that is literally somewhere. Case-sensitive is INSTR or GLOB on SQLite, whose LIKE folds
 * ASCII, and LIKE on PostgreSQL. `containsAnyCase` folds A to Z on SQLite, every letter the database's
 * locale knows on PostgreSQL; neither takes accents away.
 */
export function textTest(
  test: TextTest,
  column: Column,
  expression: Sql,
  text: string,
  dialect: Dialect,
): Sql {
  const isGlob = dialect === 'sqlite' && test !== 'containsAnyCase'
  const value = textOf(column, expression, dialect)
  if (isGlob && test === 'contains') return sql`instr(${value}, ${text}) > 0`
  const wild = isGlob ? '*' : '%'
  const escaped = isGlob ? text.replace(/[*?[]/g, '[$&]') : text.replace(/[\\%_]/g, '\\$&')
  const before = test === 'startsWith' ? '' : wild
  const after = test === 'endsWith' ? '' : wild
  const pattern = `${before}${escaped}${after}`
  if (isGlob) return sql`${value} glob ${pattern}`
  if (dialect === 'sqlite' || test !== 'containsAnyCase') {
    return sql`${value} like ${pattern} escape '\\'`
  }
  // ILIKE, with the pattern folded once: ILIKE folds it anew for each row (26 times slower).
  return sql`lower(${value}) like (select lower(${pattern})) escape '\\'`
}

/** The text of a value as people see it. */
function textOf({ storage, scale }: Column, expression: Sql, dialect: Dialect): Sql {
  if (dialect === 'postgresql')
    return storage.isText ? expression : sql`cast(${expression} as text)`
  return storage.format === null ? expression : sql`printf(${storage.format(scale)}, ${expression})`
}
