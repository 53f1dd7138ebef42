import { Kysely } from 'kysely'
import pg, { type ClientBase, type Pool } from 'pg'
import type { Caller } from '../caller.js'
import type { Migratable } from '../migrations/session.js'
import { Observers } from '../observers.js'
import type { StatementLimits } from '../statement-limits.js'
import { runTransaction } from '../transaction.js'
import type { Connection, Database, Durability, Parameter, RawRow, Statement } from '../types.js'
import { Connections, oneStatement, oneTransaction } from './connections.js'
import { RepeatableError } from './errors.js'
import { insideDialect, postgresDialect } from './kysely.js'
import { LimitedReads } from './limited-reads.js'
import { migratePostgres } from './migration.js'
import { command, processOf, Statements } from './statements.js'
import { rowTypes, rowTypesWithBigIntegers } from './values.js'

export interface PostgresDatabase extends Database, Migratable {
  readonly dialect: 'postgresql'
  /** The one pool, for Prisma and for what else speaks node-pg. */
  readonly pool: Pool
  /**
   * Kysely over the same pool. `bigIntegers`: row types have fields of 64 bits, which are text; all
   * numbers of 64 bits are then, counts too.
   */
  kysely<Tables>(options?: KyselyOptions): Kysely<Tables>
  /** Hands what callers read to `read`, which reads it in a replica, or `here`. */
  readElsewhere(read: ReadElsewhere): void
}

interface KyselyOptions {
  readonly bigIntegers?: boolean
}

const typesFor = ({ bigIntegers = false }: KyselyOptions = {}) =>
  bigIntegers ? rowTypesWithBigIntegers : rowTypes

export type ReadElsewhere = (
  statement: Statement,
  parameters: readonly Parameter[],
  caller: Caller,
  here: () => Promise<RawRow[]>,
) => Promise<RawRow[]>

export interface PostgresOptions {
  /** `limits` of config/svc.ts. Default: none. */
  readonly limits?: StatementLimits
  /** `durability` of config/svc.ts. Default: full, which is as the database is set up. */
  readonly durability?: Durability
  /** Connections of this process. Default 10. */
  readonly max?: number
  /** Milliseconds a request waits for a free or new connection. Default 10,000. */
  readonly connectionTimeoutMs?: number
  /**
   * Prepared statements one connection keeps on the server; callers choose shapes, so there is a
   * bound. Default 500.
   */
  readonly preparedLimit?: number
  /**
   * Called when an idle connection breaks (the server restarted); the next request opens a new
   * one.
   */
  readonly onIdleError?: (error: Error) => void
}

/** Dates are read as text, so every session must write them alike. */
function sessionSettings({ limits, durability }: PostgresOptions, client: ClientBase): string {
  const timeout = `SET statement_timeout = ${limits?.statement_ms ?? 0}`
  const settings = [`SET TIME ZONE 'UTC'`, `SET datestyle = 'ISO, YMD'`, timeout, withoutJit]
  if (durability === 'relaxed') settings.push(relaxedUnlessPooled(client))
  return [...settings, 'SHOW server_version'].join('; ')
}

/**
 * PostgreSQL compiles what it believes to be dear: the tests of one search tree for 10 to 45 s, which
 * neither a timeout nor a cancel ends. Interpreted, it takes 27 to 95 ms. Databases that have no such
 * setting refuse its name.
 */
const withoutJit = `SELECT set_config(name, 'off', false) FROM pg_settings WHERE name = 'jit'`

/**
 * A pooler's connections serve others after this one, who may want their writes on the disk: there
 * it is the role that is relaxed.
 */
const relaxedUnlessPooled = (client: ClientBase): string =>
  `SELECT set_config('synchronous_commit', 'off', false) WHERE pg_backend_pid() = ${processOf(client) ?? 'NULL'}`

