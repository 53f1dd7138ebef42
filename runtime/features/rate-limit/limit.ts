import { hash } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { Environment } from '../../config/env.js'
import { HttpError } from '../../errors.js'
import { addressOf } from '../../http/address.js'
import { type ServerEnv, setHeader } from '../../http/context.js'
import { type Counter, Counters } from '../../http/counters.js'
import type { RateLimit } from './config.js'
import { credentialsIn } from './credentials.js'

interface LimitOptions {
  readonly limit: RateLimit
  readonly env: { readonly NODE_ENV: Environment; readonly TRUSTED_PROXIES: number }
  /**
   * Returns true if credentials are valid now, asked when their address may send no more; absent:
   * they are not.
   */
  readonly isKnown?: (credentials: string) => Promise<boolean>
}

/** Seconds that are counted together. */
const window = 60

/**
 * An address may make so many times more requests with tokens that no answer has found valid yet.
 */
const widerAddress = 10

/** Addresses, and as many tokens, that one process counts apart: 25 MB at most. */
const mostCallers = 50_000

/**
 * 429 for a caller who asked `per_minute` times in a minute, before anything of the request is read
 * or looked up. Every answer says what is left (draft-ietf-httpapi-ratelimit-headers, 10).
 *
 *     a token that an answer found valid    its own count, from whatever address
 *     one that was refused since            its own count, and its address's of such tokens
 *     any other token                       its address's count of such tokens, ten times as many;
 *                                           when that is used up, its own, if `isKnown` finds it valid
 *     none, or what is no token             its address's count
 *
 * So made-up tokens take nobody's place: they have no count of their own, and those with one keep
 * it when their address has none left. Being refused gives no count back: a 401 is easily had with a
 * valid token, at the login or with a header that a guard reads otherwise.
 *
 * Counted in memory, which costs a hash and a look into a map: a counter in the database would cost
 * a write for each request. Of several processes each counts for itself, so n let n times as much
 * pass.
 */
export function limitRequests<User>({
  limit,
  env,
  isKnown,
}: LimitOptions): MiddlewareHandler<ServerEnv<User>> {
  const { per_minute: most, enforced } = limit
  const isOn = enforced === 'always' || (enforced === 'production' && env.NODE_ENV === enforced)
  if (!isOn) return (_, next) => next()
  const tokens = new Counters(mostCallers)
  const addresses = new Counters(mostCallers)
  /** Counters whose token was revoked, or has ended since, as far as is known. */
  const refused = new WeakSet<Counter>()
  const policy = `"default";q=${most};w=${window}`

  return async (c, next) => {
    if (isProbe(c)) return next()
    const credentials = credentialsIn(c.req.header('authorization'))
    const token = credentials === null ? null : hash('sha256', credentials, 'base64')
    let own = token !== null && tokens.has(token) ? tokens.add(token, window) : null
    if (own === null || refused.has(own)) {
      const { left, counter } = countAddress(c, token !== null)
      if (left < 0 && token !== null && (await isKnown?.(credentials ?? ''))) {
        own ??= tokens.add(token, window)
        refused.delete(own)
      } else answerWith(c, left, counter)
    }
    if (own !== null) answerWith(c, most - own.count, own)
    await next()
    if (token === null) return
    // The result of a guard, whichever it is: this one looks nothing up itself.
    if (c.get('user') === null) noteRefused(c, own)
    else if (own === null) tokens.add(token, window)
    else refused.delete(own)
  }

  function countAddress(c: Context<ServerEnv<User>>, hasToken: boolean) {
    const address = addressOf(c, env.TRUSTED_PROXIES)
    const counter = addresses.add(hasToken ? `tokens of ${address}` : address, window)
    const { count } = counter
    // As if the token were valid and this its first request, as far as its address allows.
    const left = hasToken ? Math.min(most - 1, most * widerAddress - count) : most - count
    return { left, counter }
  }

  function noteRefused(c: Context, own: Counter | null): void {
    if (own !== null && c.res.status === 401) refused.add(own)
  }

  function answerWith(c: Context, left: number, { end }: Counter): void {
    const wait = Math.max(1, Math.ceil((end - performance.now()) / 1000))
    setHeader(c, 'RateLimit-Policy', policy)
    setHeader(c, 'RateLimit', `"default";r=${Math.max(0, left)};t=${wait}`)
    if (left >= 0) return
    throw new HttpError(429, 'Too many requests.', undefined, { 'Retry-After': String(wait) })
  }
}

/** Load balancers ask often, and must not be kept from asking. */
const isProbe = ({ req }: Pick<Context, 'req'>): boolean =>
  req.path === '/health' || req.path === '/ready' || req.path === '/metrics'
