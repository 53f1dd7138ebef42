import type { Context } from 'hono'
import { noContent, sendJson } from '../../http/respond.js'
import type { PivotOutcome } from './change-pivots.js'

/** 201 with the pivots: `{ data }`; 200 with what a callback returned instead, if anything. */
export function attached(c: Context, outcome: PivotOutcome): Response {
  if ('replaced' in outcome) return sendJson(c, outcome.replaced)
  return sendJson(c, { data: outcome.pivots }, 201)
}

/** 200 with the pivots the relation now has: `{ data }`, or with what a callback returned. */
export function synced(c: Context, outcome: PivotOutcome): Response {
  return sendJson(c, 'replaced' in outcome ? outcome.replaced : { data: outcome.pivots })
}

/** 204, or 200 with what a callback returned. */
export function detached(c: Context, outcome: PivotOutcome): Response {
  return 'replaced' in outcome ? sendJson(c, outcome.replaced) : noContent(c)
}
