import { Kysely } from 'kysely'
import type { Later } from '../../later.js'
import { charactersOf } from '../memory.js'
import type { Migratable } from '../migrations/session.js'
import { Observers } from '../observers.js'
import { runTransaction, type TransactionConnection } from '../transaction.js'
import type { Database, Durability, Query, RawRow } from '../types.js'
import { SqliteConnection } from './connection.js'
import { closeWriter, openReader, sqliteFile } from './handle.js'
import { type NamedColumns, sqliteDialect } from './kysely.js'
import { migrateSqlite } from './migration.js'
import type { Mutex } from './mutex.js'
import { type SqliteOptions, Writer } from './writer.js'

export interface SqliteDatabase extends Database, Migratable {
  readonly dialect: 'sqlite'
  /** Path of the file, or `:memory:`. */
  readonly file: string
  /** The durability of every connection that writes to this file from this process. */
  readonly durability: Durability
  /** Turns at writing, for every library that writes to this file from this process. */
  readonly turns: Mutex
  /**
   * Kysely over the same connections: reads beside the writer, writes in turn. `dateColumns` are
   * the `table.column` of calendar dates, read as `2026-02-03`: SQLite declares them like points
   * in time, so they must be named; `bigColumns` those of 64 bits, read as text with all digits.
   */
  kysely<Tables>(options?: NamedColumns): Kysely<Tables>
}

/** Opens a SQLite file (WAL): a connection that writes, in turns, and one that reads beside it. */
export function openSqlite(url: string, options: SqliteOptions = {}): SqliteDatabase {
  const file = sqliteFile(url)
  const writer = new Writer(file, options)
  // A database in memory belongs to one connection; its reads take turns with its writes.
  const reader = file === ':memory:' ? null : new SqliteConnection(openReader(file), options.limits)
  const long = (reader && options.longReads?.(file, reader)) ?? null
  const observers = new Observers()

  // A read is over when it was begun; only what waits for its turn or for memory has a promise.
  const soon: Query<Later<RawRow[]>> = (statement, parameters, caller) => {
    caller?.check()
    if (reader === null || statement.access === 'write') {
      return writer.inTurn(statement.sql, () => writer.answer(statement, parameters, caller))
    }
    const rows = long?.query(statement.sql, parameters, caller) ?? null
    if (rows !== null) return rows
    const holding = caller?.holding ?? null
    if (holding === null) return reader.answer(statement, parameters, caller)
    const answer = () => {
      const found = reader.answer(statement, parameters, caller)
      holding.addCharacters(charactersOf(found))
      return found
    }
    if (holding.memory.mayBegin(holding)) return answer()
    return holding.memory.wait(holding).then(() => {
      caller?.check()
      return answer()
    })
  }
  const query: Query = async (...call) => soon(...call)

  const kysely = <Tables>(named: NamedColumns = {}, isInside?: () => boolean) =>
    new Kysely<Tables>({
      dialect: sqliteDialect({ file, reader, long, writer, observers }, named, isInside),
    })
  const shared = { dialect: 'sqlite' } as const
  const inside: TransactionConnection = {
    ...shared,
    query: observers.observed(writer.query),
    kyselyInside: (named, isOpen) => kysely(named, isOpen),
  }
  return {
    ...shared,
    file,
    durability: options.durability ?? 'full',
    turns: writer.turns,
    query: Object.assign(observers.observed(query), { soon: observers.observed(soon) }),
    transaction: (work) => runTransaction(inside, writer, work),
    observe: (listener) => observers.add(listener),
    ping: async () => void (await query({ sql: 'SELECT 1', access: 'read' }, [])),
    close: () =>
      writer.turns.run(async () => {
        await long?.close()
        reader?.handle.close()
        closeWriter(writer.handle)
      }),
    kysely,
    migrating: (work) =>
      writer.turns.run(() => migrateSqlite(writer.handle, writer.whenFree.bind(writer), work)),
  }
}
