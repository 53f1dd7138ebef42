import { ConstraintError } from '../../database/types.js'
import { HttpError } from '../../errors.js'
import type { PlaceOf } from '../../model/entity.js'
import { answerTo, RefusedRecords } from '../../operations/write/many/transaction.js'
import type { Sending } from '../../operations/write/plan.js'

/**
 * Children were refused in the transaction of the record above. What it means is asked when all is
 * rolled back; until then nobody takes it for something about that record.
 */
export class Undone extends Error {
  constructor(readonly answer: () => Promise<unknown>) {
    super('children were refused')
  }
}

/** Wraps a refusal of these records; any other error stays as it is. */
export function undoneBy(placeOf: PlaceOf, error: unknown, meaning: Sending['meaning']): unknown {
  const isRefusal =
    error instanceof HttpError ||
    error instanceof ConstraintError ||
    error instanceof RefusedRecords
  return isRefusal ? new Undone(() => answerTo({ placeOf }, error, meaning)) : error
}
