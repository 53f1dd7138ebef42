import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'hono'
import { pendingMigrations } from '../database/migrations/pending.js'
import type { Database } from '../database/types.js'

/** The process runs. */
export const health = (c: Context) => c.json({ status: 'ok' })

/** Milliseconds the database has to answer. */
const patience = 2_000

/**
 * 200 when the database answers and has every migration saved in the folder, else 503: whether to
 * send requests here.
 */
export function ready(database: Pick<Database, 'ping' | 'dialect' | 'query'>, folder: string) {
  const late = async (signal: AbortSignal) => {
    await sleep(patience, undefined, { signal, ref: false })
    throw new Error('The database did not answer in time.')
  }
  // The folder stays as it is while the server runs: what was applied once is not asked again.
  let isMigrated = false
  const check = async (): Promise<readonly string[]> => {
    await database.ping()
    if (isMigrated) return []
    const pending = await pendingMigrations(database, folder)
    isMigrated = pending.length === 0
    return pending
  }
  return async (c: Context) => {
    const timer = new AbortController()
    try {
      const pending = await Promise.race([check(), late(timer.signal)])
      if (pending.length === 0) return c.json({ status: 'ready' })
      const message = `Migrations are pending: ${pending.join(', ')}.`
      return c.json({ status: 'not ready', message }, 503)
    } catch {
      return c.json({ status: 'not ready', message: 'The database does not answer.' }, 503)
    } finally {
      timer.abort()
    }
  }
}
