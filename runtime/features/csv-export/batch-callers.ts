import type { Context } from 'hono'
import { Caller } from '../../database/caller.js'
import { Holding } from '../../database/memory.js'
import { outgoingOf, type ServerEnv } from '../../http/context.js'
import { callerOf } from '../../http/request.js'
import { stalled } from '../../http/unread-answers.js'

/**
 * Whom the batches of an export are read for. Each holds memory as an answer does: while it is read,
 * and until the client took it. Who reads nothing is cut off as anybody is.
 */
export class BatchCallers {
  readonly #asked: Caller
  #holding: Holding | null = null

  constructor(readonly c: Context<ServerEnv<unknown>>) {
    this.#asked = callerOf(c, false)
    if (this.#asked.holding === null) return
    const outgoing = outgoingOf(c)
    outgoing?.req.socket.setTimeout(stalled.ms)
    outgoing?.once('close', () => this.#letGo())
  }

  /** For the next batch: the one before was taken. */
  next(): Caller {
    this.#letGo()
    const { hasLeft, who, holding } = this.#asked
    this.#holding = holding && new Holding(holding.memory, holding.client, holding.asker)
    const caller = new Caller(hasLeft, who, this.#holding)
    this.c.get('reads')?.(caller)
    return caller
  }

  /** The batch waits for its reader. */
  wait(): void {
    this.#holding?.settle(this.#holding.bytes)
  }

  #letGo(): void {
    this.#holding?.settle(0)
    this.#holding = null
  }
}
