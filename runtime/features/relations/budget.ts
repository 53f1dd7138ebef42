import { badRequest } from '../../errors.js'

/**
 * How many related records one request may still place. Parents share what they have in common, so
 * a small result can be an endless response: what counts is how often a record is written out,
 * which multiplies at every level.
 */
export interface Budget {
  left: number
  /** What a request is told that asks for more. */
  readonly exceeded: () => Error
}

/** The words are REST's unless they are given. */
export function newBudget(limit: number, exceeded = includeExceeded): Budget {
  return { left: limit, exceeded: () => exceeded(limit) }
}

/**
 * Takes what a level places; 400 when that is more than is left. Relations are loaded side by side:
 * once one was refused, none may go on.
 */
export function spend(budget: Budget, places: readonly number[]): void {
  for (const often of places) budget.left -= often
  if (budget.left < 0) throw budget.exceeded()
}

/** Before a statement: another relation may have used everything up. */
export function checkBudget(budget: Budget): void {
  if (budget.left < 0) throw budget.exceeded()
}

function includeExceeded(limit: number): Error {
  const advice = 'use a smaller relatablePerPage or perPage, or fewer levels'
  const message = `The include parameter asks for more than ${limit} related records: ${advice}.`
  return badRequest(message, { include: [message] })
}
