/**
 * The direct way of a request: where every handler that a route passes is svc's own, `serve` runs
 * what they do as plain functions, without Hono's context, its chain of promises and its response.
 *
 *     a handler of your own, an edited controller,   the route keeps the usual way
 *     a feature around requests
 *     HEAD, a body, an odd address, host or header   the request goes the usual way
 *     something is thrown                            the usual way answers what was thrown
 */

import type { IncomingMessage } from 'node:http'
import type { Hono } from 'hono'
import type { CountedResponse } from './counted-response.js'
import { type Answer, DirectRequest, type SentHeaders, type Step } from './direct-request.js'
import { DirectRun, type UsualWay } from './direct-run.js'

const steps = new WeakMap<object, Step>()
const answers = new WeakMap<object, Answer>()

/** A handler of svc's, and the same without Hono. */
export function withDirectStep<Handler extends object>(handler: Handler, step: Step): Handler {
  steps.set(handler, step)
  return handler
}

/** Adds the direct way of a handler that answers 200 with JSON. */
export function withDirectAnswer<Handler extends object>(
  handler: Handler,
  answer: Answer,
): Handler {
  answers.set(handler, answer)
  return handler
}

/** Adds the direct way of a handler that does nothing for requests that read. */
export const onlyForWrites = <Handler extends object>(handler: Handler): Handler =>
  withDirectStep(handler, () => {})

export type Router = Pick<Hono['router'], 'match'>

/** The match of Hono's routers: handlers, each with its parameters or where `values` has them. */
type Match = readonly [handlers: Matched, values?: readonly string[]]
type Matched = readonly (readonly [readonly [object, unknown], Readonly<Record<string, unknown>>])[]

interface Chain {
  readonly handlers: readonly object[]
  readonly steps: readonly Step[]
  /** Null: some handler is not svc's own. */
  readonly answer: Answer | null
}

/** Answers a request directly, or returns false: then nothing was done. */
export function directWay(router: Router, usualWay: UsualWay) {
  const chains = new WeakMap<object, Chain>()
  /** By the route that was added last: those before it are the same, or it is looked at anew. */
  const chainOf = (matched: Matched): Chain | null => {
    const last = matched.at(-1)?.[0]
    if (last === undefined) return null
    const known = chains.get(last)
    if (known !== undefined && isChainOf(known, matched)) return known
    const chain = newChain(matched)
    chains.set(last, chain)
    return chain
  }
  return (incoming: IncomingMessage, outgoing: CountedResponse<IncomingMessage>): boolean => {
    const { method, url = '' } = incoming
    if (method !== 'GET' || !plainAddress.test(url)) return false
    const mark = url.indexOf('?')
    const path = mark === -1 ? url : url.slice(0, mark)
    // Hono types what it matched by its routes, of which this reads the handlers alone.
    const [matched, values] = router.match(method, path) as unknown as Match
    const chain = chainOf(matched)
    if (chain === null || chain.answer === null) return false
    const sent = readHeaders(incoming.rawHeaders)
    if (sent === null) return false
    const place = matched[chain.steps.length]?.[1]['id']
    const id = String(values === undefined ? place : values[Number(place)])
    const request = new DirectRequest(incoming, outgoing, { url, path, id }, sent)
    new DirectRun(request, chain.steps, chain.answer, usualWay).begin()
    return true
  }
}

/** Addresses that `new URL` leaves as they are, and that name a path as it is matched. */
const plainAddress = /^\/[\w/-]*(?:\?[\w.,+%=&[\]:*|-]*)?$/

const isChainOf = ({ handlers }: Chain, matched: Matched): boolean =>
  handlers.length === matched.length && handlers.every((each, at) => each === matched[at]?.[0][0])

function newChain(matched: Matched): Chain {
  const handlers = matched.map(([[handler]]) => handler)
  const end = handlers.findIndex((handler) => !steps.has(handler))
  return {
    handlers,
    steps: handlers.slice(0, end).flatMap((handler) => steps.get(handler) ?? []),
    answer: answers.get(handlers[end] ?? {}) ?? null,
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
