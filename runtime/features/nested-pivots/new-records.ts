import { asPart } from '../../database/part.js'
import { ConstraintError, type Connection } from '../../database/types.js'
import { HttpError, invalid } from '../../errors.js'
import { strictBodies } from '../../input/strict-bodies.js'
import type { Input } from '../../input/validation.js'
import type { Access, Extension, PlaceOf, Row } from '../../model/entity.js'
import { inList } from '../../operations/write/many/places.js'
import { statementsOfMany } from '../../operations/write/many/statements.js'
import {
  answerTo,
  atOnceOrInPieces,
  RefusedRecords,
} from '../../operations/write/many/transaction.js'
import { afterEach } from '../../operations/write/parts.js'
import { checkStore, type Validate } from '../../operations/write/pipeline.js'
import type { PlannedRecord, Sending, Sent, WritePlan } from '../../operations/write/plan.js'
import { withSteps } from '../../operations/write/steps.js'
import { extended } from '../../policy/access.js'
import { Undone } from '../nested-create/undone.js'

/**
 * Related records that a request makes because no record has their key: each as if it were sent to
 * its own repository. The methods are called in their order.
 */
export class NewRecords {
  readonly #plan: WritePlan
  #validate: Validate | null = null
  #sending: Promise<Sending> | null = null
  #sent: Sent | null = null
  #isTold = false

  /** @param placeOf Where one of the bodies stands in the request. */
  constructor(
    behind: Access,
    bodies: readonly Input[],
    readonly placeOf: PlaceOf,
  ) {
    // Their keys are known before they are written, for pivots name them.
    const access = extended(behind, [keyed])
    const records = bodies.map((body, at): PlannedRecord => {
      const write = { operation: 'store', idText: null, body } as const
      return { at, id: null, access, steps: [], write }
    })
    const more = { isMinimal: false, strict: strictBodies, statements: statementsOfMany }
    this.#plan = withSteps({ access, records, placeOf: inList, isAlong: true, ...more })
  }

  /** Returns the errors of the bodies, by their numbers; 401 or 403 for who may create none. */
  async check(): Promise<readonly (readonly [at: number, field: string, texts: string[]])[]> {
    try {
      this.#validate = await checkStore(this.#plan)
      return []
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 422) throw error
      return Object.entries(error.errors ?? {}).map(([name, texts]) => {
        return [...placeIn(name), [...texts]] as const
      })
    }
  }

  /** Asks hooks, and answers the rows as they will be, with their ids. */
  async ready(): Promise<readonly Row[]> {
    this.#sending ??= this.#prepare()
    return (await this.#sending).records.map(({ values }) => values)
  }

  async #prepare(): Promise<Sending> {
    if (this.#validate === null) throw new TypeError('they were not checked')
    try {
      const prepared = await this.#validate()
      return await prepared()
    } catch (error) {
      throw error instanceof HttpError ? this.#undone(async () => error) : error
    }
  }

  begin(): void {
    this.#sent = null
  }

  /** Writes all of them, once for each try of a transaction. */
  async write(connection: Connection): Promise<void> {
    if (this.#sending === null || this.#sent !== null) return
    const { send, meaning } = await this.#sending
    try {
      this.#sent = await atOnceOrInPieces((sender, refused) =>
        asPart(connection, 'related', () => send(connection, sender, refused)),
      )
    } catch (error) {
      const isRefusal =
        error instanceof HttpError ||
        error instanceof ConstraintError ||
        error instanceof RefusedRecords
      throw isRefusal ? this.#undone(() => answerTo(this.#plan, error, meaning)) : error
    }
  }

  /** Calls their hooks when all is committed, once. */
  async after(): Promise<void> {
    if (this.#sending === null || this.#isTold) return
    this.#isTold = true
    const { records, rowOf, hook } = await this.#sending
    const written = records.map((record) => {
      return { parts: record.parts, row: rowOf(record, this.#sent?.get(record) ?? []) }
    })
    await afterEach(this.#plan, hook, written)
  }

  /** Returns the answer at the places of the request. */
  #undone(answer: () => Promise<unknown>): Undone {
    return new Undone(async () => {
      const error = await answer()
      if (!(error instanceof HttpError) || error.errors === undefined) return error
      const errors = Object.entries(error.errors).map(([name, texts]): [string, string[]] => {
        return [this.placeOf(...placeIn(name)), [...texts]]
      })
      const { status, message, headers, unnamed } = error
      if (status === 422) return invalid(new Map(errors), unnamed)
      return new HttpError(status, message, Object.fromEntries(errors), headers, unnamed)
    })
  }
}

const keyed: Extension = { write: () => ({ readOthers: () => true }) }

/** Finds the record and the field of an error. */
function placeIn(name: string): [at: number, field: string] {
  const [, at = '0', field = ''] = /^(\d+)\.?(.*)$/s.exec(name) ?? []
  return [Number(at), field]
}
