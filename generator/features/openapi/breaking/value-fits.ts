import type { Json } from '../../../blueprint/types.js'
import { atMost, type Flat } from './flat.js'
import { concerns, isMultiple, isVoid, numberIn, typesOf } from './kinds.js'

/** Two schemas of one place: all that `given` allows must be allowed by `taken`. */
export interface Pair {
  /**
   * True for requests: the old schema is given, and the new one takes. For answers it is the other
   * way about.
   */
  readonly isInput: boolean
  readonly given: Flat
  readonly taken: Flat
}

/** Two things of a pair, the one of the old document first. */
export const inTime = <Of>(isInput: boolean, given: Of, taken: Of): readonly [old: Of, now: Of] =>
  isInput ? [given, taken] : [taken, given]

/** Ways in which a value that `given` allows is none of `taken`, but for what objects and lists hold. */
export const valueMisfits = (pair: Pair): readonly string[] => [
  ...(pair.taken.values === null ? typeMisfits(pair) : optionMisfits(pair, pair.taken.values)),
  ...boundMisfits(pair),
  ...ruleMisfits(pair),
]

function optionMisfits({ isInput, given }: Pair, taken: readonly Json[]): readonly string[] {
  if (given.values === null) return [changed(isInput, 'it', null, [...taken])]
  const allowed = new Set(taken.map((value) => JSON.stringify(value)))
  return without(
    isInput,
    given.values.map((value) => JSON.stringify(value)).filter((value) => !allowed.has(value)),
  )
}

function typeMisfits({ isInput, given, taken }: Pair): readonly string[] {
  const missing = typesOf(given).filter((type) => taken.types !== null && !taken.types.has(type))
  // An integer is a number.
  return without(
    isInput,
    missing.filter((type) => type !== 'integer' || !missing.includes('number')),
  )
}

function without(isInput: boolean, strange: readonly string[]): readonly string[] {
  const list = strange.join(', ')
  if (list === '') return []
  return [isInput ? `no longer takes ${list}` : `answers ${list}, too`]
}

function boundMisfits({ isInput, given, taken }: Pair): readonly string[] {
  if (given.values !== null) return []
  return [...taken.bounds].flatMap(([key, bound]) => {
    const before = given.bounds.get(key)
    const fits = before !== undefined && (atMost.includes(key) ? before <= bound : before >= bound)
    if (fits || isVoid(key, bound) || !concerns(key, given)) return []
    return [changed(isInput, key, before, bound)]
  })
}

/** A rule with another text may allow less, or other values. */
function ruleMisfits({ isInput, given, taken }: Pair): readonly string[] {
  if (given.values !== null) return []
  return [...taken.rules].flatMap(([rule, key]) => {
    if (!concerns(key, given) || given.rules.has(rule)) return []
    const alike = [...given.rules].flatMap(([each, name]) => (name === key ? [each] : []))
    const isFiner = alike.some((each) => isMultiple(numberIn(each), numberIn(rule)))
    if (key === 'multipleOf' && isFiner) return []
    const [old, now] = inTime(isInput, alike, [rule]).map((rules) => textOf(rules, key))
    return [`${isInput ? 'may take less' : 'may answer more'}: ${key} was ${old}, is ${now}`]
  })
}

const textOf = (rules: readonly string[], key: string) =>
  rules.map((rule) => rule.slice(key.length + 1)).join(', ') || 'none'

function changed(
  isInput: boolean,
  what: string,
  given: Json | undefined,
  taken: Json | undefined,
): string {
  const [old, now] = inTime(isInput, given, taken).map(shown)
  return `${isInput ? 'takes less' : 'answers more'}: ${what} was ${old}, is ${now}`
}

const shown = (value: Json | undefined) =>
  value === undefined ? 'none' : value === null ? 'anything' : JSON.stringify(value)
