import type { RunResult, Statement } from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { responseTooLarge } from '../../errors.js'
import type { Caller } from '../caller.js'
import {
  noLimits,
  SlowStatementError,
  type StatementLimits,
  mostText,
} from '../statement-limits.js'
import type { Connection, Parameter, RawRow, Statement as SentStatement } from '../types.js'
import { mapSqliteError } from './errors.js'
import type { Handle } from './handle.js'

export interface Result {
  readonly statement: Statement
  readonly rows: RawRow[]
  /** Of a statement without rows. */
  readonly changed?: RunResult
}

/** One connection, and its last 500 statements, which it keeps prepared. Callers choose shapes. */
export class SqliteConnection {
  readonly #prepared = new LRUCache<string, Statement>({ max: 500 })

  constructor(
    readonly handle: Handle,
    readonly limits: StatementLimits = noLimits,
  ) {}

  readonly query: Connection['query'] = async (...call) => this.answer(...call)

  /** Of a request, reads are limited; a write is over before its first row is there. */
  answer(
    { sql, access }: SentStatement,
    parameters: readonly Parameter[],
    caller?: Caller,
  ): RawRow[] {
    const isLimited = caller !== undefined && access === 'read'
    return isLimited ? this.read(sql, parameters) : this.run(sql, parameters).rows
  }

  run(sql: string, parameters: readonly Parameter[] = []): Result {
    try {
      const statement = this.prepare(sql)
      if (!statement.reader) return { statement, rows: [], changed: statement.run(parameters) }
      return { statement, rows: statement.all(parameters) as RawRow[] } // `raw` gives arrays
    } catch (error) {
      throw mapSqliteError(error)
    }
  }

  /**
   * Row by row, no more and no longer than the limits allow: 3 µs more for 15 rows, half a µs each. SQLite cannot be
   * stopped before its first row, nor between two.
   */
  read(sql: string, parameters: readonly Parameter[]): RawRow[] {
    const { response_bytes, statement_ms } = this.limits
    let left = mostText(response_bytes)
    const end = statement_ms === 0 ? Infinity : performance.now() + statement_ms
    const rows: RawRow[] = []
    try {
      for (const row of this.prepare(sql).iterate(parameters) as Iterable<RawRow>) {
        rows.push(row)
        for (let at = 0; at < row.length; at++) {
          const value = row[at]
          if (typeof value === 'string') left -= value.length
        }
        if (left < 0) throw responseTooLarge(response_bytes)
        if (rows.length % 64 === 0 && performance.now() > end) throw new SlowStatementError()
      }
    } catch (error) {
      throw mapSqliteError(error)
    }
    return rows
  }

  /** Rows of the statement are arrays. */
  prepare(sql: string): Statement {
    const known = this.#prepared.get(sql)
    if (known !== undefined) return known
    const fresh = this.handle.prepare(sql)
    if (fresh.reader) fresh.raw(true)
    this.#prepared.set(sql, fresh)
    return fresh
  }
}
