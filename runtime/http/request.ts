import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { Caller } from '../database/caller.js'
import { BusyError } from '../database/unavailable.js'
import { badRequest } from '../errors.js'
import type { Input } from '../input/validation.js'
import { isRecord } from '../model/get-own.js'
import { parseIndexQuery, parseShowQuery } from '../query/parse-query.js'
import type { IndexQuery, ShowQuery } from '../query/query.js'
import { type Arrived, addressOf } from './address.js'
import { parseBody, readBytes, requireJson } from './body.js'
import { isRead, type Served } from './context.js'
import { CountedResponse } from './counted-response.js'

/**
 * The JSON of a request body, of at most `most` bytes and `limits.body_bytes`. 415 for anything
 * that is not JSON, 413 when it is too large, 400 when it is malformed or nested too deep.
 */
export async function readJson<E extends Served>(c: Context<E>, most = Infinity): Promise<unknown> {
  return readJsonWithin(c, Math.min(c.get('server').config.limits.body_bytes, most))
}

/** Reads a body that may have more bytes than most. */
export async function readJsonWithin<E extends Served>(
  c: Context<E>,
  mostBytes: number,
): Promise<unknown> {
  const { limits, strict_bodies } = c.get('server').config
  requireJson(c)
  takeMemory(c, mostBytes)
  return parseBody(await readBytes(c, mostBytes), {
    depth: limits.json_depth,
    recordBytes: limits.body_bytes,
    isStrict: strict_bodies,
  })
}

/** Bytes of a body that need no place of their own: most. */
const smallBody = 32_768

/** Bytes of memory for a byte of a body: what was sent, its text, and what that says. */
const perBodyByte = 3

/** 503 where the bodies that are being sent and written are too large, together. */
function takeMemory(c: Context, most: number): void {
  const declared = Number(c.req.header('content-length') ?? most)
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>
  if (!(declared > smallBody && outgoing instanceof CountedResponse)) return
  if (declared > most || outgoing.takeBody(declared * perBodyByte)) return
  throw new BusyError('No memory for another large body (limits.answers_bytes).')
}

/**
 * The JSON object of a request body; 400 for what is none. It has no prototype: a field called
 * `constructor` is there only if it was sent.
 */
export async function readBody<E extends Served>(c: Context<E>, most?: number): Promise<Input> {
  const value = await readJson(c, most)
  if (Array.isArray(value)) throw badRequest(noList)
  if (!isRecord(value)) throw badRequest('The request body must be a JSON object.')
  return Object.assign(Object.create(null) as Input, value)
}

const noList = 'The request body must be a JSON object: no list is taken at this address.'

type Asked = Pick<Context, 'req' | 'env' | 'get'>

/** The query of an index request; 400 naming each parameter that cannot be read. */
export function readIndexQuery(c: Asked): IndexQuery {
  return Object.assign(parseIndexQuery(parametersOf(c.req.url)), { caller: callerOf(c) })
}

const nothingAsked = parseShowQuery(new URLSearchParams())

/** The query of a show request. */
export function readShowQuery(c: Asked): ShowQuery {
  const { url } = c.req
  const query = url.includes('?') ? parseShowQuery(parametersOf(url)) : nothingAsked
  return Object.assign({}, query, { caller: callerOf(c) })
}

/**
 * Returns the waiting client. Asking Node's socket costs nothing; the signal of a request, 50 µs.
 */
export function callerOf(c: Asked, onlyReads = isRead(c)): Caller {
  const { incoming, outgoing } = (c.env ?? {}) as Partial<HttpBindings>
  const who = () => askerOf(c)
  const caller = new Caller(
    incoming === undefined ? () => c.req.raw.signal.aborted : () => incoming.socket.destroyed,
    who,
    outgoing instanceof CountedResponse ? outgoing.hold(who) : null,
  )
  if (onlyReads) c.get('reads')?.(caller)
  return caller
}

/**
 * The user, with whichever token and however its header is spelled; without one, the address: a
 * token may be made up for each request.
 */
function askerOf(c: Asked): string {
  const user: unknown = c.get('user')
  if (typeof user === 'object' && user !== null && 'id' in user) return `user ${String(user.id)}`
  return addressOf(c as Arrived, Number(process.env['TRUSTED_PROXIES'] ?? 0))
}

/** Parameters in their order, as often as they are given. Broken escapes stay as they are. */
export function parametersOf(url: string): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start === -1 ? '' : url.slice(start))
}
