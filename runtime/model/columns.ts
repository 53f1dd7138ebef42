import type { Decode, Dialect, Digits, Encode, StoredKind } from '../kinds/kind.js'
import { type KindName, storedKind } from '../kinds/kinds.js'

type Declared = Exclude<KindName, 'decimal'> | `decimal(${number},${number})`

/** A kind as repositories write it; with `?` the column may be NULL. */
export type StorageKind = Declared | `${Declared}?`

export interface Column extends Digits {
  /** In the database. */
  readonly name: string
  /** In rows, conditions, hooks and requests. */
  readonly field: string
  readonly kind: KindName
  readonly storage: StoredKind
  readonly nullable: boolean
  /** PostgreSQL's type, where it is an enum: then it is compared as text. */
  readonly enumType: string | null
  /** Null: the driver's value is ours. */
  readonly decode: Decode | null
  readonly encode: Encode
}

/** Reads `'decimal(10,2)?'` of a column in this database. */
export function columnOf(
  field: string,
  written: StorageKind,
  { dialect }: { readonly dialect: Dialect },
  { name = field, enumType = null }: Partial<Column> = {},
): Column {
  const nullable = written.endsWith('?')
  const [kindText = '', digits = '0', fraction = '0'] = written.replace('?', '').split(/[(,)]/)
  const kind = kindText as KindName // StorageKind admits no other text before the bracket
  const storage = storedKind(kind)
  const [precision, scale] = [Number(digits), Number(fraction)]
  return {
    name,
    field,
    kind,
    storage,
    nullable,
    precision,
    scale,
    enumType,
    decode: storage.decode[dialect]?.(scale) ?? null,
    encode: storage.encode[dialect],
  }
}

/** Our value of what code gave: a Date becomes its text, decimals get their digits. */
export function canonical(column: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null
  const held = column.storage.fromCode(value, column)
  if (held !== undefined) return held
  const { field, kind } = column
  throw new TypeError(`column '${field}' is ${kind} and cannot hold ${String(value)}`)
}

/** A list as one parameter: JSON text on SQLite, an array on PostgreSQL. */
export function encodeList(encode: Encode, dialect: Dialect): Encode {
  return (values) => {
    // The runtime makes these lists, and encoders give text and numbers.
    const list = (values as readonly unknown[]).map(encode) as (string | number)[]
    return dialect === 'sqlite' ? jsonList(list) : list
  }
}

/** JSON has all digits of a whole number, `JSON.stringify` has none of a BigInt. */
const jsonList = (list: readonly (string | number | bigint)[]): string =>
  typeof list[0] === 'bigint' ? `[${list.join()}]` : JSON.stringify(list)
