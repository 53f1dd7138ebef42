import { notWhiteSpace } from '../../../runtime/kinds/text.js'
import type { Database } from '../../blueprint/types.js'
import { LONGEST_INDEXED } from '../../kinds/index-length.js'
import { type FieldKind, kindOf, kinds } from '../../kinds/kinds.js'
import { literal } from '../../source/literal.js'
import type { FoundColumn } from './catalog.js'

/** A column as a field of the manifest, or why it is left alone. */
export type Decided =
  | { readonly field: string; readonly kind: FieldKind; readonly note?: string }
  | { readonly reason: string }

/** A text that a key holds is a line, as long as all rows are short enough for an index. */
export function asKey(decided: Decided, { values: { longest } }: FoundColumn): Decided {
  if ('reason' in decided || decided.kind !== 'textarea' || decided.note !== undefined)
    return decided
  const length = longest ?? 0
  if (length > LONGEST_INDEXED) return decided
  const call = length <= 255 ? 'text()' : `text().max(${LONGEST_INDEXED})`
  return { field: decided.field.replace('textarea()', call), kind: 'text' }
}

/** Kinds that indexes and unique keys of a manifest take. */
export const isKeyKind = (kind: FieldKind): boolean => kindOf(kind).isIndexable(undefined)

const secret =
  /passw(or)?d|passwd|passphrase|(^|_)pass(_|$)|pwd|secret|salt|token|_hash$|^hash|(api|private)_?key|credential/i
const isSecret = (name: string) => secret.test(name) || /[a-z]Pass(?![a-z])/.test(name)

/** Returns the field of a column. A value that cannot be kept exactly is no field. */
export function fieldOf(column: FoundColumn, database: Database): Decided {
  return isSecret(column.name) ? { reason: 'it looks like a secret' } : storedAs(column, database)
}

/** Returns the kind of a column, whatever its name. */
export function storedAs(column: FoundColumn, database: Database): Decided {
  const { odd } = column.values
  if (odd !== null) return { reason: `it holds ${odd}, which no answer can show` }
  const known = database === 'sqlite' ? sqliteKind(column) : postgresKind(column)
  if ('reason' in known) return known
  const { call, kind, note } = known
  const fallback = defaultOf(column, kind)
  const isFilled = column.isGenerated || fallback === 'generated'
  const field = [
    call,
    column.nullable ? '.nullable()' : '',
    isFilled ? '.generated()' : '',
    fallback === null || isFilled ? '' : `.default(${fallback})`,
    isFilled || !mayBeBlank(column, kind) ? '' : '.allowEmpty()',
  ].join('')
  return note === undefined ? { field, kind } : { field, kind, note }
}

/** A required text refuses blank ones, and what rows hold must go on being taken. */
function mayBeBlank(column: FoundColumn, kind: FieldKind): boolean {
  if (column.nullable || kindOf(kind).group !== 'text') return false
  const word = wordIn(column.default)
  return column.values.hasBlank || (word !== undefined && !notWhiteSpace.test(word))
}

type Known = { readonly call: string; readonly kind: FieldKind; readonly note?: string }
type Found = Known | { readonly reason: string }

const plain = (kind: FieldKind): Known => ({ call: `${kind}()`, kind })

function chosen({ options = [], enumType }: FoundColumn): Found {
  const call = `select([${options.map(literal).join(', ')}])`
  const of = enumType === undefined ? '' : `.enumType(${literal(enumType)})`
  return options.some((each) => each === '')
    ? { reason: 'one of its words is empty' }
    : { call: `${call}${of}`, kind: 'select' }
}

function lineOf(length: string | undefined): Known {
  const most = Number(length)
  return most >= 1 && most <= 10_000
    ? { call: most === 255 ? 'text()' : `text().max(${most})`, kind: 'text' }
    : plain('textarea')
}

/** Returns the kind of a number of more than 32 bits: from its type, or a row. */
const wholeOf = (type: string, { largest }: FoundColumn['values']): Known =>
  /big|int8/.test(type) || (largest !== null && largest > 2_147_483_647)
    ? plain('bigInteger')
    : plain('integer')

