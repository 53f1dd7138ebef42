import type { ColumnDefinition } from 'better-sqlite3'
import { parseInstant, parseJson } from '../decode.js'
import type { Codecs, ColumnKind, Decode, Encode, Parameter } from '../types.js'

/** Text compares right only when every writer uses one form, and Prisma's ends in `+00:00`. */
const storedInstant = (iso: string): string => `${iso.slice(0, 23)}+00:00`

const encoders: Partial<Record<ColumnKind, Encode>> = {
  boolean: (value) => (value === true ? 1 : 0),
  date: (value) => `${String(value)}T00:00:00.000+00:00`,
  dateTime: (value) => storedInstant(String(value)),
  decimal: Number,
  json: (value) => JSON.stringify(value),
}

const decoders: Partial<Record<ColumnKind, Decode>> = {
  boolean: (stored) => stored !== 0,
  date: (stored) => isoInstant(stored).slice(0, 10),
  dateTime: isoInstant,
  // A JSON number comes back as a number: the column has numeric affinity.
  json: parseJson,
}

export const codecs: Codecs = {
  encoder: (kind) => encoders[kind] ?? null,
  decoder: (kind, scale) => (kind === 'decimal' ? decimalDecoder(scale) : (decoders[kind] ?? null)),
}

function isoInstant(stored: unknown): string {
  if (typeof stored === 'string' && stored.length === 29 && stored.endsWith('+00:00')) {
    return `${stored.slice(0, 23)}Z`
  }
  return parseInstant(stored)
}

/** A number: of 15 digits, no two are the same to SQLite. A CHECK of the table refuses others. */
const decimalDecoder =
  (scale: number): Decode =>
  (stored) =>
    Number(stored).toFixed(scale)

const declaredKinds: Readonly<Record<string, ColumnKind>> = {
  BOOLEAN: 'boolean',
  DATETIME: 'dateTime',
  TIMESTAMP: 'dateTime',
  DATE: 'date',
  JSONB: 'json',
  JSON: 'json',
}

/** The decoder of a column of `db`'s results, by the type its table declares. */
export function declaredDecoder(
  { table, column, type }: ColumnDefinition,
  dateColumns: ReadonlySet<string>,
): Decode | null {
  const scale = /^DECIMAL\(\d+, ?(\d+)\)$/i.exec(type ?? '')?.[1]
  if (scale !== undefined) return decimalDecoder(Number(scale))
  const isDate = dateColumns.has(`${table}.${column}`)
  const kind = isDate ? 'date' : declaredKinds[type?.toUpperCase() ?? '']
  return kind === undefined ? null : codecs.decoder(kind, 0)
}

/** `2026-02-03T04:05:06.789Z`, as `Date.toISOString()` writes it. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** A value of `db`'s queries, whose column is not known: stored by its own type. */
export function encodeByType(value: unknown): Parameter {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') return instant.test(value) ? storedInstant(value) : value
  if (value instanceof Date) return storedInstant(value.toISOString())
  const isObject = typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
  return isObject ? JSON.stringify(value) : (value as Parameter) // the driver reports all others
}
