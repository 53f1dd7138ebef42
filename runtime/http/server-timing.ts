import { AsyncLocalStorage } from 'node:async_hooks'
import type { MiddlewareHandler } from 'hono'
import type { Database } from '../database/types.js'
import { setHeader } from './context.js'

/**
 * Development: `Server-Timing: db;desc="3 statements";dur=1.2` on each answer, shown by the
 * browser's network panel. Not in production: following each request through its awaits costs
 * more than some requests do.
 */
export function serverTiming(database: Pick<Database, 'observe'>): MiddlewareHandler {
  const current = new AsyncLocalStorage<{ statements: number; milliseconds: number }>()
  database.observe(() => {
    const tally = current.getStore()
    if (tally === undefined) return
    const start = performance.now()
    tally.statements += 1
    return () => void (tally.milliseconds += performance.now() - start)
  })
  return async (c, next) => {
    const tally = { statements: 0, milliseconds: 0 }
    await current.run(tally, next)
    const plural = tally.statements === 1 ? '' : 's'
    const time = tally.milliseconds.toFixed(1)
    setHeader(c, 'Server-Timing', `db;desc="${tally.statements} statement${plural}";dur=${time}`)
  }
}
