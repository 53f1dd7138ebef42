import { badRequest } from '../errors.js'
import type { IndexQuery } from '../model/queries.js'

export type {
  IncludeNode,
  IncludeTexts,
  IncludeTree,
  IndexQuery,
  ListPart,
  MatchValue,
  ShowQuery,
  SortKey,
} from '../model/queries.js'

/** The query of a request without a query string. */
export const emptyQuery: IndexQuery = Object.freeze({})

/** Queries come from code too: a negative limit would be no limit. */
export function positive(name: string, value: number): number {
  if (Number.isInteger(value) && value > 0) return value
  throw badParameter(name, 'must be a positive integer')
}

/** 400: an object without members would hold for every record, which nobody means. */
export const saysNothing = (name: string): Error =>
  badParameter(name, 'must say what to test: give it a member, or leave it out')

/** 400 naming one parameter; `problem` goes on after `The page parameter …`. */
export function badParameter(name: string, problem: string): Error {
  const message = `The ${name} parameter ${problem}.`
  return badRequest(message, { [name]: [message] })
}
