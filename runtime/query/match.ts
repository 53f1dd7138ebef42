import { boolean } from '../kinds/boolean.js'
import { isDay } from '../kinds/date.js'
import { isStorableInstant } from '../kinds/instant.js'
import type { Column } from '../model/columns.js'
import type { PerName } from '../model/inherited.js'
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
 *   ['open', 'paid']        one of these options, or several separated by commas
 *
 * Several texts are one, with commas between them: `title=a&title=b` is `title=a,b`.
 */
export function readMatch(
  column: Column,
  type: MatchType,
  texts: readonly string[],
  negated: boolean,
): Match {
  const values = texts.filter((text) => text !== 'null')
  const isNull = { [column.field]: { isNull: !negated } }
  if (values.length === 0) return { condition: isNull }
  const match = readValue(column, type, values, negated)
  if (values.length === texts.length || 'problem' in match) return match
  return { condition: combine(negated ? 'all' : 'any', [isNull, match.condition]) }
}

function readValue(
  column: Column,
  type: MatchType,
  texts: readonly string[],
  negated: boolean,
): Match {
  const text = texts.join()
  const test = typeof type === 'string' ? tests[type](column, text) : readOptions(type, texts)
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

const tests: Record<Extract<MatchType, string>, Read> = {
  text: oneOrSeveral,
  integer: oneOrSeveral,
  number: oneOrSeveral,
  partial: (_, text) => ({ containsAnyCase: text }),
  boolean: (column, text) => {
    const value = boolean.fromText(text, column)
    return value === undefined ? boolean.says(column) : { equals: value }
  },
  array: ofValues((values) => ({ in: values })),
  between: ofValues(([from, to, ...more]) =>
    to === undefined || more.length > 0
      ? 'two values separated by a comma'
      : { gte: from, lte: to },
  ),
  datetime: readPeriod,
}

/** An option may have a comma in it. */
function readOptions(options: readonly string[], texts: readonly string[]): object | string {
  const values = texts.flatMap((text) => (options.includes(text) ? [text] : text.split(',')))
  if (!values.every((value) => options.includes(value))) return `one of ${options.join(', ')}`
  return values.length === 1 ? { equals: values[0] } : { in: values }
}

function readPeriod(column: Column, text: string): object | string {
  const texts = text.split(',').map((part) => part.trim())
  const [from, to] = texts
  if (from === undefined || texts.length > 2) return 'a date, or two separated by a comma'
  const values = readValues(column, texts)
  if (typeof values === 'string') return values
  const { isInstant } = column.storage
  const [first, last = first] = values
  const ending = to ?? from
  if (to === undefined && !(isInstant && isDay(from))) return { equals: first }
  if (isInstant && isDay(ending)) return { gte: first, ...before(dayAfter(ending)) }
  return { gte: first, lte: last }
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString()
}

/** Nothing is stored after the year 9999. */
const before = (instant: string): object => (isStorableInstant(instant) ? { lt: instant } : {})

function readValues(column: Column, texts: readonly string[]): unknown[] | string {
  if (texts.length > maxValues) return `at most ${maxValues} values`
  const values = texts.map((text) => column.storage.fromText(text, column))
  return values.includes(undefined) ? column.storage.says(column) : values
}

/** Values of one parameter; a body may name as many ids. */
const maxValues = 1000
