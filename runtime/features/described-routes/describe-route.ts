import type { MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import type { Served } from '../../http/context.js'
import { readJson } from '../../http/request.js'
import { checkedBody, checkedParams, checkedQuery } from './checked.js'
import { keepDescription, type RouteDescription } from './description.js'

export type { RouteDescription } from './description.js'

/** Types of `c.req.valid` behind it, and of the request. */
interface Checked<Described extends RouteDescription> {
  in: Of<Described, 'input'>
  out: Of<Described, 'output'>
}

type Side = 'input' | 'output'

type Of<Described, As extends Side> = Part<Described, 'params', 'param', As> &
  Part<Described, 'query', 'query', As> &
  Part<Described, 'body', 'json', As>

type Part<Described, Key extends string, Target extends string, As extends Side> =
  Described extends Readonly<Record<Key, infer Schema extends z.ZodType>>
    ? Readonly<Record<Target, As extends 'input' ? z.input<Schema> : z.output<Schema>>>
    : object

/**
 * Says what a route of your own takes and answers: `svc generate` writes it into the document of
 * the API and into the client, and requests that are otherwise do not reach your handler.
 * @example
 * api.post('/invite', describeRoute({ summary: 'Invite', body, answers: { 201: invitation } }), (c) => {
 *   const { email } = c.req.valid('json')
 */
export function describeRoute<
  const Described extends RouteDescription,
  E extends Served = Served,
  P extends string = string,
>(description: Described): MiddlewareHandler<E, P, Checked<Described>> {
  const { params, query, body } = description
  const handler: MiddlewareHandler<E, P, Checked<Described>> = async (c, next) => {
    // Hono's own validators say what they found in the same way.
    if (params !== undefined) {
      c.req.addValidatedData('param', await checkedParams(params, c.req.param()))
    }
    if (query !== undefined) c.req.addValidatedData('query', await checkedQuery(query, c.req.url))
    if (body !== undefined)
      c.req.addValidatedData('json', await checkedBody(body, await readJson(c)))
    await next()
  }
  keepDescription(handler, description)
  return handler
}
