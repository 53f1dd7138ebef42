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
import type { Context, Hono } from 'hono'
import { andThen, type Later } from '../later.js'
import type { AccessToken, Server } from './context.js'
import type { CountedResponse, Failed } from './counted-response.js'

/** Has what `readShowQuery`, `callerOf` and `paginated` read of Hono's context. */
export class DirectRequest {
  readonly env: {
    readonly incoming: IncomingMessage
    readonly outgoing: CountedResponse<IncomingMessage>
  }
  readonly req: {
    readonly method: 'GET'
    /** From the root, with its query. */
    readonly url: string
    readonly path: string
    header(name: string): string | undefined
  }
  /** The record's id, where the path has one. */
  readonly id: string
  server: Server | undefined
  requestId = ''
  user: unknown = null
  token: AccessToken | null = null
  /** Of `performance.now`; null: no line of the log is wanted. */
  startedAt: number | null = null
  /** Headers of the answer, names and values by turns. */
  readonly headers: string[] = []

  constructor(
    incoming: IncomingMessage,
    outgoing: CountedResponse<IncomingMessage>,
    { url, path, id }: Address,
    readonly sent: SentHeaders,
  ) {
    this.env = { incoming, outgoing }
    this.req = { method: 'GET', url, path, header: (name) => headerOf(incoming, name) }
    this.id = id
  }

  get(name: string): unknown {
    if (name === 'user') return this.user
    if (name === 'token') return this.token
    return name === 'server' ? this.server : undefined
  }

  /** For functions that read requests: they use no more of a context than there is here. */
  get context(): Context {
    return this as unknown as Context
  }
}

interface Address {
  readonly url: string
  readonly path: string
  readonly id: string
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Work of a handler after the answer; a status of null: the request failed. */
type Afterwards = ((status: number | null) => void) | void
type Step = (request: DirectRequest) => Later<Afterwards>
type Answer = (request: DirectRequest) => Later<string | Buffer>

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

/** `serve` calls this with a request that cannot be answered here: `failed` has the error. */
export type UsualWay = (
  incoming: IncomingMessage,
  outgoing: CountedResponse<IncomingMessage>,
  failed?: Failed,
) => void

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
    run(request, { steps: chain.steps, answer: chain.answer }, usualWay)
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

/** Headers that steps read. */
interface SentHeaders {
  authorization?: string
  origin?: string
  'x-request-id'?: string
  host?: string
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

/** Runs the steps, then answers; what throws goes to the usual way. */
function run(
  request: DirectRequest,
  { steps: before, answer }: { readonly steps: readonly Step[]; readonly answer: Answer },
  usualWay: UsualWay,
): void {
  const { incoming, outgoing } = request.env
  const afterwards: Afterwards[] = []
  const finish = (status: number | null) => {
    for (let at = afterwards.length - 1; at >= 0; at--) afterwards[at]?.(status)
  }
  const fail = (error: unknown) => {
    finish(null)
    const { requestId, user, token, startedAt } = request
    usualWay(incoming, outgoing, { error, requestId, user, token, startedAt })
  }
  const send = (body: string | Buffer) => {
    const { headers } = request
    headers.push('Content-Type', 'application/json')
    headers.push('Content-Length', String(Buffer.byteLength(body)))
    outgoing.writeHead(200, headers)
    finish(200)
    outgoing.end(body)
  }
  const from = (at: number): Later<void> => {
    for (let next = at; next < before.length; next++) {
      const done = before[next]?.(request)
      if (done instanceof Promise) {
        return done.then((after) => {
          afterwards.push(after)
          return from(next + 1)
        })
      }
      if (done !== undefined) afterwards.push(done)
    }
    return andThen(answer(request), send)
  }
  try {
    const done = from(0)
    if (done instanceof Promise) done.catch(fail)
  } catch (error) {
    fail(error)
  }
}
