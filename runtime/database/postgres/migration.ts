import { setTimeout as wait } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { SetupError } from '../../setup-error.js'
import type { MigrationSession } from '../migrations/session.js'

/**
 * The number Prisma locks while it migrates, so that its command line and this server take turns.
 */
const lock = 72_707_369

/** Milliseconds to wait for another process that is migrating, and between two looks. */
const patience = 60_000
const pause = 100

/**
 * Instances that start together take turns; the lock ends with the transaction, also when the
 * process dies.
 */
export function migratePostgres<T>(
  pool: Pool,
  work: (session: MigrationSession) => Promise<T>,
): Promise<T> {
  return connected(pool, async (client) => {
    await untilMine(async () => {
      await client.query('BEGIN')
      if (await tryLock(client, 'pg_try_advisory_xact_lock')) return true
      await client.query('ROLLBACK')
      return false
    })
    const result = await work(createSession(client))
    await client.query('COMMIT')
    return result
  })
}

/** The same without a transaction; the lock ends with the connection. */
export function migratePostgresBare<T>(
  pool: Pool,
  work: (session: MigrationSession) => Promise<T>,
): Promise<T> {
  return connected(pool, async (client) => {
    await untilMine(() => tryLock(client, 'pg_try_advisory_lock'))
    const result = await work(createSession(client))
    await client.query(`SELECT pg_advisory_unlock(${lock})`)
    return result
  })
}

/** A broken transaction goes with its connection, and so does a lock. */
async function connected<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(pool)
  let failed = true
  try {
    const result = await work(client)
    failed = false
    return result
  } finally {
    client.release(failed)
  }
}

/**
 * Asks again and again instead of waiting inside a statement: `CREATE INDEX CONCURRENTLY` waits
 * for every statement that began before it, so the two would wait for each other.
 */
async function untilMine(isMine: () => Promise<boolean>): Promise<void> {
  const last = Date.now() + patience
  while (!(await isMine())) {
    if (Date.now() > last) throw new SetupError('Another process has been migrating for a minute.')
    await wait(pause)
  }
}

async function tryLock(client: PoolClient, call: string): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>(`SELECT ${call}(${lock}) AS mine`)
  return rows[0]?.mine === true
}

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

function createSession(client: PoolClient): MigrationSession {
  return {
    run: async (sql) => void (await client.query(sql)),
    query: async (sql, parameters = []) => {
      const result = await client.query<unknown[]>({
        text: sql,
        values: [...parameters],
        rowMode: 'array',
      })
      return result.rows
    },
  }
}
