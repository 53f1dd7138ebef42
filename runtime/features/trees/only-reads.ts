import type { MiddlewareHandler } from 'hono'
import type { Served } from '../../http/context.js'

/** Before all that asks: what is sent only reads, though its method is POST, as it has a body. */
export const onlyReads: MiddlewareHandler<Served> = (c, next) => {
  c.set('onlyReads', true)
  return next()
}
