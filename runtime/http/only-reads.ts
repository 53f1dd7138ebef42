import type { Context, MiddlewareHandler } from 'hono'
import type { Served } from './context.js'

/** Methods that write nothing. A browser asks with OPTIONS, which is answered before. */
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'QUERY'])

/** Whether a request only reads: by its method, or because its route says so. */
export const isRead = (c: Pick<Context, 'req' | 'get'>): boolean =>
  reading.has(c.req.method) || c.get('onlyReads') === true

/** Before all that asks: what reads though its method is POST, as it has a body. */
export const onlyReads: MiddlewareHandler<Served> = (c, next) => {
  c.set('onlyReads', true)
  return next()
}
