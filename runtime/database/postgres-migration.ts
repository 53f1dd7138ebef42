import type { Pool, PoolClient } from 'pg'
import { SetupError } from '../setup-error.js'
import type { MigrationSession } from './migration-session.js'

/**
 * The number Prisma locks while it migrates, so that its command line and this server take turns.
 */
const lock = 72_707_369

/**
 * Instances that start together take turns; the lock ends with the transaction, also when the
 * process dies.
 */
export async function migratePostgres<T>(
  pool: Pool,
  work: (session: MigrationSession) => Promise<T>,
): Promise<T> {
  const client = await connect(pool)
  let failed = true
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = '60s'`)
    await client.query(`SELECT pg_advisory_xact_lock(${lock})`)
    await client.query(`SET LOCAL lock_timeout = 0`)
    const result = await work(createSession(client))
    await client.query('COMMIT')
    failed = false
    return result
  } finally {
    // A broken transaction goes with its connection.
    client.release(failed)
  }
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
