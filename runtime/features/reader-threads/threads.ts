import { availableParallelism } from 'node:os'
import type { Caller } from '../../database/caller.js'
import { FairQueue } from '../../database/fair-queue.js'
import { readInMemory, type Reading } from '../../database/memory.js'
import type { StatementLimits } from '../../database/statement-limits.js'
import type { Parameter, RawRow } from '../../database/types.js'
import { UnavailableError } from '../../database/unavailable.js'
import type { LongStatement } from './long-statements.js'
import { type Job, Thread } from './thread.js'

/** Two on one or two cores as well: the server's own thread goes before them. */
const mostThreads = Math.max(2, Math.min(4, availableParallelism()))

/** Statements of one request that run at once: it is not to take every thread. */
const mostOfRequest = 1

const mostWaiting = 200
const longestWaitMs = 10_000

/** Milliseconds between two looks at who has left. */
const lookMs = 100

/** Threads that read, each one statement at a time; what finds none waits, fair between callers. */
export class Threads {
  readonly #threads = new Set<Thread>()
  readonly #waiting = new FairQueue<Job>(mostWaiting)
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(
    readonly file: string,
    readonly limits: StatementLimits,
  ) {}

  async query(
    statement: LongStatement,
    parameters: readonly Parameter[],
    caller?: Caller,
  ): Promise<RawRow[]> {
    const run = () =>
      readInMemory(caller, statement.sql, (reading) =>
        this.#add(statement, parameters, caller, reading),
      )
    try {
      return caller === undefined ? await run() : await caller.inTurn(mostOfRequest, run)
    } catch (error) {
      caller?.check()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#waiting.endLate(0, () => new UnavailableError(closed))
    await Promise.all([...this.#threads].map((thread) => thread.end()))
  }

  #add(
    statement: LongStatement,
    parameters: readonly Parameter[],
    caller: Caller | undefined,
    reading: Reading | null,
  ): Promise<RawRow[]> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new UnavailableError(closed))
      const who = caller?.who() ?? ''
      const since = performance.now()
      const hasLeft = () => caller?.hasLeft() === true
      const job: Job = {
        who,
        statement,
        parameters,
        caller,
        reading,
        hasLeft,
        resolve,
        reject,
        since,
      }
      this.#waiting.add(job)?.reject(new UnavailableError(full))
      this.#timer ??= setInterval(() => this.#look(), lookMs).unref()
      this.#next()
    })
  }

  #next(): void {
    while (this.#waiting.size > 0) {
      const thread = [...this.#threads].find(({ isIdle }) => isIdle) ?? this.#start()
      const job = thread === null ? null : this.#waiting.next()
      if (thread === null || job === null) return
      this.#waiting.take(job.who)
      thread.run(job)
    }
  }

  #start(): Thread | null {
    if (this.#threads.size >= mostThreads) return null
    const thread: Thread = new Thread(this.file, this.limits, {
      over: ({ who }) => this.#waiting.leave(who),
      idle: () => this.#next(),
      // Another one is started when there is something to do.
      ended: () => {
        this.#threads.delete(thread)
        this.#next()
      },
    })
    this.#threads.add(thread)
    return thread
  }

  /** Clients that left take their statements along; nobody waits for ever. */
  #look(): void {
    for (const thread of this.#threads) thread.stopIfLeft()
    this.#waiting.endLate(longestWaitMs, () => new UnavailableError(late))
    const isIdle = [...this.#threads].every((thread) => thread.isIdle)
    if (!isIdle || this.#waiting.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}

const closed = 'The database is being closed.'
const full = `${mostWaiting} statements that take long wait for a thread already.`
const late = `Waited ${longestWaitMs / 1000} s for a thread that reads.`
