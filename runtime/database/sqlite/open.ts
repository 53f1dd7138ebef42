import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely } from 'kysely'
import type { MigrationSession } from '../migrations/session.js'
import { Mutex } from './mutex.js'
import { Observers } from '../observers.js'
import { isBusy, mapSqliteError } from './errors.js'
import { createRunner, openReader, openWriter, sqliteFile, type Handle } from './handle.js'
import { sqliteDialect, type SqliteKyselyOptions } from './kysely.js'
import { migrateSqlite } from './migration.js'
import type { Connection, Database, Statement } from '../types.js'

export interface SqliteDatabase extends Database {
  readonly dialect: 'sqlite'
  /** Path of the file, or `:memory:`. */
  readonly file: string
  /** Turns at writing, for every library that writes to this file from this process. */
  readonly writes: Mutex
  /** Kysely over the same connections: reads beside the writer, writes in turn. */
  kysely<Tables>(options?: SqliteKyselyOptions): Kysely<Tables>
  /**
   * One transaction which nobody else can write beside, with foreign keys off: for migrations
   * only.
   */
  migrating<T>(work: (session: MigrationSession) => Promise<T>): Promise<T>
}

export interface SqliteOptions {
  /**
   * Milliseconds a write waits for its turn, and for another process that writes. Default 30,000
   * and 5,000.
   */
  readonly turnPatience?: number
  readonly busyPatience?: number
}

const begin: Statement = { sql: 'BEGIN IMMEDIATE', access: 'write' }
const commit: Statement = { sql: 'COMMIT', access: 'write' }
const rollback: Statement = { sql: 'ROLLBACK', access: 'write' }
const answer: Statement = { sql: 'SELECT 1', access: 'read' }

/**
 * Opens a SQLite file (WAL): one connection that writes, in turns, and one that reads beside it.
 * A second writer in the same process would block the event loop while a transaction waits on an
 * `await`, so there is none.
 */
export function openSqlite(url: string, options: SqliteOptions = {}): SqliteDatabase {
  const file = sqliteFile(url)
  const inMemory = file === ':memory:'
  const writer = openWriter(file)
  // A database in memory belongs to one connection; its reads take turns with its writes.
  const reader = inMemory ? writer : openReader(file)
  const write = createRunner(writer)
  const read = inMemory ? write : createRunner(reader)
  const writes = new Mutex(options.turnPatience)
  const observers = new Observers()
  const busyPatience = options.busyPatience ?? 5_000

  const attempt = <T>(work: () => T, patience = busyPatience) => whenFree(work, patience)

  async function query(...[statement, parameters]: Parameters<Connection['query']>) {
    try {
      if (statement.access === 'read' && !inMemory) return read(statement, parameters)
      if (!writes.tryAcquire()) await writes.acquire()
      try {
        return await attempt(() => write(statement, parameters))
      } finally {
        writes.release()
      }
    } catch (error) {
      throw mapSqliteError(error)
    }
  }

  async function transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const scope = { open: true }
    return writes.run(async () => {
      try {
        await attempt(() => write(begin, []))
        const result = await work(within(scope))
        write(commit, [])
        return result
      } catch (error) {
        if (writer.inTransaction) write(rollback, [])
        throw mapSqliteError(error)
      } finally {
        scope.open = false
      }
    })
  }

  function within(scope: { readonly open: boolean }): Connection {
    const run: Connection['query'] = async (statement, parameters) => {
      if (!scope.open) throw new Error('This transaction has ended; its connection cannot be used.')
      try {
        return write(statement, parameters)
      } catch (error) {
        throw mapSqliteError(error)
      }
    }
    return {
      dialect: 'sqlite',
      query: (statement, parameters) =>
        observers.listening
          ? observers.watch(statement, () => run(statement, parameters))
          : run(statement, parameters),
    }
  }

  return {
    dialect: 'sqlite',
    file,
    writes,
    query: (statement, parameters) =>
      observers.listening
        ? observers.watch(statement, () => query(statement, parameters))
        : query(statement, parameters),
    transaction,
    observe: (listener) => observers.add(listener),
    ping: async () => void (await query(answer, [])),
    close: async () => {
      await writes.acquire()
      try {
        if (!inMemory) reader.close()
        closeWriter(writer)
      } finally {
        writes.release()
      }
    },
    kysely: (kyselyOptions = {}) =>
      new Kysely({
        dialect: sqliteDialect(
          { file, inMemory, writer, reader, writes, observers, attempt },
          kyselyOptions,
        ),
      }),
    migrating: (work) => writes.run(() => migrateSqlite(writer, attempt, work)),
  }
}

/** Another process may be writing: tries again without blocking this one. */
async function whenFree<T>(work: () => T, patience: number): Promise<T> {
  const deadline = performance.now() + patience
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await sleep(10)
    }
  }
}

function closeWriter(writer: Handle): void {
  if (!writer.open) return
  try {
    writer.pragma('optimize')
    forgetSmallTables(writer)
  } catch (error) {
    // Another process writes, and counts when it stops.
    if (!isBusy(error)) throw error
  } finally {
    writer.close()
  }
}

/**
 * SQLite plans by what it counts here, until the next time: of a table with few rows it would read
 * them all, also when there are a million. Of one that was not counted it expects many.
 */
function forgetSmallTables(writer: Handle): void {
  const counts = writer.prepare(`select 1 from sqlite_schema where name = 'sqlite_stat1'`).get()
  if (counts === undefined) return
  const small =
    'select tbl from sqlite_stat1 group by tbl having max(cast(stat as integer)) < 10000'
  writer.exec(`delete from sqlite_stat1 where tbl in (${small})`)
}
