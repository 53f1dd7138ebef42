/**
 * The direct way of a request: where every handler that a route passes is svc's own, `serve` runs
 * what they do as plain functions, without Hono's context, its chain of promises and its response.
 *
 *     a handler of your own, an edited controller,   the route keeps the usual way
 *     replicas that are read from
 *     neither GET nor POST, an odd address, host     the request takes the usual way
 *     or header, a body without its length
 *     something is thrown                            the usual way answers what was thrown
 */

import type { IncomingMessage } from 'node:http'
import type { Hono, MiddlewareHandler } from 'hono'
import type { CountedResponse } from './counted-response.js'
import {
  type Answer,
  DirectRequest,
  type Part,
  type SentHeaders,
  type Step,
  type Wrap,
} from './direct-request.js'
import { DirectRun, type UsualWay } from './direct-run.js'

/** By handler, for requests that read and for those that write. */
const ofReads = new WeakMap<object, Part>()
const ofWrites = new WeakMap<object, Part>()
/** Names of headers, in lower case, with which a handler has more to do than on the direct way. */
const declined = new WeakMap<object, readonly string[]>()
const answers = new WeakMap<object, Answer>()

/** A handler of svc's, and the same without Hono. */
export function withDirectStep<Handler extends object>(
  handler: Handler,
  step: Step,
  wrap?: Wrap,
): Handler {
  const part = wrap === undefined ? { step } : { step, wrap }
  ofReads.set(handler, part)
  ofWrites.set(handler, part)
  return handler
}

/** As `withDirectStep`; requests that write take the usual way. */
export function withDirectStepOfReads<Handler extends object>(
  handler: Handler,
  step: Step,
  declines?: Part['declines'],
): Handler {
  ofReads.set(handler, declines === undefined ? { step } : { step, declines })
  return handler
}

/** Adds the direct way of a handler that answers with JSON. */
export function withDirectAnswer<Handler extends object>(
  handler: Handler,
  answer: Answer,
): Handler {
  answers.set(handler, answer)
  return handler
}

/**
 * Adds the direct way of a handler that does nothing for requests that read. One that writes takes the
 * usual way where it has parameters, or one of these headers.
 */
export function onlyForWrites<Handler extends object>(
  handler: Handler,
  headers: readonly string[],
  step: Step = nothing,
): Handler {
  ofReads.set(handler, { step: nothing })
  ofWrites.set(handler, { step })
  declined.set(
    handler,
    headers.map((name) => name.toLowerCase()),
  )
  return handler
}

const nothing = () => {}

/** A handler that does nothing. */
export const skipped = (): MiddlewareHandler =>
  withDirectStep<MiddlewareHandler>((_, next) => next(), nothing)

export type Router = Pick<Hono['router'], 'match'>

/** The match of Hono's routers: handlers, each with its parameters or where `values` has them. */
type Match = readonly [handlers: Matched, values?: readonly string[]]
type Matched = readonly (readonly [
  readonly [handler: object, route: { readonly path: string }],
  Readonly<Record<string, unknown>>,
])[]

interface Chain {
  readonly handlers: readonly object[]
  readonly parts: readonly Part[]
  /** Null: some handler is not svc's own. */
  readonly answer: Answer | null
  readonly declined: ReadonlySet<string>
  readonly route: string
}

/** Answers a request directly, or returns false: then nothing was done. */
export function directWay(router: Router, usualWay: UsualWay) {
  const chains = { GET: new WeakMap<object, Chain>(), POST: new WeakMap<object, Chain>() }
  /** By the route that was added last: those before it are the same, or it is looked at anew. */
  const chainOf = (method: Method, matched: Matched): Chain | null => {
    const last = matched.at(-1)?.[0]
    if (last === undefined) return null
    const known = chains[method].get(last)
    if (known !== undefined && isChainOf(known, matched)) return known
    const chain = newChain(method, matched)
    chains[method].set(last, chain)
    return chain
  }
  return (incoming: IncomingMessage, outgoing: CountedResponse<IncomingMessage>): boolean => {
    const { method, url = '' } = incoming
    if ((method !== 'GET' && method !== 'POST') || !plainAddress.test(url)) return false
    const mark = url.indexOf('?')
    if (mark !== -1 && method === 'POST') return false
    const path = mark === -1 ? url : url.slice(0, mark)
    // Hono types what it matched by its routes, of which this reads the handlers alone.
    const [matched, values] = router.match(method, path) as unknown as Match
    const chain = chainOf(method, matched)
    if (chain === null || chain.answer === null) return false
    const { rawHeaders } = incoming
    const sent = method === 'GET' ? readHeaders(rawHeaders) : readWriteHeaders(rawHeaders, chain)
    if (sent === null) return false
    const place = matched[chain.parts.length]?.[1]['id']
    const id = String(values === undefined ? place : values[Number(place)])
    const address = { method, url, path, id, route: chain.route }
    const request = new DirectRequest(incoming, outgoing, address, sent)
    if (chain.parts.some(({ declines }) => declines?.(request) === true)) return false
    new DirectRun(request, chain.parts, chain.answer, usualWay).begin()
    return true
  }
}

type Method = 'GET' | 'POST'

/** Addresses that `new URL` leaves as they are, and that name a path as it is matched. */
const plainAddress = /^\/[\w/-]*(?:\?[\w.,+%=&[\]:*|-]*)?$/

const isChainOf = ({ handlers }: Chain, matched: Matched): boolean =>
  handlers.length === matched.length && handlers.every((each, at) => each === matched[at]?.[0][0])

function newChain(method: Method, matched: Matched): Chain {
  const handlers = matched.map(([[handler]]) => handler)
  const known = method === 'GET' ? ofReads : ofWrites
  const end = handlers.findIndex((handler) => !known.has(handler))
  const before = handlers.slice(0, end)
  return {
    handlers,
    parts: before.flatMap((handler) => known.get(handler) ?? []),
    answer: answers.get(handlers[end] ?? {}) ?? null,
    declined: new Set(before.flatMap((handler) => declined.get(handler) ?? [])),
    route: matched.at(-1)?.[0][1].path ?? '',
  }
}

/** Node-server reads other hosts with care, and refuses some. */
const plainHost = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/

/** Null: a header is there twice, the host is an odd one, or there is a body. */
function readHeaders(rawHeaders: readonly string[]): SentHeaders | null {
  const sent: SentHeaders = {}
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = readName(rawHeaders[at] ?? '')
    if (name === null) continue
    if (name === 'body' || sent[name] !== undefined) return null
    sent[name] = rawHeaders[at + 1] ?? ''
  }
  return sent.host !== undefined && plainHost.test(sent.host) ? sent : null
}

/** Null, too: the body has no declared length, or a handler has to do with a header. */
function readWriteHeaders(
  rawHeaders: readonly string[],
  { declined: others }: Chain,
): SentHeaders | null {
  const rest: string[] = []
  let lengths = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const folded = name.toLowerCase()
    if (others.has(folded) || folded === 'expect') return null
    if (folded === 'content-length') lengths += 1
    else rest.push(name, rawHeaders[at + 1] ?? '')
  }
  return lengths === 1 ? readHeaders(rest) : null
}

/** Most names have lengths of their own, and need not be folded. */
function readName(name: string): keyof SentHeaders | 'body' | null {
  const { length } = name
  if (length !== 4 && length !== 6 && (length < 12 || length > 17)) return null
  const folded = name.toLowerCase()
  switch (folded) {
    case 'authorization':
    case 'origin':
    case 'x-request-id':
    case 'host':
      return folded
    case 'content-length':
    case 'transfer-encoding':
      return 'body'
    default:
      return null
  }
}
