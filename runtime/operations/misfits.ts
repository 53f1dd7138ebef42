import type { Entity, Row } from '../model/entity.js'
import { getOwn } from '../model/get-own.js'
import { read, type Sql, sql } from '../sql/sql.js'

/** A table of records, or a pivot table. */
export type WrittenTable = Pick<Entity, 'database' | 'table' | 'columns' | 'dialect'>

/**
 * The columns of fields whose values they do not hold on PostgreSQL. It names no column when a text is
 * too long, a number out of range or a word none of an enum's, so the catalogue is asked, and only
 * then. Columns can be narrower than their fields where somebody changed the table since.
 */
export async function misfits(
  { database, table, columns }: WrittenTable,
  values: Row,
): Promise<readonly string[]> {
  const rows = await read(database, typesOf(table))
  const types = new Map(rows.map((row) => [String(row[0]), typeOf(row)]))
  return [...columns.values()]
    .filter(({ name, field }) => {
      const [type, value] = [types.get(name), getOwn(values, field) ?? null]
      return type !== undefined && value !== null && !isHeld(value, type)
    })
    .map(({ name }) => name)
}

interface Type {
  readonly name: string
  /** The type modifier, as PostgreSQL packs it: the 5 of `varchar(5)`; -1: there is none. */
  readonly modifier: number
  /** Labels of an enum. */
  readonly labels: readonly string[] | null
}

/** A domain is as wide as what it is made of. */
const typesOf = (table: string): Sql => sql`WITH RECURSIVE t AS (
    SELECT attname::text AS name, atttypid AS type, atttypmod AS modifier FROM pg_attribute
      WHERE attrelid = to_regclass(quote_ident(${table})) AND attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT name, typbasetype, typtypmod FROM t JOIN pg_type y ON y.oid = type WHERE typtype = 'd'
  ) SELECT name, typname::text, modifier,
    (SELECT json_agg(enumlabel)::text FROM pg_enum WHERE enumtypid = y.oid)
  FROM t JOIN pg_type y ON y.oid = type WHERE typtype <> 'd'`

const typeOf = ([, name, modifier, labels]: readonly unknown[]): Type => ({
  name: String(name),
  modifier: Number(modifier),
  labels: labels === null ? null : JSON.parse(String(labels)),
})

function isHeld(value: unknown, { name, modifier, labels }: Type): boolean {
  if (labels !== null) return labels.includes(String(value))
  const number = Number(value)
  if (name === 'int2') return number >= -(2 ** 15) && number < 2 ** 15
  if (name === 'int4') return number >= -(2 ** 31) && number < 2 ** 31
  if (name === 'float4') return isReal(number)
  if (modifier < 0) return true
  if (name === 'varchar' || name === 'bpchar') return lengthOf(String(value)) <= modifier - 4
  if (name !== 'numeric') return true
  const [precision, scale] = [(modifier - 4) >> 16, (modifier - 4) & 0x7ff]
  return Math.abs(number) + 0.5 * 10 ** -scale < 10 ** (precision - scale)
}

/** Neither too large for four bytes, nor too small. */
const isReal = (number: number): boolean =>
  Number.isFinite(Math.fround(number)) && (number === 0 || Math.fround(number) !== 0)

/** In characters; spaces at the end are cut off. */
const lengthOf = (text: string): number => Array.from(text.replace(/ +$/, '')).length
