import type { Codecs, ColumnKind, Decode, Dialect, Encode, Parameter } from '../database/types.js'
import { decimalText } from './decimal.js'

export type { ColumnKind, Encode }

type Declared = Exclude<ColumnKind, 'decimal'> | `decimal(${number},${number})`

/** A kind as repositories write it; with `?` the column may be NULL. */
export type StorageKind = Declared | `${Declared}?`

export interface Column {
  /** In the database. */
  readonly name: string
  /** In rows, conditions, hooks and requests. */
  readonly field: string
  readonly kind: ColumnKind
  readonly nullable: boolean
  /** Digits in all and after the point; 0 unless decimal. */
  readonly precision: number
  readonly scale: number
  /** The column with its text folded, for search and partial matches; null: the database folds. */
  readonly folded: string | null
  /** PostgreSQL's type, where it is an enum: then it is compared as text. */
  readonly enumType: string | null
  /** Null: the driver's value is ours. */
  readonly decode: Decode | null
  readonly encode: Encode
}

/** Reads `'decimal(10,2)?'`; the database or a connection of it gives the codecs. */
export function columnOf(
  field: string,
  storage: StorageKind,
  { codecs }: { readonly codecs: Codecs },
  { name = field, folded = null, enumType = null }: Partial<Column> = {},
): Column {
  const nullable = storage.endsWith('?')
  const [kindText = '', digits = '0', fraction = '0'] = storage.replace('?', '').split(/[(,)]/)
  const kind = kindText as ColumnKind // StorageKind admits no other text before the bracket
  const [precision, scale] = [Number(digits), Number(fraction)]
  const decode = codecs.decoder(kind, scale)
  const encode = codecs.encoder(kind) ?? same
  return { name, field, kind, nullable, precision, scale, folded, enumType, decode, encode }
}

// Rules check what requests give; the types of policies, hooks and defaults check the rest.
const same: Encode = (value) => value as Parameter

/** Our value of what code gave: a Date becomes its text, decimals get their digits. */
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
  throw new TypeError(`column '${column.field}' is ${column.kind} and cannot hold ${String(value)}`)
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
    // The runtime makes these lists, and encoders give text and numbers.
    const list = (values as readonly unknown[]).map(encode) as (string | number)[]
    return dialect === 'sqlite' ? JSON.stringify(list) : list
  }
}
