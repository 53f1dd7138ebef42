import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, MiddlewareHandler } from 'hono'
import type { ServerEnv } from '../../http/context.js'

/** By what a write came. */
export type Origin = 'rest' | 'graphql' | 'bulk' | 'action' | 'mcp' | 'job' | 'code'

/** What hooks know of the request that they are called for. */
export interface RequestOfHook {
  /** As in the log and in `X-Request-Id`; null: no request, but code of yours. */
  readonly requestId: string | null
  readonly origin: Origin
  /** Whether all that is written is rolled back. */
  readonly isDryRun: boolean
}

const requests = new AsyncLocalStorage<RequestOfHook>()

const none: RequestOfHook = { requestId: null, origin: 'code', isDryRun: false }

export const requestNow = (): RequestOfHook => requests.getStore() ?? none

/** Middleware of app/app.ts. */
export const requestForHooks: MiddlewareHandler<ServerEnv<never>> = (c, next) =>
  requests.run({ requestId: c.get('requestId'), origin: originOf(c), isDryRun: false }, next)

function originOf({ req: { path } }: Pick<Context, 'req'>): Origin {
  if (path.startsWith('/graphql')) return 'graphql'
  return path.startsWith('/api/') ? 'rest' : 'code'
}
