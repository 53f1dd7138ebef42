import type { ColumnDefinition } from 'better-sqlite3'
import { dateTime } from '../../kinds/date-time.js'
import { date } from '../../kinds/date.js'
import { decimal } from '../../kinds/decimal.js'
import type { Decode, Parameter } from '../../kinds/kind.js'
import { declaredKind } from '../../kinds/kinds.js'

/** The decoder of a column of `db`'s results, by the type its table declares. */
export function declaredDecoder(
  { table, column, type }: ColumnDefinition,
  dateColumns: ReadonlySet<string>,
): Decode | null {
  const scale = /^DECIMAL\(\d+, ?(\d+)\)$/i.exec(type ?? '')?.[1]
  const isDate = dateColumns.has(`${table}.${column}`)
  const kind = scale !== undefined ? decimal : isDate ? date : declaredKind(type ?? '')
  return kind?.decode.sqlite?.(Number(scale ?? 0)) ?? null
}

/** `2026-02-03T04:05:06.789Z`, as `Date.toISOString()` writes it. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** A value of `db`'s queries, whose column is not known: stored by its own type. */
export function encodeByType(value: unknown): Parameter {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') return instant.test(value) ? dateTime.encode.sqlite(value) : value
  if (value instanceof Date) return dateTime.encode.sqlite(value.toISOString())
  const isObject = typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
  return isObject ? JSON.stringify(value) : (value as Parameter) // the driver reports all others
}
