import type { Pool, PoolClient } from 'pg'
import { FairQueue } from '../fair-queue.js'
import { UnavailableError } from '../unavailable.js'
import { KeptConnections } from './kept-connections.js'
import { connect } from './statements.js'

/** The use that a connection is lent for. */
export interface Use {
  /** The user or the address that reads; null: nobody knows who asked. */
  readonly who: string | null
  /** Inside it other statements may want a connection of their own. */
  readonly isTransaction: boolean
  hasLeft(): boolean
}

const neverLeaves = () => false
export const oneStatement: Use = { who: null, isTransaction: false, hasLeft: neverLeaves }
export const oneTransaction: Use = { who: null, isTransaction: true, hasLeft: neverLeaves }

interface Job {
  readonly use: Use
  readonly who: string
  readonly since: number
  hasLeft(): boolean
  resolve(): void
  reject(error: unknown): void
}

/** Milliseconds between two looks at who has left. */
const lookMs = 100

/**
 * Lends the connections of a pool. node-pg's own queue is first come, first served: forty slow lists
 * of one client made everybody else wait. Here the next connection goes to whoever reads and has the
 * fewest, in turn with statements of which nobody knows who asked: a token that is looked up, a write.
 *
 * One connection is never lent to somebody who has all others, nor to a transaction where all others
 * are: what a transaction waits for may need it.
 */
export class Connections {
  readonly #kept: KeptConnections
  readonly #readers = new FairQueue<Job>()
  readonly #others = new FairQueue<Job>()
  readonly #most: number
  readonly #longestWaitMs: number
  #lent = 0
  #transactions = 0
  #isTurnOfOthers = true
  #timer: NodeJS.Timeout | null = null

  constructor(readonly pool: Pool) {
    const { max = 10, connectionTimeoutMillis = 0 } = pool.options
    this.#most = max
    this.#longestWaitMs = connectionTimeoutMillis > 0 ? connectionTimeoutMillis : Infinity
    this.#kept = new KeptConnections(pool)
    // Metrics and tests count who waits here, too.
    const ofPool = () => Number(Reflect.get(Object.getPrototypeOf(pool), 'waitingCount', pool))
    const get = () => ofPool() + this.#waiting
    Object.defineProperty(pool, 'waitingCount', { get })
  }

  get #waiting(): number {
    return this.#readers.size + this.#others.size
  }

  /** A connection, which `giveBack` returns. */
  async lend(use: Use): Promise<PoolClient> {
    if (this.#waiting === 0 && this.#mayGo(use)) this.#take(use)
    else await this.#wait(use)
    const kept = this.#kept.take()
    if (kept !== null) return kept
    try {
      return await connect(this.pool)
    } catch (error) {
      this.#leave(use)
      throw error
    }
  }

  /** @param isSpent Nobody is to use the connection again. */
  giveBack(client: PoolClient, use: Use, isSpent: boolean): void {
    if (isSpent) client.release(true)
    else this.#kept.keep(client)
    this.#leave(use)
  }

  #mayGo({ who, isTransaction }: Use): boolean {
    if (this.#lent >= this.#most) return false
    const mostOfOne = Math.max(1, this.#most - 1)
    if (isTransaction) return this.#transactions < mostOfOne
    return who === null || this.#readers.placesOf(who) < mostOfOne
  }

  #take({ who, isTransaction }: Use): void {
    this.#lent += 1
    if (isTransaction) this.#transactions += 1
    if (who !== null) this.#readers.take(who)
  }

  #leave({ who, isTransaction }: Use): void {
    this.#lent -= 1
    if (isTransaction) this.#transactions -= 1
    if (who !== null) this.#readers.leave(who)
    if (this.#waiting > 0) this.#next()
  }

  #wait(use: Use): Promise<void> {
    const queue = use.who === null ? this.#others : this.#readers
    return new Promise((resolve, reject) => {
      const { who, hasLeft } = use
      queue.add({ use, who: who ?? '', since: performance.now(), hasLeft, resolve, reject })
      this.#timer ??= setInterval(() => this.#look(), lookMs).unref()
      // Reads before it may wait for other connections than this one.
      this.#next()
    })
  }

  #next(): void {
    for (;;) {
      const queues = [this.#others, this.#readers]
      if (!this.#isTurnOfOthers) queues.reverse()
      const mayGo = ({ use }: Job) => this.#mayGo(use)
      const job = queues[0]?.next(mayGo) ?? queues[1]?.next(mayGo) ?? null
      if (job === null) return
      this.#isTurnOfOthers = job.use.who !== null
      this.#take(job.use)
      job.resolve()
    }
  }

  /** Nobody waits longer than for a connection of the pool, nor for a client that left. */
  #look(): void {
    const error = () => new UnavailableError('Waited too long for a connection.')
    for (const queue of [this.#readers, this.#others]) queue.endLate(this.#longestWaitMs, error)
    if (this.#waiting > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
