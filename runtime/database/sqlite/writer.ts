import { setTimeout as sleep } from 'node:timers/promises'
import type { StatementLimits } from '../statement-limits.js'
import type { TransactionControl } from '../transaction.js'
import type { Durability } from '../types.js'
import { UnavailableError } from '../unavailable.js'
import { type OpenLongReads, SqliteConnection } from './connection.js'
import { isBusy } from './errors.js'
import { openWriter } from './handle.js'
import { Mutex } from './mutex.js'
import { SharedCommits } from './shared-commits.js'

export interface SqliteOptions {
  /** `limits` of config/svc.ts, for what requests read. Default: none. */
  readonly limits?: StatementLimits
  /** `durability` of config/svc.ts. Default: full. */
  readonly durability?: Durability
  /** Milliseconds a write waits for its turn. Default 30,000. */
  readonly turnTimeoutMs?: number
  /** Milliseconds a write waits for another process that writes. Default 5,000. */
  readonly busyTimeoutMs?: number
  /** Where reads run that take long. Default: where all others do. */
  readonly longReads?: OpenLongReads
}

/**
 * The only connection that writes, in turns. A second one in the same process would block the
 * event loop while a transaction waits on an `await`.
 */
export class Writer extends SqliteConnection implements TransactionControl {
  readonly turns: Mutex
  readonly #commits = new SharedCommits(this)

  constructor(
    file: string,
    readonly options: SqliteOptions,
  ) {
    super(openWriter(file, options.durability ?? 'full'), options.limits)
    this.turns = new Mutex(options.turnTimeoutMs)
  }

  /** Runs one statement outside a transaction. What is no change of rows may want to be alone. */
  inTurn<T>(sql: string, work: () => T): Promise<T> {
    if (isChange.test(sql)) return this.#commits.run(work)
    const deadline = this.deadline()
    return this.turns.run(() => this.whenFree(work, deadline))
  }

  /** Takes the turn, until `commit` or `rollback` gives it back. */
  async begin(): Promise<void> {
    const deadline = this.deadline()
    await this.turns.acquire()
    try {
      await this.whenFree(() => this.run('BEGIN IMMEDIATE'), deadline)
    } catch (error) {
      this.turns.release()
      throw error
    }
  }

  /** A COMMIT that fails keeps the turn for the rollback. */
  async commit(): Promise<void> {
    this.run('COMMIT')
    this.turns.release()
  }

  async rollback(): Promise<void> {
    try {
      // After some errors SQLite has rolled back by itself.
      if (this.handle.inTransaction) this.run('ROLLBACK')
    } finally {
      this.turns.release()
    }
  }

  /** Counted from when a write is asked for, so that those who queue do not each wait anew. */
  deadline(): number {
    return performance.now() + (this.options.busyTimeoutMs ?? 5_000)
  }

  /**
   * Another process may be writing: tries again without blocking this one, at least once, until a
   * moment of `performance.now()`.
   */
  async whenFree<T>(work: () => T, deadline = this.deadline()): Promise<T> {
    for (;;) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error)) throw error
        if (performance.now() > deadline) throw new UnavailableError(busy, { cause: error })
        await sleep(10)
      }
    }
  }
}

const isChange = /^\s*(insert|update|delete)\b/i

const busy = 'Another process is writing to the SQLite file.'
