import pg from 'pg'
import { parseInstant, parseJson } from '../decode.js'
import type { Codecs, ColumnKind, Decode, Encode } from '../types.js'

const encoders: Partial<Record<ColumnKind, Encode>> = {
  boolean: (value) => (value === true ? 'true' : 'false'),
  json: (value) => JSON.stringify(value),
}

const decoders: Partial<Record<ColumnKind, Decode>> = { dateTime: isoInstant, json: parseJson }

/** Columns are decoded from what `plainTypes` leaves. */
export const codecs: Codecs = {
  encoder: (kind) => encoders[kind] ?? null,
  decoder: (kind) => decoders[kind] ?? null,
}

/** `2026-02-03 04:05:06.78+00`: sessions are in UTC, and PostgreSQL omits zeros at the end. */
function isoInstant(stored: unknown): string {
  if (typeof stored !== 'string' || !stored.endsWith('+00') || stored.charCodeAt(4) !== 45) {
    return parseInstant(stored)
  }
  const fraction = stored.length > 22 ? stored.slice(20, -3).slice(0, 3).padEnd(3, '0') : '000'
  return `${stored.slice(0, 10)}T${stored.slice(11, 19)}.${fraction}Z`
}

const asText = (text: string): unknown => text
const { builtins } = pg.types

/** A key or a count; text where a number would be rounded. */
const asCount = (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : text)

/** Faster than the driver's own: 0.4 of the 14 ms that an `include` of 3,600 records takes. */
const plain = new Map<number, (text: string) => unknown>([
  [builtins.BOOL, (text) => text === 't'],
  [builtins.INT2, Number],
  [builtins.INT4, Number],
  [builtins.INT8, asCount],
  [builtins.OID, Number],
  [builtins.FLOAT4, Number],
  [builtins.FLOAT8, Number],
])

/** Text of a few characters, whatever it says. */
const short = new Set<number>([
  ...[builtins.UUID, builtins.DATE, builtins.TIMESTAMP, builtins.TIMESTAMPTZ],
])

export type ColumnReader = (text: string) => unknown

/**
 * For repositories: numbers and booleans are themselves, everything else is the text sent. Null:
 * text that may be long.
 */
export const readerOf = (type: number): ColumnReader | null =>
  plain.get(type) ?? (short.has(type) ? asText : null)

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, asCount],
  [builtins.TIMESTAMPTZ, isoInstant],
  [builtins.TIMESTAMP, isoInstant],
  // Not a Date: node-pg would make it midnight of this machine's time zone.
  [builtins.DATE, asText],
  [builtins.NUMERIC, asText],
])

/** For `db`: what the row types of app/Models.ts say. */
export const rowTypes = {
  getTypeParser: (oid: number) => parsers.get(oid) ?? pg.types.getTypeParser(oid),
}

/** A value of `db`'s queries. Dates are in UTC; node-pg would use this machine's time zone. */
export function encodeByType(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}
