import type { Context, MiddlewareHandler } from 'hono'
import { badRequest } from '../errors.js'
import { badParameter } from '../query/query.js'
import type { Served } from './context.js'
import { parametersOf } from './request.js'

const unsupported = [
  ['If-Match', 'no version of a record is kept here'],
  ['Idempotency-Key', 'requests are not remembered here, and a repetition would be done again'],
] as const

/**
 * 400 where a write would ignore what its caller relies on: a condition on the record's version, a
 * key against repetition and, with `strict_queries`, parameters.
 */
export const onlyUnderstood: MiddlewareHandler<Served> = (c, next) => {
  if (c.req.method === 'GET') return next()
  checkHeaders(c)
  checkParameters(c, 'a write takes none')
  return next()
}

/** Of a write. */
export function checkHeaders({ req }: Pick<Context, 'req'>): void {
  for (const [header, why] of unsupported) {
    if (req.header(header) === undefined) continue
    throw badRequest(`The ${header} header cannot be honoured: ${why}. Nothing was done.`)
  }
}

/** 400 with `strict_queries` where what takes no parameter is sent one. */
export function checkParameters<E extends Served>(
  c: Context<E>,
  why = 'there are none here',
): void {
  if (!c.get('server').config.strict_queries) return
  const [name] = parametersOf(c.req.url).keys()
  if (name !== undefined) throw badParameter(name, `is not known: ${why}`)
}
