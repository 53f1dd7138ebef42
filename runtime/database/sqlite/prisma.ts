import type { Statement } from 'better-sqlite3'
import { isSelect } from '../types.js'
import { requireWithDriver } from './driver.js'
import { synchronous } from './handle.js'
import type { Mutex } from './mutex.js'
import type { SqliteDatabase } from './open.js'

const { PrismaBetterSqlite3 } = requireWithDriver('@prisma/adapter-better-sqlite3') as Adapter
type Adapter = typeof import('@prisma/adapter-better-sqlite3')

// Prisma declares these types in a package that is its own dependency and none of this project.
type Factory = Pick<
  InstanceType<Adapter['PrismaBetterSqlite3']>,
  'provider' | 'adapterName' | 'connect'
>
type AdapterConnection = Awaited<ReturnType<Factory['connect']>>
type Transaction = Awaited<ReturnType<AdapterConnection['startTransaction']>>

/**
 * Prisma's adapter for the same file, whose writes take turns with the server's. Reads have a
 * connection of their own: Prisma's adapter would run them inside whatever transaction happens to
 * be open.
 *
 * Inside a `db.transaction()`, do not write through Prisma: the transaction has the turn, so the
 * write would wait for it, and the transaction for the write.
 */
export function prismaSqlite({ file, turns, durability }: SqliteDatabase): Factory {
  if (file === ':memory:') {
    throw new Error(`Prisma cannot reach a database in memory; give DATABASE_URL a file.`)
  }
  const factory = new PrismaBetterSqlite3({ url: file })
  const { provider, adapterName } = factory
  const connect = async () => {
    const writes = withFractions(await factory.connect())
    // As on the server's own connection.
    const settings = ['recursive_triggers = ON', synchronous(durability)]
    await writes.executeScript(settings.map((each) => `PRAGMA ${each};`).join(' '))
    return inTurn(withFractions(await factory.connect()), writes, turns)
  }
  return { provider, adapterName, connect }
}

/**
 * Prisma's adapter knows a column declared `DECIMAL`, and none with digits: the type of that, and
 * of a sum, is the one of its first value, and where that is whole, it cuts all others.
 */
function withFractions(connection: AdapterConnection): AdapterConnection {
  const { client } = connection as unknown as { client: Client } // its types leave it out
  const prepare = client.prepare.bind(client)
  client.prepare = (source) => {
    const statement = prepare(source)
    const [columns, all] = [statement.columns.bind(statement), statement.all.bind(statement)]
    statement.columns = () =>
      columns().map((column) =>
        column.type?.startsWith('DECIMAL(') === true ? { ...column, type: 'DECIMAL' } : column,
      )
    statement.all = (...parameters: unknown[]) => {
      const rows = all(...parameters) as unknown[][] // Prisma's adapter asks for lists of values
      const sums = columns().flatMap(({ type }, at) => (type === null ? [at] : []))
      for (const at of sums) if (rows.some((row) => isFraction(row[at]))) toNumbers(rows, at)
      return rows
    }
    return statement
  }
  return connection
}

/** The driver, as far as it is asked here. */
interface Client {
  prepare(source: string): Statement
}

const isFraction = (value: unknown) => typeof value === 'number' && !Number.isInteger(value)

function toNumbers(rows: unknown[][], at: number): void {
  for (const row of rows) if (typeof row[at] === 'bigint') row[at] = Number(row[at])
}

function inTurn(
  reads: AdapterConnection,
  writes: AdapterConnection,
  turns: Mutex,
): AdapterConnection {
  const { provider, adapterName } = writes
  return {
    provider,
    adapterName,
    queryRaw: (query) =>
      isSelect(query.sql) ? reads.queryRaw(query) : turns.run(() => writes.queryRaw(query)),
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
  let isHeld = true
  const release = () => {
    if (isHeld) turns.release()
    isHeld = false
  }
  const commit = transaction.commit.bind(transaction)
  const rollback = transaction.rollback.bind(transaction)
  // Prisma reads the other members of its own object, so it is kept and two of them are replaced.
  return Object.assign(transaction, {
    commit: () => commit().finally(release),
    rollback: () => rollback().finally(release),
  })
}
