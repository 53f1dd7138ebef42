import { setTimeout as wait } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { SetupError } from '../../setup-error.js'
import type { MigrationSession } from '../migrations/session.js'
import { processOf } from './statements.js'
import { isRefusedInside, runAlone } from './without-transaction.js'

/**
 * The number Prisma locks while it migrates, so that its command line and this server take turns.
 */
const lock = 72_707_369

/** Milliseconds to wait for another process that is migrating, and between two looks. */
const lockTimeoutMs = 60_000
const pause = 100

/**
 * Instances that start together take turns; the lock ends with the transaction, also when the
 * process dies. A broken transaction goes with its connection, and so does a lock.
 */
export async function migratePostgres<T>(
  pool: Pool,
  work: (session: MigrationSession) => Promise<T>,
): Promise<T> {
  const client = await connect(pool)
  try {
    await begin(client)
    const result = await work(createSession(client))
    // After `runAlone` there is no transaction, which is not an error.
    await client.query('COMMIT; SELECT pg_advisory_unlock_all()')
    return result
  } finally {
    client.release(true)
  }
}

/**
 * Asks again and again instead of waiting inside a statement: `CREATE INDEX CONCURRENTLY` waits
 * for every statement that began before it, so the two would wait for each other.
 */
async function begin(client: PoolClient): Promise<void> {
  const last = performance.now() + lockTimeoutMs
  for (;;) {
    // Tables of any size; for this transaction only, as its connection may be a pooler's.
    await client.query('BEGIN; SET LOCAL statement_timeout = 0')
    const { rows } = await client.query(`SELECT pg_try_advisory_xact_lock(${lock}) AS is_mine`)
    if (rows[0]?.is_mine === true) break
    await client.query('ROLLBACK')
    if (performance.now() > last)
      throw new SetupError('Another process has been migrating for a minute.')
    await wait(pause)
  }
  await client.query('SAVEPOINT begun')
}

/** Nothing of it is left, and the lock is the connection's: it is had already, so at once. */
async function leaveTransaction(client: PoolClient): Promise<void> {
  await client.query('ROLLBACK TO SAVEPOINT begun')
  if (await isPooled(client)) throw new SetupError(needsDirect)
  await client.query(`SELECT pg_advisory_lock(${lock})`)
  await client.query('ROLLBACK; SET statement_timeout = 0')
}

async function isPooled(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid !== processOf(client)
}

const needsDirect = `This migration cannot run in a transaction, and DATABASE_URL leads to a pooler
  why    its lock is held by one connection, and a pooler may give each statement another
  fix    run it once with the address of PostgreSQL itself: DATABASE_URL=postgresql://… npm run migrate`

/** The first thing a server does with its database, so the place to say that there is none. */
async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    const text = error instanceof Error && error.message !== '' ? `: ${error.message}` : ''
    throw new SetupError(`The PostgreSQL of DATABASE_URL cannot be used${code}${text}`, {
      cause: error,
    })
  }
}

/** A view or another object that needs the column: PostgreSQL names it beside its message. */
function refuseByName(error: unknown): never {
  const { code, detail, message } = error as { code?: string; detail?: string; message?: string }
  if (detail === undefined || (code !== '0A000' && code !== '2BP01')) throw error
  const [, name] = /\bview (\S+) depends\b/.exec(detail) ?? []
  const way =
    name === undefined
      ? 'Drop that object before the first statement of the migration, and make it again after the last.'
      : `Write DROP VIEW ${name}; before the first statement of the migration, and what makes the view again after the last.`
  throw new Error(`${message}: ${detail}.\n  ${way}`, { cause: error })
}

function createSession(client: PoolClient): MigrationSession {
  const session: MigrationSession = {
    dialect: 'postgresql',
    run: async (sql) => void (await client.query(sql).catch(refuseByName)),
    query: async (sql, parameters = []) => {
      const query = { text: sql, values: [...parameters], rowMode: 'array' } as const
      return (await client.query<unknown[]>(query)).rows
    },
    runAlone: async (migration, refusal) => {
      if (!isRefusedInside(refusal)) return false
      await leaveTransaction(client)
      await runAlone(session, migration)
      return true
    },
  }
  return session
}
