import { Kysely } from 'kysely'
import type { Migratable } from '../migrations/session.js'
import { Observers } from '../observers.js'
import { runTransaction } from '../transaction.js'
import type { Connection, Database } from '../types.js'
import { SqliteConnection } from './connection.js'
import { closeWriter, openReader, sqliteFile } from './handle.js'
import { sqliteDialect } from './kysely.js'
import { migrateSqlite } from './migration.js'
import type { Mutex } from './mutex.js'
import { codecs } from './values.js'
import { type SqliteOptions, Writer } from './writer.js'

export interface SqliteDatabase extends Database, Migratable {
  readonly dialect: 'sqlite'
  /** Path of the file, or `:memory:`. */
  readonly file: string
  /** Turns at writing, for every library that writes to this file from this process. */
  readonly turns: Mutex
  /**
   * Kysely over the same connections: reads beside the writer, writes in turn. `dateColumns` are
   * the `table.column` of calendar dates, read as `2026-02-03`: SQLite declares them like points
   * in time, so they must be named.
   */
  kysely<Tables>(options?: { readonly dateColumns?: readonly string[] }): Kysely<Tables>
}

/** Opens a SQLite file (WAL): a connection that writes, in turns, and one that reads beside it. */
export function openSqlite(url: string, options: SqliteOptions = {}): SqliteDatabase {
  const file = sqliteFile(url)
  const writer = new Writer(file, options)
  // A database in memory belongs to one connection; its reads take turns with its writes.
  const reader = file === ':memory:' ? null : new SqliteConnection(openReader(file), options.limits)
  const long = (reader && options.longReads?.(file, reader)) ?? null
  const observers = new Observers()

  const query: Connection['query'] = async (statement, parameters, caller) => {
    caller?.check()
    if (reader === null || statement.access === 'write') {
      return writer.inTurn(() => writer.answer(statement, parameters, caller))
    }
    const rows = long?.query(statement.sql, parameters, caller) ?? null
    return rows ?? reader.answer(statement, parameters, caller)
  }

  const shared = { dialect: 'sqlite', codecs } as const
  const inside = { ...shared, query: observers.observed(writer.query) }
  return {
    ...shared,
    file,
    turns: writer.turns,
    query: observers.observed(query),
    transaction: (work) => runTransaction(inside, writer, work),
    observe: (listener) => observers.add(listener),
    ping: async () => void (await query({ sql: 'SELECT 1', access: 'read' }, [])),
    close: () =>
      writer.turns.run(async () => {
        await long?.close()
        reader?.handle.close()
        closeWriter(writer.handle)
      }),
    kysely: ({ dateColumns = [] } = {}) =>
      new Kysely({
        dialect: sqliteDialect({ file, reader, long, writer, observers }, dateColumns),
      }),
    migrating: (work) =>
      writer.turns.run(() => migrateSqlite(writer.handle, writer.whenFree.bind(writer), work)),
  }
}
