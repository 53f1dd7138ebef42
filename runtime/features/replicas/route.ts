import type { Caller } from '../../database/caller.js'
import { SlowStatementError } from '../../database/statement-limits.js'
import type { Database, Parameter, RawRow, Statement } from '../../database/types.js'
import { BusyError } from '../../database/unavailable.js'
import { HttpError } from '../../errors.js'
import type { Log } from '../../http/log.js'
import { positionFor } from './positions.js'
import type { Replica } from './replica.js'

interface RouteOptions {
  readonly database: Database
  readonly log: Pick<Log, 'warn'>
  readonly requestId: string
  /** Names the reader. Called with the first statement: only then is it known who signed in. */
  readonly reader: () => string
  /** One that may be read from and has the log up to a position. */
  readonly choose: (position: number) => Promise<Replica | null>
  readonly hasAny: () => boolean
}

/**
 * Chooses the database for a request's reads: one replica, so that all of it fits together, or the
 * primary.
 */
export class Route {
  /** The position in the log that the replica must have; undefined: not looked up yet. */
  position: unknown
  #replica: Promise<Replica | null> | null = null

  constructor(readonly options: RouteOptions) {}

  async read(
    statement: Statement,
    values: readonly Parameter[],
    caller: Caller,
    here: () => Promise<RawRow[]>,
  ): Promise<RawRow[]> {
    this.#replica ??= this.#choose()
    const replica = await this.#replica
    if (replica === null) return here()
    try {
      return await replica.query(statement, values, caller)
    } catch (error) {
      // Too large, too slow, no memory for it, or the client left: so would it be anywhere.
      const isOfRequest = [HttpError, SlowStatementError, BusyError]
      if (isOfRequest.some((kind) => error instanceof kind)) throw error
      this.#giveUp(replica, error)
      return here()
    }
  }

  async #choose(): Promise<Replica | null> {
    const { database, reader, choose, hasAny } = this.options
    if (!hasAny()) return null
    this.position ??= (await positionFor(database, reader())) ?? 0
    return choose(Number(this.position))
  }

  /** For this request alone: it may only be busy. `Replica` finds out itself whether it is gone. */
  #giveUp({ options: { name } }: Replica, err: unknown): void {
    const { log, requestId } = this.options
    this.#replica = Promise.resolve(null)
    log.warn({ requestId, replica: name, err }, 'a replica could not answer, so the primary does')
  }
}
