import { ConstraintError } from '../../database/types.js'
import { HttpError } from '../../errors.js'
import type { Many } from '../bulk/rows.js'
import { refusedOf } from '../bulk/store.js'
import { answerTo, RefusedRows } from '../bulk/writing.js'

/**
 * Children were refused in the transaction of the record above. What it means is asked when all is
 * rolled back; until then nobody takes it for something about that record.
 */
export class Undone extends Error {
  constructor(readonly answer: () => Promise<unknown>) {
    super('children were refused')
  }
}

/** The same of what some of these threw; a failure of something else is left as it is. */
export function undoneBy(many: Many, error: unknown): unknown {
  const isRefusal =
    error instanceof HttpError || error instanceof ConstraintError || error instanceof RefusedRows
  return isRefusal ? new Undone(() => answerTo(many, error, refusedOf(many.access))) : error
}
