import { isIP, isIPv6 } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../../database/types.js'
import { HttpError } from '../../errors.js'
import type { Throttle, ThrottleName } from './config.js'
import { canonicalEmail } from './emails.js'
import { databaseLimiter, type Limiter } from './throttle-store.js'
import { hashSecret } from './token-text.js'

export interface ThrottleOptions {
  readonly throttles: Readonly<Record<ThrottleName, Throttle>>
  /** From THROTTLE_LIMIT: instead of every limit. */
  readonly limit: number | undefined
  readonly store: 'memory' | 'database'
  readonly database: Database
  readonly trustedProxies: number
}

/** How much more one address, or all addresses for one e-mail, may ask than the two together. */
const wider = { address: 5, identity: 10 } as const

type Caller = Pick<Context, 'req' | 'env'>

/**
 * Counts a request against its route: by address and identity together, by address alone (one
 * machine trying many e-mails) and by identity alone (many machines trying one). 429 with
 * `Retry-After` when one of them is used up.
 */
export function createThrottle(options: ThrottleOptions) {
  const limiters = new Map<string, Limiter>()

  const limiterOf = (name: ThrottleName, by: string, factor: number): Limiter => {
    const keyPrefix = `${name}-${by}`
    const known = limiters.get(keyPrefix)
    if (known !== undefined) return known
    const { limit, minutes } = options.throttles[name]
    const settings = {
      keyPrefix,
      points: (options.limit ?? limit) * factor,
      duration: minutes * 60,
    }
    const { store, database } = options
    const made = store === 'memory' ? memoryLimiter(settings) : databaseLimiter(database, settings)
    limiters.set(keyPrefix, made)
    return made
  }

  return async (c: Caller, name: ThrottleName, identity?: unknown): Promise<void> => {
    const address = addressOf(c, options.trustedProxies)
    const who = typeof identity === 'string' ? hashed(canonicalEmail(identity)) : ''
    // An address that must wait makes no counters for ever new e-mails; one that hammers an e-mail
    // does not use up what others may try for it.
    if (who !== '') await consume(limiterOf(name, 'address', wider.address), address)
    await consume(limiterOf(name, 'pair', 1), `${address} ${who}`)
    if (who !== '') await consume(limiterOf(name, 'identity', wider.identity), who)
  }
}

async function consume(limiter: Limiter, key: string): Promise<void> {
  const wait = await limiter(key)
  if (wait === 0) return
  const seconds = String(Math.ceil(wait / 1000))
  throw new HttpError(429, 'Too many attempts.', undefined, { 'Retry-After': seconds })
}

function memoryLimiter(settings: ConstructorParameters<typeof RateLimiterMemory>[0]): Limiter {
  const limiter = new RateLimiterMemory(settings)
  return async (key) => {
    try {
      await limiter.consume(key)
      return 0
    } catch (error) {
      if (error instanceof RateLimiterRes) return Math.max(1, error.msBeforeNext)
      throw error
    }
  }
}

/** E-mails are kept as hashes: counters may live in the database. */
const hashed = (text: string) => hashSecret(text).slice(0, 32)

/**
 * Who asks: the peer of the connection or, behind `trusted` proxies, what the outermost of them
 * wrote. A client may write X-Forwarded-For too, so without proxies it is not read.
 */
function addressOf(c: Caller, trusted: number): string {
  // `app.request()` in a test gives no bindings at all.
  const peer = (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket.remoteAddress
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map(withoutPort)
  const address = (trusted > 0 ? hops.at(-trusted) : '') || peer || 'local'
  return isIPv6(address) ? networkOf(address) : address
}

/** `203.0.113.9:4711` and `[2001:db8::1]:4711`, as some proxies write; empty for what is none. */
function withoutPort(hop: string): string {
  const [, v6, v4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(hop.trim()) ?? []
  const address = (v6 ?? v4 ?? hop.trim()).toLowerCase()
  return isIP(address) === 0 ? '' : address
}

/** One subscriber has a whole /64 of IPv6 addresses. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail = ''] = address.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}
