import type { Column } from '../model/columns.js'
import { decimalText } from '../model/decimal.js'
import { isUuid } from '../model/ids.js'
import type { PerName } from '../model/inherited.js'
import { isStorableInstant, readInstant } from '../model/instant.js'
import type { Match, Matching, MatchType } from '../model/matching.js'
import { combine } from '../policy/condition.js'

/**
 * For a repository: columns that clients filter by.
 * @example match: matching({ title: 'text', published_at: 'datetime' })
 */
export const matching = <Name extends string>(types: PerName<Name, MatchType>): Matching<Name> => ({
  types,
  read: readMatch,
})

/**
 * `null` matches NULL for every type. Otherwise:
 *
 *   text, integer, number   a value, or several separated by commas
 *   partial                 text anywhere inside, folding case
 *   boolean                 true, false, 1, 0; false matches NULL too
 *   datetime                a date (that UTC day), an instant, or two of them: from, to
 *   between                 two values, both included
 *   array                   several values separated by commas
 */
function readMatch(column: Column, type: MatchType, text: string, negated: boolean): Match {
  if (text === 'null') return accept(column, { isNull: !negated })
  const test = tests[type](column, text)
  if (typeof test === 'string') return { problem: test }
  const condition = { [column.field]: test }
  if (type === 'boolean' && text !== 'true' && text !== '1') return readFalse(column, negated)
  return { condition: negated ? combine('not', [condition]) : condition }
}

function accept(column: Column, test: object): Match {
  return { condition: { [column.field]: test } }
}

/** A boolean that was never set is not true: false finds it, and not false leaves it out. */
function readFalse(column: Column, negated: boolean): Match {
  if (negated) return accept(column, { equals: true })
  return {
    condition: combine('any', [{ [column.field]: false }, { [column.field]: { isNull: true } }]),
  }
}

/** A column test, or what is wrong in words that follow "must be". */
type Read = (column: Column, text: string) => object | string

/** A test of the values that stand between commas. */
const ofValues =
  (testOf: (values: readonly unknown[]) => object | string): Read =>
  (column, text) => {
    const values = readValues(column, text.split(','))
    return typeof values === 'string' ? values : testOf(values)
  }

const oneOrSeveral = ofValues((values) =>
  values.length === 1 ? { equals: values[0] } : { in: values },
)

const tests: Record<MatchType, Read> = {
  text: oneOrSeveral,
  integer: oneOrSeveral,
  number: oneOrSeveral,
  partial: (_, text) => ({ folded: text }),
  boolean: (column, text) => {
    const value = readValue(Object.assign({}, column, { kind: 'boolean' as const }), text)
    return value === undefined ? expected.boolean : { equals: value }
  },
  array: ofValues((values) => ({ in: values })),
  between: ofValues(([from, to, ...more]) =>
    to === undefined || more.length > 0
      ? 'two values separated by a comma'
      : { gte: from, lte: to },
  ),
  datetime: readPeriod,
}

function readPeriod(column: Column, text: string): object | string {
  const texts = text.split(',').map((part) => part.trim())
  const [from, to] = texts
  if (from === undefined || texts.length > 2) return 'a date, or two separated by a comma'
  const values = readValues(column, texts)
  if (typeof values === 'string') return values
  const isInstant = column.kind === 'dateTime'
  const [first, last = first] = values
  const ending = to ?? from
  if (to === undefined && !(isInstant && isDay(from))) return { equals: first }
  if (isInstant && isDay(ending)) return { gte: first, ...before(dayAfter(ending)) }
  return { gte: first, lte: last }
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString()
}

/** Nothing is stored after the year 9999. */
const before = (instant: string): object => (isStorableInstant(instant) ? { lt: instant } : {})

function readValues(column: Column, texts: readonly string[]): unknown[] | string {
  if (texts.length > maxValues) return `at most ${maxValues} values`
  const values = texts.map((text) => readValue(column, text))
  return values.includes(undefined) ? expected[column.kind] : values
}

/** Values of one parameter; a body may name as many ids. */
const maxValues = 1000

const expected: Record<Column['kind'], string> = {
  integer: 'an integer',
  float: 'a number',
  decimal: 'a decimal that fits the column',
  boolean: 'true or false',
  text: 'text',
  password: 'text',
  uuid: 'a UUID',
  date: 'a date such as 2026-02-03',
  dateTime: 'a date or a time such as 2026-02-03T04:05:06Z',
  json: 'null',
}

const maxInteger = 2_147_483_647

/** The value a text stands for in a column, or undefined. */
function readValue(column: Column, text: string): unknown {
  switch (column.kind) {
    case 'integer': {
      const value = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : Number.NaN
      return value >= -maxInteger - 1 && value <= maxInteger ? value : undefined
    }
    case 'float':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? finite(text) : undefined
    case 'decimal':
      return decimalText(text, column) ?? undefined
    case 'boolean':
      if (text === 'true' || text === '1') return true
      return text === 'false' || text === '0' ? false : undefined
    case 'uuid':
      return isUuid(text) ? text.toLowerCase() : undefined
    case 'date':
      return readInstant(text)?.slice(0, 10)
    case 'dateTime':
      return readInstant(text)
    case 'json':
      return undefined
    default:
      return text
  }
}

function finite(text: string): number | undefined {
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}
