import { isRecord } from '../../model/get-own.js'
import { badParameter, saysNothing } from '../../query/query.js'

/** Conditions that hold together, or of which any does; or what does not hold; or tests of one name. */
export type Tree =
  | { readonly is: 'all' | 'any'; readonly parts: readonly Tree[] }
  | { readonly is: 'not'; readonly part: Tree }
  | Leaf

/** One member of a tree, read: `price: { gte: 5 }`, or `seller: { name: { not: 'Ada' } }`. */
export interface Leaf {
  readonly is: 'leaf'
  /** The place of the leaf: `where.any.0.price`. */
  readonly path: string
  readonly name: string
  /** A value or a list, and no words. */
  readonly isPlain: boolean
  readonly tests: readonly Comparison[]
}

/** A plain value is compared with `equals`, a list with `in`. `name` is longer than that of the member where objects led there. */
export interface Comparison {
  readonly name: string
  readonly word: string
  readonly value: Value | readonly Value[]
}

export type Value = string | number | boolean

/**
 * What one tree may have: levels of objects, comparisons, values in all of them, and steps to related records. PostgreSQL makes
 * a join of each step where all comparisons hold together: it plans 15 steps in 0.6 s, 20 in 2.4 s, and 50 in more than 10 s.
 */
export const most = { levels: 5, comparisons: 50, values: 1000, steps: 15 } as const

/** A longer name is none, and is not repeated in an error. */
const longestName = 200

interface Counted {
  comparisons: number
  values: number
}

/**
 * What a caller sent as `where`: null is nothing. 400 where it cannot be read, or is larger than
 * `most` allows; which names there are is asked later.
 */
export function readTree(where: unknown): Tree {
  if (!isRecord(where)) throw badParameter('where', mustBeObject)
  return levelOf(where, 'where', 1, { comparisons: 0, values: 0 })
}

const mustBeObject =
  'must be an object of conditions, such as { price: { gte: 5 } } or { any: […] }'

/** All members of an object hold. */
function levelOf(
  members: Readonly<Record<string, unknown>>,
  path: string,
  level: number,
  counted: Counted,
): Tree {
  if (level > most.levels) throw badParameter(path, `is deeper than ${most.levels} levels`)
  const parts = Object.entries(members).map(([name, value]): Tree => {
    if (name.length > longestName) {
      throw badParameter(path, `has a name of more than ${longestName} characters`)
    }
    const at = `${path}.${name}`
    if (name === 'not') return { is: 'not', part: innerOf(value, at, level, counted) }
    if (name !== 'any' && name !== 'all') return leafOf(name, value, at, counted)
    if (!Array.isArray(value) || value.length === 0) {
      throw badParameter(at, 'must be a list of one condition or more')
    }
    const list: readonly unknown[] = value
    return {
      is: name,
      parts: list.map((each, index) => innerOf(each, `${at}.${index}`, level, counted)),
    }
  })
  const [first, ...others] = parts
  return first !== undefined && others.length === 0 ? first : { is: 'all', parts }
}

/** Nothing opens by being left out: what says nothing would hold for every record. */
function innerOf(value: unknown, path: string, level: number, counted: Counted): Tree {
  if (!isRecord(value)) throw badParameter(path, mustBeObject)
  if (Object.keys(value).length === 0) throw saysNothing(path)
  return levelOf(value, path, level + 1, counted)
}

function leafOf(name: string, said: unknown, path: string, counted: Counted): Leaf {
  const isPlain = !isRecord(said)
  const tests = testsIn(name, said, path)
  counted.comparisons += tests.length
  if (counted.comparisons > most.comparisons) {
    throw badParameter('where', `must have at most ${most.comparisons} comparisons`)
  }
  for (const { name: tested, word, value } of tests) {
    const below = tested === name ? '' : tested.slice(name.length)
    const at = isPlain ? path : `${path}${below}.${word}`
    counted.values += Array.isArray(value) ? value.length : 1
    if (counted.values > most.values) {
      throw badParameter('where', `must have at most ${most.values} values`)
    }
    check(value, at)
  }
  // Checked: each is a value, or a list of some.
  return { is: 'leaf', path, name, isPlain, tests: tests as readonly Comparison[] }
}

interface Said extends Omit<Comparison, 'value'> {
  readonly value: unknown
}

function testsIn(name: string, said: unknown, path: string, level = 1): readonly Said[] {
  if (Array.isArray(said)) return [{ name, word: 'in', value: said }]
  if (!isRecord(said)) return [{ name, word: 'equals', value: said }]
  if (level > most.levels) throw badParameter(path, `is deeper than ${most.levels} levels`)
  const tests = Object.entries(said)
  if (tests.length === 0) throw saysNothing(path)
  const isLong = tests.some(([word]) => word.length > longestName)
  if (isLong) throw badParameter(path, `has a name of more than ${longestName} characters`)
  const leads = tests.some(([, value]) => isRecord(value))
  return tests.flatMap(([word, value]): readonly Said[] =>
    leads
      ? testsIn(`${name}.${word}`, value, `${path}.${word}`, level + 1)
      : [{ name, word, value }],
  )
}

function check(value: unknown, path: string): void {
  if (isValue(value)) return
  if (value === null || value === undefined) {
    throw badParameter(path, 'must not be null: { isNull: true } finds what has no value')
  }
  if (!Array.isArray(value)) throw badParameter(path, 'must be a value, or a list of values')
  if (value.length === 0) throw badParameter(path, 'must have one value or more')
  const list: readonly unknown[] = value
  const wrong = list.findIndex((each) => !isValue(each))
  if (wrong !== -1) throw badParameter(`${path}.${wrong}`, 'must be a text, a number or a boolean')
}

const isValue = (value: unknown): value is Value =>
  ['string', 'number', 'boolean'].includes(typeof value)
