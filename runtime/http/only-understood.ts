import type { Context, MiddlewareHandler } from 'hono'
import type { PartOfRequest } from '../model/exchange.js'
import { badParameter } from '../query/query.js'
import { headerOf, notUnderstood, reliedOn, textOf } from '../query/request-parts.js'
import { isRead, type Served } from './context.js'
import { onlyForWrites } from './direct.js'
import { parametersOf } from './request.js'

/**
 * 400 where a write would ignore what its caller relies on: a condition on the record's version, a
 * key against repetition and, with `strict_queries`, parameters.
 */
export const onlyUnderstood: MiddlewareHandler<Served> = onlyForWrites((c, next) => {
  if (isRead(c)) return next()
  checkHeaders(c)
  checkParameters(c, 'a write takes none')
  return next()
}, reliedOn.map(headerOf))

/** Checks the headers of a write. */
export function checkHeaders(
  c: Pick<Context, 'req' | 'get'>,
  understood: readonly PartOfRequest[] = [],
  instead: Readonly<Record<string, string>> = {},
): void {
  const sent = { header: (name: string) => c.req.header(name), parameters: noParameters }
  for (const part of reliedOn) {
    if (textOf(sent, part) === undefined) continue
    const known = [...understood, ...around(c)]
    if (!known.some(({ name }) => name === part.name)) throw notUnderstood(part, instead[part.name])
  }
}

const noParameters = new URLSearchParams()

/** 400 with `strict_queries` where what takes no parameter is sent one. */
export function checkParameters<E extends Served>(
  c: Context<E>,
  why = 'there are none here',
  understood: readonly PartOfRequest[] = [],
): void {
  if (!c.get('server').config.strict_queries) return
  const all = [...understood, ...around(c)]
  const known = all.flatMap((part) => (part.in === 'query' ? [part.name] : []))
  const name = [...parametersOf(c.req.url).keys()].find((each) => !known.includes(each))
  if (name !== undefined) throw badParameter(name, `is not known: ${why}`)
}

/** Lists the parts that features around the write read of its request: see `aroundWrites`. */
export const around = (c: Pick<Context, 'get'>): readonly PartOfRequest[] =>
  (c.get('around') as readonly PartOfRequest[] | undefined) ?? []
