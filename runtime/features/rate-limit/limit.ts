import { hash } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { Environment } from '../../config/env.js'
import { HttpError } from '../../errors.js'
import { addressOf, type Arrived } from '../../http/address.js'
import { type ServerEnv, setHeader } from '../../http/context.js'
import { type Counter, Counters } from '../../http/counters.js'
import { skipped, withDirectStep } from '../../http/direct.js'
import { failedOf } from '../../http/layers.js'
import { andThen, type Later } from '../../later.js'
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
  if (!isOn) return skipped()
  const counts = new RequestCounts(most, env.TRUSTED_PROXIES, isKnown)
  const handler: MiddlewareHandler<ServerEnv<User>> = async (c, next) => {
    if (isProbe(c)) return next()
    const failed = failedOf(c)
    if (failed !== null) {
      // It was counted before it failed.
      for (const [name, value] of pairsOf(failed.kept)) setHeader(c, name, value)
      return next()
    }
    const say: Say = (name, value) => setHeader(c, name, value)
    const counted = await counts.count(c as unknown as Arrived, say)
    await next()
    counts.noteAnswer(counted, c.get('user') !== null, c.res.status)
  }
  return withDirectStep(handler, (request) => {
    const { context, headers, kept } = request
    const counting = counts.count(context as unknown as Arrived, (name, value) => {
      for (const list of [headers, kept]) setIn(list, name, value)
    })
    return andThen(counting, (counted) => (status, error) => {
      const failedWith = error instanceof HttpError ? error.status : 500
      counts.noteAnswer(counted, request.user !== null, status ?? failedWith)
    })
  })
}

class RequestCounts {
  readonly #tokens = new Counters(mostCallers)
  readonly #addresses = new Counters(mostCallers)
  /** Counters whose token was revoked, or has ended since, as far as is known. */
  readonly #refused = new WeakSet<Counter>()
  readonly #policy: string

  constructor(
    readonly most: number,
    readonly proxies: number,
    readonly isKnown: LimitOptions['isKnown'],
  ) {
    this.#policy = `"default";q=${most};w=${window}`
  }

  /** Counts a request, or throws 429. */
  count(c: Arrived, say: Say): Later<Counted> {
    const { most, isKnown } = this
    const credentials = credentialsIn(c.req.header('authorization'))
    const token = credentials === null ? null : hash('sha256', credentials, 'base64')
    const own = token !== null && this.#tokens.has(token) ? this.#tokens.add(token, window) : null
    if (own === null || this.#refused.has(own)) {
      const { left, counter } = this.#countAddress(c, token !== null)
      if (left < 0 && token !== null && isKnown !== undefined) {
        return isKnown(credentials ?? '').then((isValid) => {
          if (!isValid) this.#say(say, left, counter)
          const counted = own ?? this.#tokens.add(token, window)
          this.#refused.delete(counted)
          this.#say(say, most - counted.count, counted)
          return { token, own: counted }
        })
      }
      this.#say(say, left, counter)
    }
    if (own !== null) this.#say(say, most - own.count, own)
    return { token, own }
  }

  #countAddress(c: Arrived, hasToken: boolean) {
    const { most } = this
    const address = addressOf(c, this.proxies)
    const counter = this.#addresses.add(hasToken ? `tokens of ${address}` : address, window)
    const { count } = counter
    // As if the token were valid and this its first request, as far as its address allows.
    const left = hasToken ? Math.min(most - 1, most * widerAddress - count) : most - count
    return { left, counter }
  }

  /** The result of a guard, whichever it is: this one looks nothing up itself. */
  noteAnswer({ token, own }: Counted, isUser: boolean, status: number): void {
    if (token === null) return
    if (isUser && own === null) this.#tokens.add(token, window)
    else if (isUser && own !== null) this.#refused.delete(own)
    else if (own !== null && status === 401) this.#refused.add(own)
  }

  /** Throws 429 where nothing is left. */
  #say(say: Say, left: number, { end }: Counter): void {
    const wait = Math.max(1, Math.ceil((end - performance.now()) / 1000))
    say('RateLimit-Policy', this.#policy)
    say('RateLimit', `"default";r=${Math.max(0, left)};t=${wait}`)
    if (left >= 0) return
    throw new HttpError(429, 'Too many requests.', undefined, { 'Retry-After': String(wait) })
  }
}

type Say = (name: string, value: string) => void

/** A request that was counted: null, without a token, and where the token has no count of its own. */
interface Counted {
  readonly token: string | null
  readonly own: Counter | null
}

function setIn(list: string[], name: string, value: string): void {
  const at = list.indexOf(name)
  if (at === -1) list.push(name, value)
  else list[at + 1] = value
}

function* pairsOf(list: readonly string[]) {
  for (let at = 0; at < list.length; at += 2) yield [list[at] ?? '', list[at + 1] ?? ''] as const
}

/** Load balancers ask often, and must not be kept from asking. */
const isProbe = ({ req }: Pick<Context, 'req'>): boolean =>
  req.path === '/health' || req.path === '/ready' || req.path === '/metrics'
