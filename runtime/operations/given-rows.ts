import type { Parameter } from '../database/types.js'
import type { Column } from '../model/columns.js'
import type { Entity } from '../model/entity.js'
import { identifier, raw, type Sql, sql } from '../sql/sql.js'
import type { Values } from './write/values.js'

/**
 * Records as one parameter of a statement, so that their number changes none: a list of lists, as
 * JSON, in a table called `r`.
 */
export function givenRows({ dialect }: Entity, rows: readonly Values[]): Sql {
  const list = jsonOf(rows)
  return dialect === 'sqlite'
    ? sql`json_each(${list}) as r`
    : sql`jsonb_array_elements(cast(${list} as jsonb)) with ordinality as r (value, key)`
}

/** The value of each record at a place of its list. */
export const valueAt = (at: number): Sql => sql`r.value ->> ${raw(String(at))}`

/** Selects the value at a place, typed as the column holds it. */
export function typedAt({ dialect }: Entity, { storage, enumType }: Column, at: number): Sql {
  if (dialect === 'sqlite') return valueAt(at)
  const type = enumType === null ? raw(storage.type) : identifier(enumType)
  return sql`cast(${valueAt(at)} as ${type})`
}

/** JSON has no BigInt, and all digits of a number. */
function jsonOf(rows: readonly Values[]): string {
  const hasLarge = rows[0]?.some((value) => typeof value === 'bigint') === true
  if (!hasLarge && !rows.some((row) => row.some((value) => typeof value === 'bigint'))) {
    return JSON.stringify(rows)
  }
  const text = (value: Parameter) =>
    typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  return `[${rows.map((row) => `[${row.map(text).join()}]`).join()}]`
}
