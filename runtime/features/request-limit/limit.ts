import { createHash } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { Environment } from '../../config/env.js'
import { HttpError } from '../../errors.js'
import { addressOf } from '../../http/address.js'
import { setHeader } from '../../http/context.js'
import type { RequestLimit } from './config.js'

interface LimitOptions {
  readonly limit: RequestLimit
  readonly env: { readonly NODE_ENV: Environment; readonly TRUSTED_PROXIES: number }
}

/** Seconds that are counted together. */
const window = 60

/** How much more than one token an address may ask: a token that is made up is one more, too. */
const widerAddress = 10

/** Callers that one process counts apart; those who come later in the minute share one counter. */
const mostCallers = 100_000

/**
 * 429 for a caller who asked `per_minute` times in this minute, before anything of the request is
 * read or looked up. Every answer says what is left (draft-ietf-httpapi-ratelimit-headers, 10).
 *
 * Counted in memory, which costs a hash and a look into a map: a counter in the database would cost
 * a write for each request. Of several processes each counts for itself, so n let n times as much
 * pass.
 */
export function limitRequests({ limit, env }: LimitOptions): MiddlewareHandler {
  const { per_minute: most, enforced } = limit
  const isOn = enforced === 'always' || (enforced === 'production' && env.NODE_ENV === enforced)
  if (!isOn) return (_, next) => next()
  const counters = createCounters()
  const policy = `"default";q=${most};w=${window}`
  return (c, next) => {
    if (isProbe(c)) return next()
    const token = c.req.header('authorization')
    const address = addressOf(c, env.TRUSTED_PROXIES)
    const isWithin = token === undefined || counters.add(`all ${address}`) <= most * widerAddress
    const key = token === undefined ? `address ${address}` : `token ${hashOf(token)}`
    const left = isWithin ? most - counters.add(key) : -1
    const wait = counters.secondsLeft()
    setHeader(c, 'RateLimit-Policy', policy)
    setHeader(c, 'RateLimit', `"default";r=${Math.max(0, left)};t=${wait}`)
    if (left >= 0) return next()
    throw new HttpError(429, 'Too many requests.', undefined, { 'Retry-After': String(wait) })
  }
}

/** Load balancers ask often, and must not be kept from asking. */
const isProbe = ({ req }: Pick<Context, 'req'>): boolean =>
  req.path === '/health' || req.path === '/ready' || req.path === '/metrics'

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')

/** Counters that all end together, by a clock that does not jump. */
function createCounters() {
  let counts = new Map<string, number>()
  let end = 0
  return {
    /** How often this caller has asked by now. */
    add(key: string): number {
      const now = performance.now()
      if (now >= end) {
        counts = new Map()
        end = now + window * 1000
      }
      const counter = counts.size < mostCallers || counts.has(key) ? key : 'others'
      const count = (counts.get(counter) ?? 0) + 1
      counts.set(counter, count)
      return count
    },
    secondsLeft: () => Math.max(1, Math.ceil((end - performance.now()) / 1000)),
  }
}
