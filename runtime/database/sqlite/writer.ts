import { setTimeout as sleep } from 'node:timers/promises'
import { nextTurn } from '../../event-loop.js'
import type { StatementLimits } from '../statement-limits.js'
import type { TransactionControl } from '../transaction.js'
import type { Durability, Parameter } from '../types.js'
import { UnavailableError } from '../unavailable.js'
import { type OpenLongReads, type Result, SqliteConnection } from './connection.js'
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
  /** Runs long reads elsewhere. Default: with all others. */
  readonly longReads?: OpenLongReads
}

/**
 * The only connection that writes, in turns. A second one in the same process would block the
 * event loop while a transaction waits on an `await`.
 */
export class Writer extends SqliteConnection implements TransactionControl {
  readonly turns: Mutex
  readonly #commits = new SharedCommits(this)
  /** Bytes that the transaction has written, roughly. */
  #written = 0

  constructor(
    file: string,
    readonly options: SqliteOptions,
  ) {
    super(openWriter(file, options.durability ?? 'full'), options.limits)
    this.turns = new Mutex(options.turnTimeoutMs)
  }

  override run(sql: string, parameters: readonly Parameter[] = []): Result {
    const result = super.run(sql, parameters)
    for (const value of parameters) if (typeof value === 'string') this.#written += value.length
    const { statement, rows, changed } = result
    if (!statement.readonly) this.#written += (changed?.changes ?? rows.length) * bytesOfRow
    return result
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
      this.#written = 0
    } catch (error) {
      this.turns.release()
      throw error
    }
  }

  /** A COMMIT that fails keeps the turn for the rollback. */
  async commit(): Promise<void> {
    if (this.#written < largeTransaction) {
      this.run('COMMIT')
      this.turns.release()
      return
    }
    this.handle.pragma('wal_autocheckpoint = 0')
    try {
      this.run('COMMIT')
    } finally {
      this.handle.pragma(`wal_autocheckpoint = ${pagesOfLog}`)
    }
    void nextTurn().then(() => this.#checkpoint())
  }

  /**
   * Moves what a large transaction wrote from the log into the file, which SQLite would do in its
   * COMMIT: together they kept the event loop for twice as long. The next write waits for it.
   */
  #checkpoint(): void {
    try {
      this.handle.pragma('wal_checkpoint(PASSIVE)')
    } catch {
      // The log has all of it, and the next commit tries again.
    } finally {
      this.turns.release()
    }
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

/** From so many bytes on, what a transaction wrote is moved into the file in a turn of its own. */
const largeTransaction = 1_048_576
const bytesOfRow = 100

/** Pages of the log after which a commit moves them into the file: SQLite's own number. */
const pagesOfLog = 1_000

const isChange = /^\s*(insert|update|delete)\b/i

const busy = 'Another process is writing to the SQLite file.'