function postgresKind(column: FoundColumn): Found {
  const { type, options, enumType } = column
  const [, name = type, size, scale] =
    /^([a-z ]+?)(?:\((\d+)(?:,(\d+))?\))?( with(?:out)? time zone)?$/.exec(type) ?? []
  const isLine = name === 'character varying' || name === 'character' || name === 'text'
  if (enumType !== undefined || (isLine && options !== undefined)) return chosen(column)
  if (isLine || name === 'citext') return lineOf(size)
  if (name === 'numeric' && size !== undefined) {
    return { call: `decimal(${size}, ${scale ?? 0})`, kind: 'decimal' }
  }
  if (name === 'smallint') return { call: 'integer().min(-32768).max(32767)', kind: 'integer' }
  if (name === 'integer' || name === 'bigint') return wholeOf(name, column.values)
  const kind = postgresKinds.get(name)
  return kind === undefined ? { reason: `svc has no field for ${type}` } : plain(kind)
}

const postgresKinds = new Map<string, FieldKind>(
  kinds.flatMap(({ name, existing }) => existing.types.map((type) => [type, name] as const)),
)

/** A column type means nothing in SQLite, so the rows are asked. */
function sqliteKind(column: FoundColumn): Found {
  const { type, options, values } = column
  const { storage } = values
  const holds = (...kinds: readonly string[]) => storage.every((each) => kinds.includes(each))
  const wrong = {
    reason: `its type is ${type === '' ? 'none' : type}, and its rows hold ${storage.join(' and ')}`,
  }
  const [, name = '', size, scale] =
    /^([\w ]*?)\s*(?:\((\d+)(?:\s*,\s*(\d+))?\))?$/.exec(type) ?? []
  if (/bool|^bit$/.test(name))
    return holds('integer') && (values.largest ?? 0) <= 1 ? plain('boolean') : wrong
  if (name.includes('int')) return holds('integer') ? wholeOf(name, values) : wrong
  if (/^(date|datetime|timestamp)/.test(name)) {
    if (!holds('text')) return wrong
    if (values.areInstants) return plain(name === 'date' ? 'date' : 'dateTime')
    return {
      ...plain('textarea'),
      note: `dates as text, such as ${literal(values.example ?? '')}: kept as they are`,
    }
  }
  if (/json/.test(name)) return holds('text') ? plain('json') : wrong
  if (/char|clob|text|string/.test(name)) {
    if (!holds('text')) return wrong
    return options === undefined ? lineOf(size) : chosen(column)
  }
  if (/^(numeric|decimal)/.test(name) && size !== undefined && Number(size) <= 15) {
    return holds('integer', 'real')
      ? { call: `decimal(${size}, ${scale ?? 0})`, kind: 'decimal' }
      : wrong
  }
  if (/real|floa|doub|numeric|decimal|money/.test(name))
    return holds('integer', 'real') ? plain('float') : wrong
  return { reason: `svc has no field for ${type === '' ? 'a column without a type' : type}` }
}

/** The default as the manifest writes it; what only the database can work out is its to fill. */
function defaultOf({ default: text, nullable }: FoundColumn, kind: FieldKind): string | null {
  if (text === null || /^null(::.*)?$/i.test(text)) return null
  const word = wordIn(text)
  const digits = /^\(*'?(-?\d+(?:\.\d+)?)'?\)*(?:::[\w ]+)?$/.exec(text)?.[1]
  const read = kindOf(kind).existing.preset({ sql: text, word, digits })
  // A default of an optional column would be lost to NULL where a request says so: that is what it means.
  return read === "''" && nullable ? null : (read ?? 'generated')
}

/** Returns the text in the quotes of a default. */
const wordIn = (text: string | null): string | undefined =>
  /^\(?'((?:[^']|'')*)'(?:::[\w ."()]+)?\)?$/.exec(text ?? '')?.[1]?.replaceAll("''", "'")
