import { decimalText } from '../../../runtime/kinds/decimal.js'
import type { ColumnFacts, Kind, Schema } from '../kind.js'
import { literal, valueOf } from '../literal.js'
import { limits } from '../rule.js'
import { textOrNumber, texts } from '../schema.js'
import { anyNumber } from './float.js'
import { nearOne } from './integer.js'

/** A decimal of any digits, as it is written. */
const read = (written: unknown): string | undefined =>
  typeof written === 'string' &&
  decimalText(written, { precision: 2000, scale: 1000 }) !== undefined
    ? written
    : undefined

/** The pattern of a decimal: as it is shown, or as it may be sent, with zeros that mean nothing. */
function digitsOf({ precision = 0, scale = 0 }: ColumnFacts, isSent: boolean): string {
  const whole = precision - scale
  if (!isSent) return `-?\\d{1,${Math.max(whole, 1)}}${scale === 0 ? '' : `\\.\\d{${scale}}`}`
  const before = whole > 0 ? `0*\\d{1,${whole}}` : '0+'
  return `${before}(\\.${scale > 0 ? `\\d{0,${scale}}` : ''}0*)?`
}

/** Text keeps every digit; a JSON number is taken as long as it does, which is up to 15 of them. */
function sent(column: ColumnFacts): Schema {
  const { min, max, nullable, precision = 0, scale = 0 } = column
  const sign = min !== undefined && min >= 0 ? '\\+?' : '[+-]?'
  const digits = Math.min(precision, 15)
  const most = Number(`${'9'.repeat(digits)}e-${scale}`)
  const number = {
    type: 'number',
    multipleOf: Number(`1e-${scale}`),
    minimum: Math.max(min ?? -most, -most),
    maximum: Math.min(max ?? most, most),
  }
  return textOrNumber(`^${sign}${digitsOf(column, true)}$`, number, nullable)
}

function parameter({ precision = 0, scale = 0 }: ColumnFacts) {
  const whole = precision - scale
  const pattern = `^-?${whole > 0 ? `\\d{1,${whole}}` : '0'}${scale > 0 ? `(\\.\\d{1,${scale}})?` : ''}$`
  return { name: `decimal.${precision}.${scale}`, schema: { type: 'string', pattern } }
}

/** `decimal(10, 2, { min: 0 })`. */
function given(column: ColumnFacts): string {
  const bounds = limits(column).map(([name, value]) => `${name}: ${value}`)
  const size = `${column.precision}, ${column.scale}`
  return bounds.length === 0 ? `(${size})` : `(${size}, { ${bounds.join(', ')} })`
}

/** Every digit used, the smallest step to both sides of zero, and the bounds. */
function edges({ precision = 0, scale = 0, min, max }: ColumnFacts): readonly string[] {
  const largest = withPoint('9'.repeat(precision), scale)
  const step = withPoint('1'.padStart(scale + 1, '0'), scale)
  const zero = withPoint('0'.repeat(scale + 1), scale)
  const bounds = [min, max].flatMap((bound) => atScale(bound, scale))
  const all = [`-${largest}`, `-${step}`, zero, step, largest, ...bounds]
  const [low, high] = [min ?? -Infinity, max ?? Infinity]
  return all
    .filter((edge) => low <= Number(edge) && Number(edge) <= high)
    .filter((edge) => Math.abs(Number(edge)) <= Number(largest))
    .toSorted((a, b) => Number(a) - Number(b))
    .map(valueOf)
}

/** A bound as the column holds it; none where it does not. */
function atScale(bound: number | undefined, scale: number): readonly string[] {
  const text =
    bound === undefined ? undefined : decimalText(String(bound), { precision: 2000, scale })
  return text === undefined ? [] : [text]
}

function withPoint(digits: string, scale: number): string {
  const whole = digits.slice(0, digits.length - scale)
  return scale === 0 ? digits : `${whole === '' ? '0' : whole}.${digits.slice(-scale)}`
}

export const decimal: Kind<'decimal', 'decimal'> = {
  name: 'decimal',
  storage: 'decimal',
  group: 'decimal',
  takes: 'digits',
  isText: false,
  isSortable: true,
  match: ['number', 'between', 'array'],
  bound: anyNumber,
  usualMax: null,
  longest: null,
  isIndexable: () => true,
  preset: { says: 'a number in a text', example: ".default('9.90')", read },
  typescript: 'string',
  graphql: 'Float',
  isList: false,
  isSwitch: false,
  isDate: false,
  client: 'string | number',
  prisma: {
    type: 'Decimal',
    native: null,
    preset: (value, { precision = 65, scale = 2 }) => ({
      bare: decimalText(String(value), { precision, scale }) ?? String(value),
    }),
  },
  key: null,
  rule: { name: 'decimal', file: 'decimal-rule', given },
  document: {
    shown: (column) => ({ ...texts(column), pattern: `^${digitsOf(column, false)}$` }),
    sent,
    parameter,
  },
  existing: {
    types: [],
    preset: ({ digits }) => (digits === undefined ? undefined : literal(digits)),
  },
  told: null,
  sample: (column) => nearOne(column).toFixed(column.scale ?? 0),
  row: null,
  varied: ({ min = 0, max = Infinity }) => `String(randomInt(${min}, ${Math.min(max, 1e9)}))`,
  edges: { usual: null, of: edges },
  seed: ({ min = 0, scale = 2 }) => `'${Math.max(0, min).toFixed(scale)}'`,
}
