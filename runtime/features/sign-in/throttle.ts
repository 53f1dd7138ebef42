import type { Database } from '../../database/types.js'
import { HttpError } from '../../errors.js'
import { addressOf, type Arrived } from '../../http/address.js'
import type { Throttle, ThrottleName } from './config.js'
import { canonicalEmail } from './emails.js'
import { databaseLimiter, type Limiter, memoryLimiters } from './throttle-store.js'
import { hashSecret } from './token-text.js'

export interface ThrottleOptions {
  readonly throttles: Readonly<Record<ThrottleName, Throttle>>
  readonly database: Database
  readonly env: {
    /** Instead of every limit. */
    readonly THROTTLE_LIMIT?: number | undefined
    readonly THROTTLE_STORE: 'memory' | 'database'
    readonly TRUSTED_PROXIES: number
  }
}

/**
 * One address, or all addresses for one e-mail, may make so many times more requests than the two
 * together.
 */
const wider = { address: 5, identity: 10 } as const

export type Throttles = ReturnType<typeof createThrottles>

/** The counters behind `throttles` of config/svc.ts; 429 with `Retry-After` when one is used up. */
export function createThrottles(options: ThrottleOptions) {
  const { THROTTLE_LIMIT, THROTTLE_STORE, TRUSTED_PROXIES } = options.env
  const limiters = new Map<string, Limiter>()
  const inMemory = memoryLimiters()
  /** Requests whose address is counted. */
  const counted = new WeakSet<Arrived['req']>()

  const limiterOf = (name: ThrottleName, by: string, factor: number): Limiter => {
    const keyPrefix = `${name}-${by}`
    const known = limiters.get(keyPrefix)
    if (known !== undefined) return known
    const { limit, minutes } = options.throttles[name]
    const points = (THROTTLE_LIMIT ?? limit) * factor
    const settings = { keyPrefix, points, duration: minutes * 60 }
    const isInMemory = THROTTLE_STORE === 'memory'
    const made = isInMemory ? inMemory(settings) : databaseLimiter(options.database, settings)
    limiters.set(keyPrefix, made)
    return made
  }

  /** Counts one machine that tries many e-mails, before the body is read, which names them. */
  const address = async (c: Arrived, name: ThrottleName): Promise<void> => {
    if (counted.has(c.req)) return
    await consume(limiterOf(name, 'address', wider.address), addressOf(c, TRUSTED_PROXIES))
    counted.add(c.req)
  }

  return {
    address,

    /**
     * Counts a request against its route: by address and identity together, by address alone and by
     * identity alone (many machines trying one).
     */
    request: async (c: Arrived, name: ThrottleName, identity?: unknown): Promise<void> => {
      const who = typeof identity === 'string' ? hashed(canonicalEmail(identity)) : ''
      // An address that must wait makes no counters for ever new e-mails; one that hammers an
      // e-mail does not use up what others may try for it.
      if (who !== '') await address(c, name)
      await consume(limiterOf(name, 'pair', 1), `${addressOf(c, TRUSTED_PROXIES)} ${who}`)
      if (who !== '') await consume(limiterOf(name, 'identity', wider.identity), who)
    },

    /** Counts what a user does with their own account, by whatever route. */
    own: async (name: ThrottleName, user: string): Promise<void> => {
      await consume(limiterOf(name, 'own', 1), hashed(user))
    },

    /**
     * Counts what a user does with accounts of others where it comes to `isAttempt`; what is
     * running counts until that is known.
     */
    others: async <Done>(
      name: ThrottleName,
      user: string,
      work: () => Promise<Done>,
      isAttempt: (error: unknown) => boolean,
    ): Promise<Done> => {
      const limiter = limiterOf(name, 'others', wider.identity)
      const key = hashed(user)
      await consume(limiter, key)
      let tried = false
      try {
        return await work()
      } catch (error) {
        tried = isAttempt(error)
        throw error
      } finally {
        if (!tried) await limiter.giveBack(key)
      }
    },
  }
}

async function consume(limiter: Limiter, key: string): Promise<void> {
  const wait = await limiter.consume(key)
  if (wait === 0) return
  const seconds = String(Math.ceil(wait / 1000))
  throw new HttpError(429, 'Too many attempts.', undefined, { 'Retry-After': seconds })
}

/** E-mails are kept as hashes: counters may live in the database. */
const hashed = (text: string) => hashSecret(text).slice(0, 32)
