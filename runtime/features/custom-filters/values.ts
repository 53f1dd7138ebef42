import { dateTime } from '../../kinds/date-time.js'
import { float } from '../../kinds/float.js'
import { noDigits } from '../../kinds/kind.js'
import { searchProblem } from '../../query/parse-query.js'
import type { DeclaredFilter, FilterKind } from './declared.js'

/** A value as filters get it, or a problem, worded to follow `The … parameter`. */
export type Read = { readonly value: unknown } | { readonly problem: string }

const truths = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** @param texts Of one parameter, each once; where it takes several, they may have commas. */
export function readTexts(declared: DeclaredFilter, texts: readonly string[]): Read {
  const [text = '', ...more] = texts
  const { kind, options = [] } = declared
  if (kind === 'multiSelect') {
    return readOptions(
      options,
      texts.flatMap((each) => optionsIn(each, options)),
    )
  }
  if (more.length > 0) return { problem: 'must not be sent more than once' }
  if (kind === 'boolean') return orProblem(declared, truths.get(text))
  if (kind === 'number') return orProblem(declared, float.fromText(text, noDigits))
  return readValue(declared, text)
}

/** A value of JSON. */
export function readValue(declared: DeclaredFilter, value: unknown): Read {
  const { kind, options = [] } = declared
  if (kind === 'multiSelect') {
    return Array.isArray(value) ? readOptions(options, value) : problemOf(declared)
  }
  if (kind === 'boolean' || kind === 'number') {
    const isRight = kind === 'boolean' ? typeof value === 'boolean' : Number.isFinite(value)
    return orProblem(declared, isRight ? value : undefined)
  }
  if (typeof value !== 'string') return problemOf(declared)
  if (kind === 'select')
    return orProblem(
      declared,
      options.find((each) => each === value),
    )
  if (kind === 'timestamp') return orProblem(declared, dateTime.fromText(value, noDigits))
  const problem = searchProblem(value)
  return problem === null ? { value } : { problem }
}

/** An option may have a comma in it: the longest that stands there is meant. */
function optionsIn(text: string, options: readonly string[]): readonly string[] {
  const longestFirst = options.toSorted((one, other) => other.length - one.length)
  const values: string[] = []
  // A list with more items is answered 400 for the rest.
  for (let at = 0; at <= text.length; at += (values.at(-1) ?? '').length + 1) {
    const found = longestFirst.find((option) => isAt(text, at, option))
    if (found === undefined || values.length === mostValues) return [...values, text.slice(at)]
    values.push(found)
  }
  return values
}

const mostValues = 1000

const isAt = (text: string, at: number, option: string): boolean =>
  text.startsWith(option, at) && [undefined, ','].includes(text[at + option.length])

/** Each once. */
function readOptions(options: readonly string[], values: readonly unknown[]): Read {
  const isRight = values.length > 0 && values.every((each) => options.some((one) => one === each))
  return isRight ? { value: [...new Set(values)] } : problemOf({ kind: 'multiSelect', options })
}

const orProblem = (declared: DeclaredFilter, value: unknown): Read =>
  value === undefined ? problemOf(declared) : { value }

const problemOf = ({ kind, options = [] }: DeclaredFilter): Read => ({
  problem: `must be ${says[kind](options)}`,
})

const says: Readonly<Record<FilterKind, (options: readonly string[]) => string>> = {
  boolean: () => 'true or false',
  select: (options) => `one of ${options.join(', ')}`,
  multiSelect: (options) => `one or more of ${options.join(', ')}`,
  timestamp: () => dateTime.says(noDigits),
  number: () => 'a number',
  text: () => 'a text',
}
