import type { Context } from 'hono'
import { badRequest } from '../../errors.js'
import { writeOptions } from '../../http/exchange.js'
import { textOf } from '../../query/request-parts.js'

/** 400 for headers that are about one record, in a request about many. */
export function refuseHeadersOfOne(c: Pick<Context, 'get'>): void {
  const { exchange } = writeOptions(c)
  for (const part of exchange?.understood ?? []) {
    if (exchange === null || part.in !== 'header' || textOf(exchange, part) === undefined) continue
    const why = 'it is about one record, and these are many'
    throw badRequest(`The ${part.name} header cannot be honoured: ${why}. Nothing was done.`)
  }
}
