import type { Dialect, Parameter } from '../database/types.js'
import { decimalText } from './decimal.js'

/**
 * How a column is stored, and how its value travels. The middle column is the value everywhere in
 * JavaScript: rows of policies and hooks, conditions, validated input.
 *
 *   kind          value                         SQLite                           PostgreSQL
 *   integer       number                        INTEGER                          integer
 *   float         number                        REAL                             double precision
 *   decimal(p,s)  '12.50', exactly s digits     TEXT                             numeric(p,s)
 *   boolean       true, false                   0, 1                             boolean
 *   text          string                        TEXT                             text
 *   password      string (a hash)               TEXT                             text
 *   uuid          string, lower case            TEXT                             uuid
 *   date          '2026-02-03'                  '2026-02-03T00:00:00.000+00:00'  date
 *   dateTime      '2026-02-03T04:05:06.789Z'    '2026-02-03T04:05:06.789+00:00'  timestamptz(3)
 *   json          parsed                        JSON text                        jsonb
 */
export type ColumnKind =
  | 'integer'
  | 'float'
  | 'decimal'
  | 'boolean'
  | 'text'
  | 'password'
  | 'uuid'
  | 'date'
  | 'dateTime'
  | 'json'

type Declared = Exclude<ColumnKind, 'decimal'> | `decimal(${number},${number})`

/** A kind as repositories write it; with `?` the column may be NULL. */
export type StorageKind = Declared | `${Declared}?`

/** From the driver's value to ours, or null when they are the same. NULL never reaches it. */
export type Decode = ((stored: unknown) => unknown) | null

/** From our value to the driver's. NULL never reaches it. */
export type Encode = (value: unknown) => Parameter

export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  readonly nullable: boolean
  /** Digits in all and after the point; 0 unless decimal. */
  readonly precision: number
  readonly scale: number
  /** The column that holds its text folded, for search and partial matches; null: the database folds. */
  readonly folded: string | null
  readonly decode: Decode
  readonly encode: Encode
}

/** Reads `'decimal(10,2)?'`. */
export function columnOf(
  name: string,
  storage: StorageKind,
  dialect: Dialect,
  folded: string | null = null,
): Column {
  const nullable = storage.endsWith('?')
  const [kindText = '', precision = '0', scale = '0'] = storage.replace('?', '').split(/[(,)]/)
  const kind = kindText as ColumnKind // StorageKind admits no other text before the bracket
  const shape = { name, kind, nullable, precision: Number(precision), scale: Number(scale) }
  return { ...shape, folded, decode: decodeOf(shape, dialect), encode: encodeOf(kind, dialect) }
}

// Rules check what requests give; the types of policies, hooks and defaults check the rest.
const same: Encode = (value) => value as Parameter

const encoders: Record<Dialect, Partial<Record<ColumnKind, Encode>>> = {
  sqlite: {
    boolean: (value) => (value === true ? 1 : 0),
    date: (value) => `${String(value)}T00:00:00.000+00:00`,
    dateTime: (value) => `${String(value).slice(0, 23)}+00:00`,
    json: (value) => JSON.stringify(value),
  },
  postgresql: {
    boolean: (value) => (value === true ? 'true' : 'false'),
    json: (value) => JSON.stringify(value),
  },
}

function encodeOf(kind: ColumnKind, dialect: Dialect): Encode {
  return encoders[dialect][kind] ?? same
}

type Shape = Pick<Column, 'kind' | 'scale'>

function decodeOf({ kind, scale }: Shape, dialect: Dialect): Decode {
  if (kind === 'dateTime') return dialect === 'sqlite' ? sqliteInstant : postgresInstant
  if (kind === 'json') return parsed
  if (dialect === 'postgresql') return null
  if (kind === 'boolean') return (stored) => stored !== 0
  if (kind === 'date') return (stored) => sqliteInstant(stored).slice(0, 10)
  // Rows written by other tools may hold a number.
  if (kind === 'decimal') {
    return (stored) => (typeof stored === 'number' ? stored.toFixed(scale) : stored)
  }
  return null
}

/** SQLite gives a JSON number back as a number: the column has numeric affinity. */
function parsed(stored: unknown): unknown {
  return typeof stored === 'string' ? (JSON.parse(stored) as unknown) : stored
}

function sqliteInstant(stored: unknown): string {
  if (typeof stored === 'string' && stored.length === 29 && stored.endsWith('+00:00')) {
    return `${stored.slice(0, 23)}Z`
  }
  return otherInstant(stored)
}

/** `2026-02-03 04:05:06.78+00`: PostgreSQL leaves zeros at the end out. */
function postgresInstant(stored: unknown): string {
  if (typeof stored !== 'string' || !stored.endsWith('+00') || stored.charCodeAt(4) !== 45) {
    return otherInstant(stored)
  }
  const fraction = stored.length > 22 ? stored.slice(20, -3).slice(0, 3).padEnd(3, '0') : '000'
  return `${stored.slice(0, 10)}T${stored.slice(11, 19)}.${fraction}Z`
}

/** Instants of rows written by other tools: other offsets, milliseconds, no zone (then UTC). */
function otherInstant(stored: unknown): string {
  if (typeof stored !== 'string') return new Date(Number(stored)).toISOString()
  const zoned = /(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(stored.slice(10))
  const text = stored.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
  const instant = new Date(zoned || stored.length === 10 ? text : `${text}Z`)
  return Number.isNaN(instant.getTime()) ? stored : instant.toISOString()
}

/**
 * Our value of what a policy, hook or default gave: a Date becomes its text, decimals get their
 * digits.
 */
export function canonical(column: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null
  switch (column.kind) {
    case 'dateTime':
      return instantText(column, value)
    case 'date':
      return instantText(column, value).slice(0, 10)
    case 'decimal':
      return decimalText(String(value), column) ?? refuse(column, value)
    case 'uuid':
      return String(value).toLowerCase()
    default:
      return value
  }
}

function instantText(column: Column, value: unknown): string {
  const isText = typeof value === 'string'
  if (isText && value.length === 24 && value.endsWith('Z')) return value
  const instant = value instanceof Date ? value : new Date(isText ? value : Number.NaN)
  return Number.isNaN(instant.getTime()) ? refuse(column, value) : instant.toISOString()
}

function refuse(column: Column, value: unknown): never {
  throw new TypeError(`column '${column.name}' is ${column.kind} and cannot hold ${String(value)}`)
}

/** The type of one array parameter on PostgreSQL. */
export const arrayTypes: Record<ColumnKind, string> = {
  integer: 'int4[]',
  float: 'float8[]',
  decimal: 'numeric[]',
  boolean: 'bool[]',
  text: 'text[]',
  password: 'text[]',
  uuid: 'uuid[]',
  date: 'date[]',
  dateTime: 'timestamptz[]',
  json: 'jsonb[]',
}

/** A list as one parameter: JSON text on SQLite, an array on PostgreSQL. */
export function encodeList(encode: Encode, dialect: Dialect): Encode {
  return (values) => {
    // The kernel makes these lists, and encoders give text and numbers.
    const list = (values as readonly unknown[]).map(encode) as (string | number)[]
    return dialect === 'sqlite' ? JSON.stringify(list) : list
  }
}
