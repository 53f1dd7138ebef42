import type { Context } from 'hono'
import type { Database } from '../../database/types.js'
import { HttpError } from '../../errors.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import {
  aboutRecord,
  type Answered,
  type AroundWrites,
  forgetAnswer,
} from '../../http/around-writes.js'
import { setHeader, type ServerEnv } from '../../http/context.js'
import { bytesOf } from '../../http/json-text.js'
import { inOneTransaction } from '../transactions/one-transaction.js'
import type { KeptFor } from './config.js'
import { KeptAnswers, type KeptAnswer } from './kept-answers.js'
import { header, readKeyed } from './keyed-request.js'

/**
 * Requests with an `Idempotency-Key` are done once: the same one again gets the answer of the first.
 * What they do and the answer that is kept are one transaction. What is not done (4xx, 5xx) is not
 * kept, and may be tried again.
 *
 * @example api.use('/reorder', aroundWrites([idempotency])) // after what says who asks
 */
export function idempotencyKeys({
  database,
  ...keptFor
}: KeptFor & { readonly database: Database }): AroundWrites {
  const kept = new KeptAnswers(database, keptFor)
  return {
    understood: [{ in: 'header', name: header }],
    isAsked: ({ req }) => req.header(header) !== undefined,
    around: (c, work) => once(kept, c, work),
  }
}

async function once(
  kept: KeptAnswers,
  c: Context<ServerEnv<unknown>>,
  work: () => Promise<Answered>,
): Promise<Answered> {
  const request = await readKeyed(c, largestBody(c.get('server').config.limits))
  const noted = await kept.note(request)
  if (isTurnLong()) await nextTurn()
  if (noted.is === 'done') return { response: again(c, noted.answer), isDone: true }
  if (noted.is === 'running') throw stillRunning()
  if (noted.is === 'other') throw otherRequest()
  const { attempt } = noted
  try {
    return await inOneTransaction(kept.database, `a request with ${header}`, async (on) => {
      const done = await work()
      if (!done.isDone) throw new NotDone(done)
      if (isTurnLong()) await nextTurn()
      const answer = await answerOf(c, done.response)
      if (!(await kept.complete(on, request, attempt, answer))) throw stillRunning()
      return done
    })
  } catch (error) {
    // The key is free at the end of its time, if this fails.
    await kept.release(request, attempt).catch(() => {})
    if (error instanceof NotDone) return error.answered
    forgetAnswer(c)
    throw error
  }
}

/** Returns the largest body of any route: each route has its own limit. */
const largestBody = (limits: { readonly body_bytes: number; readonly bulk_bytes?: number }) =>
  Math.max(limits.body_bytes, limits.bulk_bytes ?? 0)

class NotDone extends Error {
  constructor(readonly answered: Answered) {
    super('nothing was done')
  }
}

async function answerOf(c: Context, response: Response): Promise<KeptAnswer> {
  const type = response.headers.get('Content-Type')
  return {
    status: response.status,
    headers: { ...(type === null ? {} : { 'Content-Type': type }), ...aboutRecord(c, response) },
    body: await bytesOf(response),
  }
}

function again(c: Context, { status, headers, body }: KeptAnswer): Response {
  const { 'Content-Type': type, ...others } = headers
  for (const [name, value] of Object.entries(others)) setHeader(c, name, value)
  setHeader(c, 'Idempotency-Replayed', 'true')
  return c.newResponse(
    body.length === 0 ? null : body,
    status as 200, // what an answer had
    type === undefined ? {} : { 'Content-Type': type },
  )
}

const stillRunning = () =>
  new HttpError(409, 'The request with this Idempotency-Key is still running.', undefined, {
    'Retry-After': '1',
  })

const otherRequest = () =>
  new HttpError(422, 'This Idempotency-Key belongs to another request: take a new one.')
