import { ending, type FieldErrors, HttpError, invalid, mostNamed } from '../../errors.js'
import type { PlaceOf } from '../../model/entity.js'

/** Places of records in a request, as errors name them. */

/** A request about one record: fields are named as they are. */
export const alone: PlaceOf = (_, field = '') => field

/** Throws 422 with all problems; none: nothing is thrown. */
export function throwProblems(problems: ReadonlyMap<string, string[]>): void {
  if (problems.size > 0) throw invalid(problems)
}

/** The error, at the place of its record in the request; that there is no user is about all. */
export function placed(error: unknown, at: number, placeOf: PlaceOf): unknown {
  if (placeOf === alone || !(error instanceof HttpError) || error.status === 401) return error
  const { status, message, errors, headers, unnamed } = error
  const named: FieldErrors = {}
  for (const [field, texts] of Object.entries(errors ?? {})) named[placeOf(at, field)] = texts
  if (errors === undefined) named[placeOf(at)] = [message]
  return new HttpError(status, message, named, headers, unnamed)
}

/** Runs what is done with one record of many: what it throws says which one it was. */
export async function placing<Done>(
  at: number,
  placeOf: PlaceOf,
  work: () => Done | Promise<Done>,
): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    throw placed(error, at, placeOf)
  }
}

/** Answers to several records as one; where one is of another kind, that of the first. */
export function together(answers: readonly HttpError[]): HttpError {
  const [first] = answers
  if (first === undefined) throw new TypeError('there is nothing to answer')
  const same = answers.filter(({ status }) => status === first.status)
  const errors: FieldErrors = {}
  for (const each of same) Object.assign(errors, each.errors)
  const unnamed = same.reduce((sum, each) => sum + each.unnamed, 0)
  return first.status === 422 ? invalid(errors, unnamed) : withErrors(first, errors)
}

/** The answer with these errors: it names the first of them and counts the others. */
export function withErrors({ status, message }: HttpError, errors: FieldErrors): HttpError {
  const entries = Object.entries(errors)
  const unnamed = Math.max(0, entries.length - mostNamed)
  const named = Object.fromEntries(entries.slice(0, mostNamed))
  const text = unnamed === 0 ? message : message + ending.more(entries.length - 1)
  return new HttpError(status, text, named, {}, unnamed)
}
