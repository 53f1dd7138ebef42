import type { RunResult, Statement } from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { responseTooLarge } from '../../errors.js'
import type { Caller } from '../caller.js'
import {
  fewRows,
  longText,
  mostText,
  noLimits,
  SlowStatementError,
  type StatementLimits,
} from '../statement-limits.js'
import type { Connection, Parameter, RawRow, Statement as SentStatement } from '../types.js'
import { mapSqliteError } from './errors.js'
import type { Handle } from './handle.js'

export interface Result {
  readonly statement: Statement
  readonly rows: RawRow[]
  /** The result of a statement without rows. */
  readonly changed?: RunResult
}

/** Runs reads that would keep everybody else waiting, on threads say. */
export interface LongReads {
  /** The rows of a statement that takes long; null: it does not, and runs where it was asked. */
  query(sql: string, parameters: readonly Parameter[], caller?: Caller): Promise<RawRow[]> | null
  close(): Promise<void>
}

/** `reader`: the connection on which everything else is read. */
export type OpenLongReads = (file: string, reader: SqliteConnection) => LongReads

/** One connection, and its last 500 statements, which it keeps prepared. Callers choose shapes. */
export class SqliteConnection {
  readonly #prepared = new LRUCache<string, Statement>({ max: 500 })
  /** Reads that count their long text themselves, and were never slower than the limit. */
  readonly #atOnce = new WeakSet<Statement>()
  /** Characters that the running statement may still read. */
  #left = Infinity

  constructor(
    readonly handle: Handle,
    readonly limits: StatementLimits = noLimits,
  ) {
    handle.function(longText, (bytes) => {
      this.#take(Number(bytes))
      return 1
    })
  }

  readonly query: Connection['query'] = async (...call) => this.answer(...call)

  /** Limits the reads of requests. A write cannot be: it is over before its first row is there. */
  answer(
    { sql, access, most = Infinity }: SentStatement,
    parameters: readonly Parameter[],
    caller?: Caller,
    room = Infinity,
  ): RawRow[] {
    const isLimited = caller !== undefined && access === 'read' && most > fewRows
    return isLimited ? this.read(sql, parameters, room) : this.run(sql, parameters).rows
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
   * Reads no more text than the limits allow, and for no longer: row by row, unless the statement
   * counts its text itself. SQLite cannot be stopped before its first row, nor between two.
   *
   * @param room Characters that there is memory for.
   */
  read(sql: string, parameters: readonly Parameter[], room = Infinity): RawRow[] {
    const { response_bytes, statement_ms } = this.limits
    const end = statement_ms === 0 ? Infinity : performance.now() + statement_ms
    this.#left = Math.min(room, mostText(response_bytes))
    try {
      const statement = this.prepare(sql)
      if (!this.#atOnce.has(statement)) return this.#rowByRow(statement, parameters, end)
      const rows = statement.all(parameters) as RawRow[]
      if (performance.now() > end) this.#atOnce.delete(statement)
      return rows
    } catch (error) {
      throw mapSqliteError(error)
    } finally {
      this.#left = Infinity
    }
  }

  /** 3 µs more for 15 rows, a fifth of a µs each. */
  #rowByRow(statement: Statement, parameters: readonly Parameter[], end: number): RawRow[] {
    const rows: RawRow[] = []
    for (const row of statement.iterate(parameters) as Iterable<RawRow>) {
      rows.push(row)
      let characters = 0
      for (let at = 0; at < row.length; at++) {
        const value = row[at]
        if (typeof value === 'string') characters += value.length
      }
      this.#take(characters)
      if (rows.length % 64 === 0 && performance.now() > end) throw new SlowStatementError()
    }
    return rows
  }

  #take(text: number): void {
    this.#left -= text
    if (this.#left < 0) throw responseTooLarge(this.limits.response_bytes)
  }

  /** Rows of the statement are arrays. */
  prepare(sql: string): Statement {
    const known = this.#prepared.get(sql)
    if (known !== undefined) return known
    const fresh = this.handle.prepare(sql)
    if (fresh.reader) fresh.raw(true)
    if (sql.includes(longText)) this.#atOnce.add(fresh)
    this.#prepared.set(sql, fresh)
    return fresh
  }
}
