import type { Database } from '../../database/types.js'
import { Counters } from '../../http/counters.js'
import { sql, type Sql, write } from '../../sql/sql.js'
import { readTime, storedTime } from './times.js'

interface LimiterSettings {
  readonly keyPrefix: string
  readonly points: number
  /** Seconds. */
  readonly duration: number
}

export interface Limiter {
  /** Counts an attempt; milliseconds to wait where it was one too many, else 0. */
  consume(key: string): Promise<number>
  /** It was none after all. */
  giveBack(key: string): Promise<void>
}

/** Milliseconds between two clearings of what is over. */
const sweepInterval = 60_000

/** Used-up counters that one process remembers. */
const most = 10_000

/** Counters that one process has, for all throttles together: 10 MB. */
const mostInMemory = 50_000

/**
 * Counters of this process alone, all in one place that is bounded: a caller with ever new addresses
 * and e-mails makes the oldest be forgotten, instead of the memory full.
 */
export function memoryLimiters(): (settings: LimiterSettings) => Limiter {
  const counters = new Counters(mostInMemory)
  return ({ keyPrefix, points, duration }) => ({
    consume: async (key) => {
      const { count, end } = counters.add(`${keyPrefix}:${key}`, duration)
      return count <= points ? 0 : Math.max(1, end - performance.now())
    },
    giveBack: async (key) => counters.giveBack(`${keyPrefix}:${key}`),
  })
}

/**
 * Counters in the table `rate_limits`: one statement per attempt, right for any number of
 * processes. Not the stores of `rate-limiter-flexible`: each wants a driver and a table form of its
 * own, and that for SQLite writes on the event loop, beside our queue of writers.
 */
export function databaseLimiter(database: Database, settings: LimiterSettings): Limiter {
  const { keyPrefix, points, duration } = settings
  let swept = performance.now()
  // When each used-up counter ends, by the clock that does not jump: no statement until then.
  const usedUp = new Map<string, number>()

  // Trying counts, whatever becomes of what was tried.
  const lasting = (query: Sql) => {
    const work = () => write(database, query)
    return database.lasting?.(work) ?? work()
  }

  const sweep = async (at: number) => {
    if (at - swept < sweepInterval) return
    swept = at
    for (const [key, end] of usedUp) if (end <= at) usedUp.delete(key)
    await lasting(sql`DELETE FROM rate_limits WHERE expires_at <= ${storedTime(database)}`)
  }

  const consume = async (key: string): Promise<number> => {
    const at = performance.now()
    const wait = (usedUp.get(key) ?? 0) - at
    if (wait > 0) return wait
    await sweep(at)
    const now = Date.now()
    const time = (ms: number) => storedTime(database, now + ms)
    const values = sql`${`${keyPrefix}:${key}`}, 1, ${time(duration * 1000)}`
    // A counter that has ended starts anew, and so does one that a clock made that went back since;
    // the clocks of several machines may differ by as much as it counts. The others go on.
    const isOver = sql`rate_limits.expires_at NOT BETWEEN ${time(1)} AND ${time(duration * 2000)}`
    const [row] = await lasting(
      sql`INSERT INTO rate_limits (key, points, expires_at) VALUES (${values})
        ON CONFLICT (key) DO UPDATE SET
          points = CASE WHEN ${isOver} THEN 1 ELSE rate_limits.points + 1 END,
          expires_at = CASE WHEN ${isOver} THEN excluded.expires_at ELSE rate_limits.expires_at END
        RETURNING points, expires_at`,
    )
    if (Number(row?.[0]) <= points) return 0
    const left = Math.max(1, Date.parse(readTime(database, row?.[1]) ?? '') - now)
    if (usedUp.size >= most) usedUp.clear()
    usedUp.set(key, at + left)
    return left
  }

  const giveBack = async (key: string): Promise<void> => {
    usedUp.delete(key)
    const named = sql`key = ${`${keyPrefix}:${key}`} AND points > 0`
    await lasting(sql`UPDATE rate_limits SET points = points - 1 WHERE ${named}`)
  }

  return { consume, giveBack }
}
