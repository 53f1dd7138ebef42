import type { Statement } from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import type { Handle } from '../../database/sqlite/handle.js'
import type { Parameter, RawRow } from '../../database/types.js'

export const isTotal = (sql: string) => /^select count\(\*\) from /i.test(sql)

/**
 * Functions that change a total without a write: the time, chance, what the connection did before.
 */
const changing =
  /\bcurrent_|\b(?:date|time|datetime|julianday|unixepoch|strftime|timediff|random|randomblob|changes|total_changes|last_insert_rowid)\s*\(/i

/**
 * A total stays right until somebody commits, in this process or another one: then `data_version`
 * of a connection that never writes is another number. Asking for it costs a microsecond.
 */
export class Totals {
  readonly #known = new LRUCache<string, RawRow[]>({ max: 500 })
  readonly #version: Statement
  #of: unknown = null

  /** @param reader Does not write. */
  constructor(reader: Handle) {
    this.#version = reader.prepare('PRAGMA data_version').pluck()
  }

  /** Runs `query`; a total that is known is not counted again. */
  async of(
    sql: string,
    parameters: readonly Parameter[],
    query: () => Promise<RawRow[]>,
  ): Promise<RawRow[]> {
    if (!isTotal(sql) || changing.test(sql)) return query()
    const key = JSON.stringify([sql, ...parameters.map((each) => [typeof each, String(each)])])
    const before = this.#now()
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const rows = await query()
    // Otherwise somebody wrote meanwhile, and it is unknown whether that was counted.
    if (this.#now() === before) this.#known.set(key, rows)
    return rows
  }

  /** Forgets what was counted in another state of the database. */
  #now(): unknown {
    const version = this.#version.get()
    if (version !== this.#of) this.#known.clear()
    this.#of = version
    return version
  }
}
