import type { FieldDefinition } from '../manifest/field.js'
import { isInt32 } from './bounds.js'
import { FIELD_KINDS, isFieldKind, type Storage } from './field-kinds.js'
import type { Place } from './problems.js'
import { isRecord, nearestWord, show } from './shapes.js'
import type { Json } from './types.js'

/** The default in the form the server stores, or undefined: none, or a wrong one, which is reported. */
export function checkDefault(definition: FieldDefinition, place: Place): Json | undefined {
  const written = definition.default
  if (written === undefined) return undefined
  const read = readValue(definition, written)
  if (read === undefined) return reportWrong(definition, place)
  const wish = outside(definition, read)
  if (wish === null) return definition.kind === 'decimal' ? withScale(read, definition) : read
  place.report({
    rule: 'default-outside',
    at: [...place.at, 'default'],
    message: `${place.what} has the default ${show(written)}, and ${wish.says}`,
    fix: wish.fix,
  })
  return undefined
}

function reportWrong(
  { kind, ...definition }: FieldDefinition,
  { at, what, report }: Place,
): undefined {
  const written = definition.default
  const isNull = written === null
  report({
    rule: 'wrong-default',
    at: [...at, 'default'],
    message: `${what} has the default ${show(written)}, and ${kind}() takes ${takes({ kind, ...definition })}`,
    fix: isNull
      ? '.nullable(), which is null unless a record says'
      : example({ kind, ...definition }),
  })
  return undefined
}

interface Reader {
  readonly says: string
  readonly example: string
  /** The stored form, or undefined when it is not such a value. */
  readonly read: (written: unknown) => Json | undefined
}

const text: Reader = {
  says: 'a text without NUL',
  example: ".default('…')",
  read: (written) => (isPlainText(written) ? written : undefined),
}

const READERS: Readonly<Record<Storage, Reader>> = {
  text,
  password: { ...text, says: 'no default', read: () => undefined },
  integer: {
    says: 'a whole number of 32 bits',
    example: '.default(0)',
    read: (written) => (typeof written === 'number' && isInt32(written) ? written : undefined),
  },
  float: {
    says: 'a number',
    example: '.default(0.5)',
    read: (written) =>
      typeof written === 'number' && Number.isFinite(written) ? written : undefined,
  },
  decimal: {
    says: 'a number in a text',
    example: ".default('9.90')",
    read: (written) => (typeof written === 'string' && DIGITS.test(written) ? written : undefined),
  },
  boolean: {
    says: 'true or false',
    example: '.default(false)',
    read: (written) => (typeof written === 'boolean' ? written : undefined),
  },
  uuid: {
    says: 'a UUID',
    example: ".default('0190a8e5-7c1e-7000-8000-000000000000')",
    read: (written) =>
      typeof written === 'string' && UUID.test(written) ? written.toLowerCase() : undefined,
  },
  date: {
    says: "a day as 'YYYY-MM-DD'",
    example: ".default('2026-02-03')",
    read: (written) => (typeof written === 'string' && isDay(written) ? written : undefined),
  },
  dateTime: {
    says: "an instant with its zone, as '2026-02-03T04:05:06Z'",
    example: ".default('2026-02-03T04:05:06Z')",
    read: (written) =>
      typeof written === 'string' && INSTANT.test(written) && isDay(written.slice(0, 10))
        ? instant(written)
        : undefined,
  },
  json: {
    says: 'JSON',
    example: '.default({})',
    read: (written) => (isJson(written, 0) ? written : undefined),
  },
}

const MULTI_SELECT: Reader = {
  says: 'a list of its options, each once',
  example: '.default([])',
  read: (written) =>
    Array.isArray(written) && new Set(written).size === written.length && isJson(written, 0)
      ? written
      : undefined,
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const DIGITS = /^-?(0|[1-9]\d*)(\.\d+)?$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/

const EMAIL: Reader = {
  says: 'an e-mail address',
  example: ".default('nobody@example.com')",
  read: (written) => (isPlainText(written) && /^\S+@\S+\.\S+$/.test(written) ? written : undefined),
}

function readerOf(kind: string): Reader {
  if (kind === 'multiSelect') return MULTI_SELECT
  if (kind === 'email') return EMAIL
  return isFieldKind(kind) ? READERS[FIELD_KINDS[kind].storage] : text
}

const readValue = ({ kind }: FieldDefinition, written: unknown) => readerOf(kind).read(written)
const takes = ({ kind }: FieldDefinition) => readerOf(kind).says
const example = ({ kind }: FieldDefinition) => readerOf(kind).example

/** Decimals are texts with exactly `scale` digits behind the point. */
function withScale(value: Json, { scale = 0 }: FieldDefinition): string {
  const [whole = '', behind = ''] = String(value).split('.')
  return scale === 0 ? whole : `${whole}.${behind.padEnd(scale, '0')}`
}

interface Wish {
  readonly says: string
  readonly fix: string
}

/** What the default breaks, or null. */
function outside(definition: FieldDefinition, value: Json): Wish | null {
  const { kind, options = [], min, max } = definition
  const words = Array.isArray(value) ? value : [value]
  const isChoice = kind === 'select' || kind === 'multiSelect'
  if (isChoice && !words.every((word) => options.some((option) => option === word))) {
    // What is wrong with the options is said of them.
    if (options.length === 0) return null
    const first = kind === 'select' ? show(options[0]) : show(options.slice(0, 1))
    const fix = `.default(${nearestWord(value, options) ?? first})`
    return { says: `the options are ${show(options)}`, fix }
  }
  if (kind === 'decimal' && !fitsDigits(definition, String(value))) {
    const { precision, scale } = definition
    return {
      says: `it is decimal(${precision}, ${scale})`,
      fix: 'a smaller default, or more digits',
    }
  }
  const size = sizeOf(kind, value)
  if (min !== undefined && size < min) return outOfBound('min', min, size)
  return max !== undefined && size > max ? outOfBound('max', max, size) : null
}

const outOfBound = (name: string, bound: number, size: number): Wish => ({
  says: `.${name}(${bound}) does not allow it`,
  fix: `another default, or .${name}(${size})`,
})

function fitsDigits({ precision = 0, scale = 0 }: FieldDefinition, value: string): boolean {
  const [whole = '', behind = ''] = value.replace('-', '').split('.')
  const digits = whole === '0' ? 0 : whole.length
  return digits <= precision - scale && behind.length <= scale
}

function sizeOf(kind: string, value: Json): number {
  if (kind === 'decimal') return Number(value)
  if (typeof value === 'number') return value
  if (typeof value === 'string') return value.length
  return Array.isArray(value) ? value.length : 0
}

function instant(written: string): string | undefined {
  const time = Date.parse(written)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

/** The calendar has this day: `Date` turns February 30 into March 2. */
const isDay = (written: string) =>
  DAY.test(written) && instant(written)?.startsWith(written) === true

/** PostgreSQL stores no NUL, and UTF-8 has no lone surrogate. */
const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && !/\0|\p{Surrogate}/u.test(value)

function isJson(value: unknown, depth: number): value is Json {
  if (depth > 100) return false
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string') return isPlainText(value)
  if (Array.isArray(value)) return value.every((part) => isJson(part, depth + 1))
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.entries(value).every(([key, part]) => isPlainText(key) && isJson(part, depth + 1))
}
