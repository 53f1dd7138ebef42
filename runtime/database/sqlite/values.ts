import type { ColumnDefinition } from 'better-sqlite3'

/** From what SQLite stores to what the row types of app/Models.ts say. Never given null. */
export type Decode = (stored: unknown) => unknown

/** `2026-02-03T04:05:06.789Z`, as `Date.toISOString()` writes it. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const asBoolean: Decode = (stored) => stored === 1 || stored === '1'
const asInstant: Decode = (stored) => {
  if (typeof stored === 'number') return new Date(stored).toISOString()
  const text = String(stored)
  // A column default (CURRENT_TIMESTAMP) is `2026-02-03 04:05:06`, in UTC without saying so.
  return new Date(text.includes('T') ? text : `${text}Z`).toISOString()
}
const asDate: Decode = (stored) => String(stored).slice(0, 10)
/** Numbers come back as numbers: the column's affinity is numeric. */
const asJson: Decode = (stored) => (typeof stored === 'string' ? JSON.parse(stored) : stored)

const byType: Readonly<Record<string, Decode>> = {
  BOOLEAN: asBoolean,
  DATETIME: asInstant,
  TIMESTAMP: asInstant,
  DATE: asDate,
  JSONB: asJson,
  JSON: asJson,
}

/**
 * One decoder per column of a result, by the type its table declares; null leaves the value as it
 * is.
 */
export function decoders(
  columns: readonly ColumnDefinition[],
  dates: ReadonlySet<string>,
): (Decode | null)[] {
  return columns.map((column) => {
    if (dates.has(`${column.table}.${column.column}`)) return asDate
    return byType[column.type?.toUpperCase() ?? ''] ?? null
  })
}

/**
 * Values of your own queries, as Prisma and the kernel store them: dates (also as exact ISO text)
 * end in `+00:00`, booleans are 0 and 1, objects and arrays are JSON text.
 */
export function encode(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') return instant.test(value) ? storedInstant(value) : value
  if (value instanceof Date) return storedInstant(value.toISOString())
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  return JSON.stringify(value)
}

/** Text compares right only when every writer uses one form, and Prisma's ends in `+00:00`. */
const storedInstant = (iso: string) => iso.replace('Z', '+00:00')
