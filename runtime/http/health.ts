import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'hono'
import { pendingMigrations } from '../database/migrations/pending.js'
import type { Database } from '../database/types.js'

/** The process runs. */
export const health = (c: Context) => c.json({ status: 'ok' })

/** Milliseconds the database has to answer. */
const timeoutMs = 2_000

/** 200 (send requests here) when the database answers and every migration is applied, else 503. */
export function ready(database: Pick<Database, 'ping' | 'dialect' | 'query'>, folder: string) {
  // The folder stays as it is while the server runs: what was applied once is not asked again.
  let isMigrated = false
  const pending = async (): Promise<readonly string[]> => {
    await database.ping()
    const names = isMigrated ? [] : await pendingMigrations(database, folder)
    isMigrated = names.length === 0
    return names
  }
  return async (c: Context) => {
    const late = sleep(timeoutMs, null, { ref: false })
    const names = await Promise.race([pending(), late]).catch(() => null)
    if (names?.length === 0) return c.json({ status: 'ready' })
    const message =
      names === null
        ? 'The database does not answer.'
        : `Migrations are pending: ${names.join(', ')}.`
    return c.json({ status: 'not ready', message }, 503)
  }
}
