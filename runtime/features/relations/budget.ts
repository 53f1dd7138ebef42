import { badParameter, type Budget } from '../../query/query.js'

/** Of a request by itself; surfaces that read several times share one of their own. */
export function newBudget(limit: number): Budget {
  return { left: limit, exceeded: () => includeExceeded(limit) }
}

/**
 * Takes what a level places; 400 when that is more than is left. Relations are loaded side by side:
 * once one was too many, none may go on.
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
  return badParameter('include', `asks for more than ${limit} related records: ${advice}`)
}
