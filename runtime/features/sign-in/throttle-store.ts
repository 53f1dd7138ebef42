import { RateLimiterRes } from 'rate-limiter-flexible'
import { columnOf } from '../../model/columns.js'
import type { Database, Dialect, Statement } from '../../database/types.js'
import { mark } from './users.js'

interface Settings {
  readonly keyPrefix: string
  readonly points: number
  /** Seconds. */
  readonly duration: number
}

/** Counts attempts; refuses with a RateLimiterRes. */
export interface Limiter {
  consume(key: string): Promise<RateLimiterRes>
}

/** Milliseconds between two clearings of what is over. */
const sweepInterval = 60_000

/** Used-up counters that one process remembers. */
const most = 10_000

/**
 * Counters in the table `rate_limits`: one statement per attempt, right for any number of
 * processes. The limiters of `rate-limiter-flexible` for databases each want a driver of their own.
 */
export function databaseLimiter(database: Database, settings: Settings): Limiter {
  const { dialect } = database
  const { keyPrefix, points, duration } = settings
  const time = columnOf('expires_at', 'dateTime', database)
  const at = (moment: number) => time.encode(new Date(moment).toISOString())
  let swept = Date.now()
  // When each used-up counter ends: until then a refusal costs no statement.
  const usedUp = new Map<string, number>()

  const sweepNow = async (now: number) => {
    if (now - swept < sweepInterval) return
    swept = now
    for (const [key, end] of usedUp) if (end <= now) usedUp.delete(key)
    await database.query(sweep(dialect), [at(now)])
  }

  return {
    consume: async (key) => {
      const now = Date.now()
      const end = usedUp.get(key) ?? 0
      if (end > now) throw new RateLimiterRes(0, end - now, points + 1, false)
      await sweepNow(now)
      const parameters = [`${keyPrefix}:${key}`, 1, at(now + duration * 1000), at(now), at(now)]
      const [row] = await database.query(count(dialect), parameters)
      const consumed = Number(row?.[0])
      const expires = Date.parse(String(time.decode?.(row?.[1]) ?? row?.[1]))
      const left = Math.max(0, points - consumed)
      const state = new RateLimiterRes(left, Math.max(0, expires - now), consumed, consumed === 1)
      if (consumed > points) {
        if (usedUp.size >= most) usedUp.clear()
        usedUp.set(key, expires)
        throw state
      }
      return state
    },
  }
}

/** A counter that has ended starts anew; the others go on. */
function count(dialect: Dialect): Statement {
  const [key, points, expires] = [1, 2, 3].map((at) => mark(dialect, at))
  const isOver = (at: number) => `rate_limits.expires_at <= ${mark(dialect, at)}`
  const sql =
    `INSERT INTO rate_limits (key, points, expires_at) VALUES (${key}, ${points}, ${expires}) ` +
    `ON CONFLICT (key) DO UPDATE SET ` +
    `points = CASE WHEN ${isOver(4)} THEN excluded.points ` +
    `ELSE rate_limits.points + excluded.points END, ` +
    `expires_at = CASE WHEN ${isOver(5)} THEN excluded.expires_at ELSE rate_limits.expires_at END ` +
    `RETURNING points, expires_at`
  return { access: 'write', sql }
}

const sweep = (dialect: Dialect): Statement => ({
  access: 'write',
  sql: `DELETE FROM rate_limits WHERE expires_at <= ${mark(dialect, 1)}`,
})
