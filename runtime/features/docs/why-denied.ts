import type { Context, MiddlewareHandler } from 'hono'
import type { Served } from '../../http/context.js'
import { isOfThisMachine } from '../../http/this-machine.js'
import type { HasEntity, Row } from '../../model/entity.js'
import { isOwnPage } from './own-page.js'
import type { SampleUsers } from './policies.js'

interface WhyOptions {
  readonly repositories: readonly HasEntity[]
  /** The users to sign in as; null: there is no auth repository. */
  readonly users: SampleUsers | null
}

/**
 * A request with this header, of a program on this machine or the server's own page, learns why.
 */
const header = 'x-svc-why'

/**
 * Development: a 401, 403 or 404 of a record that is there has a member `why`, for requests with
 * the header `X-Svc-Why`. Fields that a gate hides from the user are not in it; others of a record that
 * the policy hides are.
 */
export function whyDenied<E extends Served>(options: WhyOptions): MiddlewareHandler<E> {
  return async (c, next) => {
    if (c.req.header(header) === undefined || !isOfThisMachine(c) || !isOwnPage(c)) return next()
    const sent = c.req.raw.clone()
    await next()
    if (![401, 403, 404].includes(c.res.status)) return
    // No server in production loads it.
    const { withWhy } = await import('../explain/rights.js')
    const body: unknown = await sent.json().catch(() => null)
    // The middleware of signing in, where there is one, has set it.
    const user = ((c as Context).get('user') ?? null) as Row | null
    const answer = await withWhy(options, c as Context, user, body)
    if (answer === null) return
    const { status, headers } = c.res
    headers.delete('content-length')
    c.res = new Response(JSON.stringify(answer), { status, headers })
  }
}
