import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  Transaction,
} from '@prisma/driver-adapter-utils'
import type { Mutex } from './mutex.js'
import { requireWithDriver } from './sqlite-driver.js'
import type { SqliteDatabase } from './sqlite.js'

const { PrismaBetterSqlite3 } = requireWithDriver('@prisma/adapter-better-sqlite3') as Adapter
type Adapter = typeof import('@prisma/adapter-better-sqlite3')

/**
 * Prisma's adapter for the same file, whose writes take turns with the server's. Reads have a
 * connection of their own: Prisma's adapter would run them inside whatever transaction happens to
 * be open.
 *
 * A hook inside a transaction of the server must not write through Prisma: the turn is taken, and
 * it would wait for itself.
 */
export function prismaSqlite(database: SqliteDatabase): SqlDriverAdapterFactory {
  if (database.file === ':memory:') {
    throw new Error(`Prisma cannot reach a database in memory; give DATABASE_URL a file.`)
  }
  const factory = new PrismaBetterSqlite3({ url: database.file })
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => inTurn(await factory.connect(), await factory.connect(), database.writes),
  }
}

function inTurn(reads: SqlDriverAdapter, writes: SqlDriverAdapter, turns: Mutex): SqlDriverAdapter {
  const { provider, adapterName } = writes
  return {
    provider,
    adapterName,
    queryRaw: (query) =>
      isRead(query) ? reads.queryRaw(query) : turns.run(() => writes.queryRaw(query)),
    executeRaw: (query) => turns.run(() => writes.executeRaw(query)),
    executeScript: (script) => turns.run(() => writes.executeScript(script)),
    startTransaction: async (isolation) => {
      await turns.acquire()
      try {
        return releasing(await writes.startTransaction(isolation), turns)
      } catch (error) {
        turns.release()
        throw error
      }
    },
    dispose: async () => {
      await reads.dispose()
      await writes.dispose()
    },
  }
}

/** Gives the turn back when the transaction ends, whichever way. */
function releasing(transaction: Transaction, turns: Mutex): Transaction {
  let held = true
  const release = () => {
    if (held) turns.release()
    held = false
  }
  const commit = transaction.commit.bind(transaction)
  const rollback = transaction.rollback.bind(transaction)
  // Prisma reads the other members of its own object, so it is kept and two of them are replaced.
  return Object.assign(transaction, {
    commit: () => commit().finally(release),
    rollback: () => rollback().finally(release),
  })
}

const isRead = (query: SqlQuery) => /^\s*select\b/i.test(query.sql)
