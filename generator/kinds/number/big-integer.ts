import {
  bigInteger as stored,
  bigIntegerText,
  compareBigIntegers,
} from '../../../runtime/kinds/big-integer.js'
import { noDigits } from '../../../runtime/kinds/kind.js'
import type { ColumnFacts, Kind, Schema } from '../kind.js'
import { literal, valueOf } from '../literal.js'
import { limits } from '../rule.js'
import { textOrNumber, texts } from '../schema.js'
import { asText } from '../text/text.js'
import { integer, nearOne } from './integer.js'

const read = (written: unknown): string | undefined => asText(stored.fromJson(written, noDigits))

const largest = Number.MAX_SAFE_INTEGER

/** Text keeps every digit; a JSON number is taken as long as it does, which is below 2^53. */
function sent({ nullable, min = -largest, max = largest }: ColumnFacts): Schema {
  const pattern = min >= 0 ? '^\\+?\\d{1,19}$' : '^[+-]?\\d{1,19}$'
  return textOrNumber(pattern, { type: 'integer', minimum: min, maximum: max }, nullable)
}

/** The ends of 32, 53 and 64 bits, and the bounds. */
const usual = [
  '-9223372036854775808',
  '-9007199254740993',
  '-1',
  '0',
  '2147483648',
  '9007199254740993',
  '9223372036854775807',
]

function edges({ min, max }: ColumnFacts): readonly string[] {
  const bounds = [min, max].flatMap((bound) => bigIntegerText(String(bound)) ?? [])
  const [low, high] = [min ?? -Infinity, max ?? Infinity]
  return [...new Set([...usual, ...bounds])]
    .filter((edge) => low <= Number(edge) && Number(edge) <= high)
    .toSorted(compareBigIntegers)
    .map(valueOf)
}

/** `bigInteger({ min: 0 })`. */
function given(column: ColumnFacts): string {
  const bounds = limits(column).map(([name, value]) => `${name}: ${value}`)
  return bounds.length === 0 ? '()' : `({ ${bounds.join(', ')} })`
}

/** A record's id in a body: text, as answers show it, or a number that is exact. */
const reference = (isNullable: boolean): Schema =>
  textOrNumber(
    '^(0|-?[1-9]\\d{0,18})$',
    { type: 'integer', minimum: -largest, maximum: largest },
    isNullable,
  )

export const bigInteger: Kind<'bigInteger', 'bigInteger'> = {
  name: 'bigInteger',
  storage: 'bigInteger',
  group: 'bigInteger',
  takes: null,
  isText: false,
  isSortable: true,
  match: ['integer', 'number', 'text', 'between', 'array'],
  bound: {
    says: 'a whole number below 2^53',
    holds: (value) => Number.isSafeInteger(value),
  },
  usualMax: null,
  longest: null,
  isIndexable: () => true,
  preset: {
    says: 'a whole number of 64 bits, in a text where it is above 2^53',
    example: ".default('0')",
    read,
  },
  typescript: 'string',
  graphql: 'String',
  isList: false,
  isSwitch: false,
  isDate: false,
  client: 'string | number',
  prisma: {
    type: 'BigInt',
    native: null,
    preset: (value) => ({ bare: String(value) }),
  },
  key: {
    word: 'bigint',
    prisma: '@default(autoincrement())',
    shown: { pattern: '^(0|-?[1-9]\\d{0,18})$' },
    reference,
    made: null,
    sample: '1',
    morph: {
      isOne: /^BigInt\b/,
      cast: (value) =>
        `(CASE WHEN ${value} ~ '^(0|-?[1-9][0-9]{0,18})$' THEN CASE WHEN ${value}::numeric BETWEEN -9223372036854775808 AND 9223372036854775807 THEN ${value}::bigint END END)`,
    },
  },
  rule: { name: 'bigInteger', file: 'big-integer-rule', given },
  document: {
    shown: (column) => ({ ...texts(column), pattern: '^-?\\d{1,19}$' }),
    sent,
    parameter: () => ({
      name: 'bigInteger',
      schema: { type: 'string', pattern: '^[+-]?\\d{1,19}$' },
    }),
  },
  existing: {
    types: [],
    preset: ({ digits }) =>
      digits === undefined || bigIntegerText(digits) === undefined ? undefined : literal(digits),
  },
  told: null,
  sample: (column) => String(nearOne(column)),
  row: null,
  varied: (column) => `String(${integer.varied?.(column) ?? nearOne(column)})`,
  edges: { usual: { name: 'bigIntegers', values: usual }, of: edges },
  seed: ({ min = 0 }) => `${Math.max(0, min)}n`,
}
