import type { RunResult, Statement } from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import type { Connection, Parameter, RawRow } from '../types.js'
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

  constructor(readonly handle: Handle) {}

  readonly query: Connection['query'] = async ({ sql }, parameters) =>
    this.run(sql, parameters).rows

  run(sql: string, parameters: readonly Parameter[] = []): Result {
    try {
      const statement = this.prepare(sql)
      if (!statement.reader) return { statement, rows: [], changed: statement.run(parameters) }
      return { statement, rows: statement.all(parameters) as RawRow[] } // `raw` gives arrays
    } catch (error) {
      throw mapSqliteError(error)
    }
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
