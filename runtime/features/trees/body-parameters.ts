import { badRequest } from '../../errors.js'
import type { Input } from '../../input/validation.js'
import { isRecord } from '../../model/get-own.js'
import { bareName } from '../../query/extension-parameters.js'
import { badParameter } from '../../query/query.js'
import { most } from './read-tree.js'

/** Longer than a parameter of an address can be. */
const longestText = 10_000
const longestName = 200

/** `include[comments][price][gte]` has four names. */
const mostNames = 4

interface Options {
  /** Returns true if a name has a meaning of its own: then null and an empty list say nothing. */
  readonly isWord: (name: string) => boolean
  /**
   * Returns the error of a number that must be sent as text, because its digits may be lost; null:
   * it may be a number.
   */
  readonly inexact: (name: string, value: number) => string | null
  /** The text of what has a form of its own as JSON; null: it has none. */
  readonly textOf: (name: string, value: unknown) => string | null
}

/**
 * The parameters of a list in a JSON body, as a query string has them: `{ sort: ['-price'], page: 2,
 * price: { gte: 5 } }` is `sort=-price&page=2&price[gte]=5`. A list is several parameters of one
 * column or word or, below these, one with commas.
 */
export function bodyParameters(body: Input, options: Options): URLSearchParams {
  const parameters = new URLSearchParams()
  let values = 0
  const count = (more: number) => {
    values += more
    if (values > most.values) {
      throw badRequest(`The request body has more than ${most.values} values.`)
    }
  }
  const append = (name: string, value: unknown) => {
    parameters.append(name, textOf(name, value, options))
  }
  const add = (name: string, value: unknown, names: number): void => {
    if (name.length > longestName) {
      throw badRequest(`The request body has a name of more than ${longestName} characters.`)
    }
    const isWord = options.isWord(bareName({ column: name }))
    if (Array.isArray(value)) {
      count(value.length)
      if (value.length === 0 && !isWord) throw badParameter(name, 'must have one value or more')
      if (names === 1 || isColumn(name)) for (const each of value) append(name, each)
      else append(name, joined(name, value, options))
    } else if (isRecord(value)) {
      const members = Object.entries(value)
      if (members.length === 0) throw badParameter(name, 'must not be an empty object')
      if (names === mostNames) throw badParameter(name, 'is nested too deep')
      for (const [below, inner] of members) {
        const at = `${name}[${below}]`
        if (below === 'where' && !name.startsWith('filter')) {
          throw badParameter(at, 'is not taken here: where speaks of the records themselves')
        }
        add(at, inner, names + 1)
      }
    } else if (value !== null || !isWord) {
      count(1)
      append(name, value)
    }
  }
  for (const [name, value] of Object.entries(body)) {
    const text = options.textOf(name, value)
    if (text === null) add(name, value, 1)
    else parameters.append(name, text)
  }
  return parameters
}

/** `filter[price]` takes what `price` does. */
const isColumn = (name: string) => /^filter\[[^[\]]+\]$/.test(name)

function textOf(name: string, value: unknown, { inexact }: Options): string {
  if (typeof value === 'number') {
    const problem = inexact(name, value)
    if (problem !== null) throw badParameter(name, problem)
  } else if (typeof value === 'object' && value !== null) {
    throw badParameter(name, 'must be a value, or a list of values')
  }
  const text = String(value)
  if (text.length <= longestText) return text
  throw badParameter(name, `must not be longer than ${longestText} characters`)
}

function joined(name: string, values: readonly unknown[], options: Options): string {
  const texts = values.map((value) => textOf(name, value, options))
  const isSplit = texts.length > 1 && texts.some((text) => text.includes(','))
  if (isSplit) throw badParameter(name, 'must have no comma in a value of its list: where takes it')
  return texts.join()
}