/** Opens a pool of connections. Statements are prepared by name; rows are arrays. */
export function openPostgres(url: string, options: PostgresOptions = {}): PostgresDatabase {
  const pool = openPool(url, options)
  const observers = new Observers()
  const statements = new Statements(options.preparedLimit ?? 500)
  const shared = { dialect: 'postgresql' } as const

  const connections = new Connections(pool)
  const reads = new LimitedReads(connections, statements, options.limits)

  let elsewhere: ReadElsewhere = (_statement, _parameters, _caller, here) => here()

  const query = observers.observed(async (statement, parameters, caller) => {
    if (caller !== undefined) {
      const here = () => {
        const assumption = caller.takeAssumption()
        return observers.beside(assumption && assumption.statement, () =>
          reads.query(statement, parameters, caller, assumption),
        )
      }
      return elsewhere(statement, parameters, caller, here)
    }
    const client = await connections.lend(oneStatement)
    try {
      return await statements.queryAlone(client, statement, parameters)
    } finally {
      connections.giveBack(client, oneStatement, statements.isSpent(client))
    }
  })

  async function transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await connections.lend(oneTransaction)
    const inside = observers.observed((statement, parameters) =>
      statements.query(client, statement, parameters),
    )
    const kyselyInside = (options: KyselyOptions | undefined, isOpen: () => boolean) =>
      new Kysely({ dialect: insideDialect(client, observers, typesFor(options), isOpen) })
    let isBroken = false
    const control = {
      begin: () => command(client, 'BEGIN'),
      commit: () => command(client, 'COMMIT'),
      rollback: () => client.query('ROLLBACK').catch(() => (isBroken = true)),
    }
    try {
      return await runTransaction({ query: inside, kyselyInside, ...shared }, control, work)
    } finally {
      connections.giveBack(client, oneTransaction, isBroken || statements.isSpent(client))
    }
  }

  return {
    ...shared,
    pool,
    query: Object.assign(query, { mayAssume: true as const }),
    transaction: (work) => retried(() => transaction(work)),
    observe: (listener) => observers.add(listener),
    ping: async () => void (await pool.query('SELECT 1')),
    close: () => pool.end(),
    kysely: (options) =>
      new Kysely({ dialect: postgresDialect(pool, observers, typesFor(options)) }),
    migrating: (work) => migratePostgres(pool, work),
    hasSnapshots: () => snapshots.get(pool) === true,
    readElsewhere: (read) => void (elsewhere = read),
  }
}

/** Connections as every statement of this server expects them. */
export function openPool(url: string, options: PostgresOptions): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 10_000,
    onConnect: async (client) => {
      const results: unknown = await client.query(sessionSettings(options, client))
      noteVersion(pool, results)
    },
  })
  // Without a listener, a restart of the database would end this process.
  pool.on('error', (error) => options.onIdleError?.(error))
  // So would one below a statement or between two of a transaction: those who use it learn of it.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Pools whose connections all lead to a PostgreSQL that has `pg_current_snapshot()`: 13 and later. */
const snapshots = new WeakMap<Pool, boolean>()

/**
 * Databases that speak like PostgreSQL and store otherwise have versions like `15.2-YB-2.25` or
 * `13.0.0`; their snapshots, if they have any, may mean nothing.
 */
function noteVersion(pool: Pool, results: unknown): void {
  // Several statements have a list of results, of which this is the last one.
  const last = [results as pg.QueryResult<object> | readonly pg.QueryResult<object>[]].flat().at(-1)
  const version = String(Object.values(last?.rows[0] ?? {})[0])
  const [, major = '0'] = /^(\d+)\.\d+(?: |$)/.exec(version) ?? []
  snapshots.set(pool, snapshots.get(pool) !== false && Number(major) >= 13)
}

async function retried<T>(transaction: () => Promise<T>): Promise<T> {
  for (let left = 3; ; left--) {
    try {
      return await transaction()
    } catch (error) {
      if (!(error instanceof RepeatableError) || left === 0) throw error
    }
  }
}
