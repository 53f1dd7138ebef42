import { badRequest } from '../errors.js'

/** Queries come from code too: a negative limit would be no limit. */
export function positive(name: string, value: number): number {
  if (Number.isInteger(value) && value > 0) return value
  const message = `The ${name} parameter must be a positive integer.`
  throw badRequest(message, { [name]: [message] })
}
