import { ConstraintError } from '../../../database/types.js'
import { HttpError } from '../../../errors.js'
import { isTurnLong, nextTurn } from '../../../event-loop.js'
import { stepsOf } from '../../statement-steps.js'
import { placed, together } from '../places.js'
import type { Pieces, ReadyRecord, Refused, Sender, Sending, Sent, WritePlan } from '../plan.js'
import { answerToChange, ChangedMeanwhile } from './existing.js'
import { sendInPieces } from './pieces.js'
import { repeats } from './repeated.js'

/** Sends all records, in as few statements as one turn of the event loop allows. */
export const atOnce: Sender = async (connection, records, send) => {
  const [first = [], ...others] = stepsOf(connection, records)
  if (others.length === 0) return { done: await send(first), refused: [] }
  const done = new Map(await send(first))
  for (const step of others) {
    if (isTurnLong()) await nextTurn()
    for (const [record, written] of await send(step)) done.set(record, written)
  }
  return { done, refused: [] }
}

/** Records that the database refused, each alone: `answerTo` says what it means. */
export class RefusedRecords extends Error {
  constructor(readonly refused: Refused) {
    super('refused')
  }
}

/** Returns what was sent; throws if the database refused some records. */
export function allOf<Done>({ done, refused: some }: Pieces<ReadyRecord, Done>) {
  if (some.length > 0) throw new RefusedRecords(some)
  return done
}

/**
 * Sends all in one transaction, in this order. What the database refuses of many records it does not
 * say of which, so it is sent again, in pieces; then there is one answer about all that are refused,
 * when all is rolled back.
 */
export async function sendInTransaction(
  plan: WritePlan,
  sendings: readonly Sending[],
): Promise<readonly Sent[]> {
  const { database } = plan.access.entity
  const run = (sender: Sender, cause: ConstraintError | null) => {
    let isAgain = false
    return database.transaction(async (connection) => {
      if (isAgain) repeats(connection)
      isAgain = true
      const sent: Sent[] = []
      for (const each of sendings) sent.push(await each.send(connection, sender, cause))
      return sent
    })
  }
  return atOnceOrInPieces(run).catch(async (error: unknown) => {
    if (error instanceof ChangedMeanwhile) throw await answerToChange(error)
    throw await answerTo(plan, error, (record, cause, all) => {
      const own = sendings.find(({ records }) => records.includes(record))
      return own === undefined ? Promise.resolve(cause) : own.meaning(record, cause, all)
    })
  })
}

/**
 * Runs what sends records; again, in pieces, where the database refused some. Each is undone when it
 * fails.
 */
export async function atOnceOrInPieces<Done>(
  run: (sender: Sender, refused: ConstraintError | null) => Promise<Done>,
): Promise<Done> {
  let cause: ConstraintError
  try {
    return await run(atOnce, null)
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error
    cause = error
  }
  return run(sendInPieces, cause)
}

/** Returns the answer about refused records, when all is rolled back; any other error as it was. */
export async function answerTo(
  { placeOf }: Pick<WritePlan, 'placeOf'>,
  error: unknown,
  meaning: Sending['meaning'],
): Promise<unknown> {
  if (!(error instanceof RefusedRecords)) return error
  const answers: HttpError[] = []
  for (const [record, cause] of error.refused) {
    const answer = placed(await meaning(record, cause, error.refused), record.at, placeOf)
    if (!(answer instanceof HttpError)) return answer
    answers.push(answer)
  }
  return together(answers)
}
