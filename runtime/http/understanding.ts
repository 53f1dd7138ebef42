import type { Context, MiddlewareHandler } from 'hono'
import type { Exchange, PartOfRequest } from '../model/exchange.js'
import { headerOf, reliedOn } from '../query/request-parts.js'
import { isRead, setHeader, type Served } from './context.js'
import { onlyForWrites } from './direct.js'
import { checkHeaders, checkParameters } from './only-understood.js'
import { parametersOf } from './request.js'

/**
 * As `onlyUnderstood`, where extensions of some repositories understand parts of a request: these
 * are 400 where the write does not. Its route says `writeOptions(c)`.
 */
export const understanding = (understood: readonly PartOfRequest[]): MiddlewareHandler<Served> =>
  onlyForWrites(
    (c, next) => {
      if (isRead(c)) return next()
      checkHeaders(c, understood)
      checkParameters(c, 'this write takes none of that name', understood)
      c.set('exchange', exchangeOf(c, understood))
      return next()
    },
    [...reliedOn, ...understood].map(headerOf),
    (request) => request.set('exchange', exchangeOf(request.context, understood)),
  )

/** Parameters are read when they are asked for. */
function exchangeOf(c: Context, understood: readonly PartOfRequest[]): Exchange {
  const { req } = c
  let parameters: URLSearchParams | null = null
  return {
    method: req.method,
    path: req.path,
    understood,
    header: (name) => req.header(name),
    setHeader: (name, value) => setHeader(c, name, value),
    get parameters() {
      parameters ??= parametersOf(req.url)
      return parameters
    },
  }
}
