import type { MiddlewareHandler, Next } from 'hono'
import { hasGuard } from '../../config/server-config.js'
import type { ServerEnv } from '../../http/context.js'
import { signedInUser } from './profile.js'

/**
 * The middleware of routes about one's own account: the list of the config, and `auth:token` where
 * it names no guard. Who is asked for must be known, whatever other routes do.
 */
export function withGuard(names: readonly string[]): readonly string[] {
  return hasGuard(names) ? names : [...names, 'auth:token']
}

/** Behind `onlySignedIn` there is a user. */
interface SignedIn<E extends ServerEnv<unknown>> {
  Variables: { user: NonNullable<E['Variables']['user']> }
}

/**
 * These handlers in their order as one, and 401 where none of them found a user. Handlers behind
 * it need it to compile: to them `c.get('user')` is not null.
 */
export function onlySignedIn<E extends ServerEnv<unknown>>(
  handlers: readonly MiddlewareHandler<E>[],
): MiddlewareHandler<SignedIn<E>> {
  const all: MiddlewareHandler<E> = async (c, next) => {
    const last: Next = () => {
      signedInUser(c)
      return next()
    }
    const inOrder = handlers.reduceRight<Next>(
      (rest, handler) => async () => {
        const answer = await handler(c, rest)
        if (answer instanceof Response && !c.finalized) c.res = answer
      },
      last,
    )
    await inOrder()
  }
  // Hono intersects both types where it is used, which E alone cannot say.
  return all as unknown as MiddlewareHandler<SignedIn<E>>
}
