import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'hono'
import type { Database } from '../database/types.js'

/** The process runs. */
export const health = (c: Context) => c.json({ status: 'ok' })

/** Milliseconds the database has to answer. */
const patience = 2_000

/** 200 when the database answers, else 503: whether to send requests here. */
export function ready(database: Pick<Database, 'ping'>) {
  const late = async (signal: AbortSignal) => {
    await sleep(patience, undefined, { signal, ref: false })
    throw new Error('The database did not answer in time.')
  }
  return async (c: Context) => {
    const timer = new AbortController()
    try {
      await Promise.race([database.ping(), late(timer.signal)])
      return c.json({ status: 'ready' })
    } catch {
      return c.json({ status: 'not ready', message: 'The database does not answer.' }, 503)
    } finally {
      timer.abort()
    }
  }
}
