import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, MiddlewareHandler } from 'hono'
import type { ServerEnv } from '../../http/context.js'
import { withDirectStep } from '../../http/direct.js'
import type { Access } from '../../model/entity.js'

/** The surface that a write came through. */
export type Origin = 'rest' | 'graphql' | 'action' | 'mcp' | 'job' | 'code'

/** Facts about the request of a hook. */
export interface RequestOfHook {
  /** As in the log and in `X-Request-Id`; null: no request, but code of yours. */
  readonly requestId: string | null
  readonly origin: Origin
  /**
   * True if the write is one of a list: `POST /<key>/bulk`, or a mutation such as `createPostList`.
   */
  readonly isMany: boolean
  /** True if all that is written is rolled back. */
  readonly isDryRun: boolean
}

type Surroundings = Omit<RequestOfHook, 'isMany'>

const requests = new AsyncLocalStorage<Surroundings>()

const none: Surroundings = { requestId: null, origin: 'code', isDryRun: false }

export const requestNow = ({ request: { isMany } }: Access): RequestOfHook =>
  Object.assign({ isMany }, requests.getStore() ?? none)

/** Middleware of app/app.ts. */
export const requestForHooks: MiddlewareHandler<ServerEnv<never>> = (c, next) =>
  requests.run({ requestId: c.get('requestId'), origin: originOf(c), isDryRun: false }, next)

withDirectStep(
  requestForHooks,
  () => {},
  ({ requestId, context }, rest) =>
    requests.run({ requestId, origin: originOf(context), isDryRun: false }, rest),
)

/** Runs the code of an action: what it writes has that origin. */
export const asAction = <Done>(work: () => Done): Done =>
  requests.run(Object.assign({}, requests.getStore() ?? none, { origin: 'action' as const }), work)

function originOf({ req: { path } }: Pick<Context, 'req'>): Origin {
  if (path === '/graphql' || path.startsWith('/graphql/')) return 'graphql'
  return path.startsWith('/api/') ? 'rest' : 'code'
}
