import { createHash } from 'node:crypto'
import { Kysely } from 'kysely'
import pg, { type Pool, type PoolClient } from 'pg'
import type { MigrationSession } from '../migrations/session.js'
import { Observers } from '../observers.js'
import { isStalePlan, mapPostgresError } from './errors.js'
import { postgresDialect } from './kysely.js'
import { migratePostgres } from './migration.js'
import { kernelTypes } from './values.js'
import type { Connection, Database, Parameter, RawRow, Statement } from '../types.js'
import { UnavailableError } from '../unavailable.js'

export interface PostgresDatabase extends Database {
  readonly dialect: 'postgresql'
  /** The one pool, for Prisma and for what else speaks node-pg. */
  readonly pool: Pool
  /** Kysely over the same pool. */
  kysely<Tables>(): Kysely<Tables>
  /** One transaction that no other process can migrate beside: for migrations only. */
  migrating<T>(work: (session: MigrationSession) => Promise<T>): Promise<T>
}

export interface PostgresOptions {
  /** Connections of this process. Default 10. */
  readonly max?: number
  /** Milliseconds a request waits for a free or new connection. Default 10,000. */
  readonly connectionTimeout?: number
  /**
   * Prepared statements one connection keeps on the server; callers choose shapes, so there is a
   * bound. Default 500.
   */
  readonly preparedLimit?: number
  /**
   * Told when an idle connection breaks (the server restarted); the next request opens a new one.
   */
  readonly onIdleError?: (error: Error) => void
}

/** Dates are read as text, so every session must write them alike. */
const session = `SET TIME ZONE 'UTC'; SET datestyle = 'ISO, YMD'`

/**
 * Opens a pool of connections. Statements are prepared by name; rows are arrays, decoded by the
 * kernel.
 */
export function openPostgres(url: string, options: PostgresOptions = {}): PostgresDatabase {
  const pool = openPool(url, options)
  const observers = new Observers()
  const run = createRunner(options.preparedLimit ?? 500)

  async function query(statement: Statement, parameters: readonly Parameter[]): Promise<RawRow[]> {
    const client = await connect(pool)
    try {
      return await run.alone(client, statement, parameters)
    } catch (error) {
      throw mapPostgresError(error)
    } finally {
      client.release(run.isSpent(client))
    }
  }

  async function transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await connect(pool)
    const scope = { open: true }
    let broken: unknown
    try {
      await client.query('BEGIN')
      const result = await work(within(client, scope))
      await client.query('COMMIT')
      return result
    } catch (error) {
      broken = await rollback(client)
      throw mapPostgresError(error)
    } finally {
      scope.open = false
      client.release(broken !== undefined || run.isSpent(client))
    }
  }

  function within(client: PoolClient, scope: { readonly open: boolean }): Connection {
    const send: Connection['query'] = async (statement, parameters) => {
      if (!scope.open) throw new Error('This transaction has ended; its connection cannot be used.')
      try {
        return await run(client, statement, parameters)
      } catch (error) {
        throw mapPostgresError(error)
      }
    }
    return {
      dialect: 'postgresql',
      query: (statement, parameters) =>
        observers.listening
          ? observers.watch(statement, () => send(statement, parameters))
          : send(statement, parameters),
    }
  }

  return {
    dialect: 'postgresql',
    pool,
    query: (statement, parameters) =>
      observers.listening
        ? observers.watch(statement, () => query(statement, parameters))
        : query(statement, parameters),
    transaction,
    observe: (listener) => observers.add(listener),
    ping: async () => void (await pool.query('SELECT 1')),
    close: () => pool.end(),
    kysely: () => new Kysely({ dialect: postgresDialect(pool, observers) }),
    migrating: (work) => migratePostgres(pool, work),
  }
}

function openPool(url: string, options: PostgresOptions): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.connectionTimeout ?? 10_000,
    onConnect: async (client) => void (await client.query(session)),
  })
  // Without a listener, a restart of the database would end this process.
  pool.on('error', (error) => options.onIdleError?.(error))
  return pool
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw new UnavailableError({ cause: error })
  }
}

/** Undefined when the connection is good again. */
async function rollback(client: PoolClient): Promise<unknown> {
  try {
    await client.query('ROLLBACK')
    return undefined
  } catch (error) {
    return error
  }
}

/**
 * Sends statements and counts what each connection has prepared. A connection with too many is
 * closed after use; the pool opens another: simpler than telling the server and the driver to
 * forget one.
 */
function createRunner(preparedLimit: number) {
  const prepared = new WeakMap<PoolClient, Set<string>>()
  const stale = new WeakSet<PoolClient>()

  async function send(client: PoolClient, name: string | undefined, ...[text, values]: Sent) {
    const query = { ...(name === undefined ? {} : { name }), text, values, types: kernelTypes }
    const result = await client.query<unknown[]>({ ...query, rowMode: 'array' })
    return result.rows
  }

  function run(client: PoolClient, statement: Statement, parameters: readonly Parameter[]) {
    const name = nameOf(statement.sql)
    remember(client, name)
    // node-pg does not change the list, it only types it as mutable.
    return send(client, name, statement.sql, parameters as Parameter[])
  }

  function remember(client: PoolClient, name: string): void {
    const names = prepared.get(client)
    if (names === undefined) prepared.set(client, new Set([name]))
    else names.add(name)
  }

  /**
   * Outside a transaction, a statement whose plan another process made stale is sent once more,
   * unprepared.
   */
  run.alone = async (
    client: PoolClient,
    statement: Statement,
    parameters: readonly Parameter[],
  ) => {
    try {
      return await run(client, statement, parameters)
    } catch (error) {
      if (!isStalePlan(error)) throw error
      stale.add(client)
      return await send(client, undefined, statement.sql, parameters as Parameter[])
    }
  }

  run.isSpent = (client: PoolClient): boolean =>
    stale.has(client) || (prepared.get(client)?.size ?? 0) >= preparedLimit

  return run
}

const names = new Map<string, string>()

/** The same text always has the same name. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `svc_${createHash('sha1').update(text).digest('hex').slice(0, 24)}`
  if (names.size >= 2_000) names.clear()
  names.set(text, name)
  return name
}

type Sent = readonly [text: string, values: Parameter[]]
