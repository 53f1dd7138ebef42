import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { Environment } from '../config/env.js'
import { memory, usualAnswersBytes } from '../database/memory.js'
import { badRequest } from '../errors.js'
import { onFailedHook } from '../operations/afterwards.js'
import { outgoingOf, setHeader, type Server, type ServerEnv } from './context.js'
import { CountedResponse } from './counted-response.js'
import { withDirectStep } from './direct.js'
import { noteRequest } from './latest-requests.js'
import type { Log } from './log.js'
import { prefixIn } from './prefix.js'

/**
 * What every request passes before its route, in the order of app/app.ts. Headers are written to
 * Node's response (`setHeader`), so every answer has them, whatever made it. With these layers an
 * empty answer costs 24 µs of CPU instead of 12, and 6 more with its line in the log. Hono's own,
 * each in the place of ours:
 *
 *     requestId       +2 µs   and an answer that a route makes with `new Response` lacks the id
 *     secureHeaders   +3 µs   and `Cache-Control` is not among them
 *     cors           +50 µs   it builds the `Headers` of an answer that is not there yet
 *     bodyLimit      +80 µs   of a POST: it builds a `Request`; `readBody` counts what it reads
 *     timing                  needs to be given the statements, and is for development
 *
 * (Medians of 13 interleaved rounds, 16 connections, Hono 4.13 on Node 20.)
 */
type Layer<User> = MiddlewareHandler<ServerEnv<User>>

interface Asked extends Pick<Server, 'config' | 'log'> {
  /** `APP_URL`: links start with its path. */
  readonly appUrl?: string | undefined
}

/**
 * What `c.get` answers from the start, and `X-Request-Id`. A proxy's id is kept, so one request has
 * one name in all logs; anything that could not be an id is replaced.
 */
export function requestContext<User>({ config, log, appUrl }: Asked): Layer<User> {
  const server: Server = { config, log, prefix: prefixIn(appUrl) }
  memory.limit = config.limits.answers_bytes ?? usualAnswersBytes()
  onFailedHook(({ repository, hook, error }) => {
    const text = `${hook} of ${repository} failed; what it follows is written`
    log.error({ repository, hook, err: error }, text)
  })
  const layer: Layer<User> = (c, next) => {
    const failed = failedOf(c)
    const requestId = failed?.requestId ?? newRequestId(c.req.header('x-request-id'))
    c.set('server', server)
    c.set('requestId', requestId)
    c.set('user', (failed?.user ?? null) as User | null)
    c.set('token', failed?.token ?? null)
    setHeader(c, 'X-Request-Id', requestId)
    return next()
  }
  return withDirectStep(layer, (request) => {
    request.server = server
    request.requestId = newRequestId(request.sent['x-request-id'])
    request.headers.push('X-Request-Id', request.requestId)
  })
}

function newRequestId(given: string | undefined): string {
  const isId = given !== undefined && /^[\w.-]{8,64}$/.test(given)
  const requestId = isId ? given : randomUUID()
  noteRequest(requestId)
  return requestId
}

/** The error on the direct way of this request. */
export function failedOf(c: Context): CountedResponse<never>['failed'] {
  const outgoing = outgoingOf(c)
  return outgoing instanceof CountedResponse ? outgoing.failed : null
}

/**
 * One line for each answer: no query (searches, reset links), no headers (tokens), no body. A
 * segment of the path that is longer than any id may be a secret (a verification hash, a token).
 */
export async function accessLog(c: Context<ServerEnv<never>>, next: () => Promise<void>) {
  const start = failedOf(c)?.startedAt ?? performance.now()
  await next()
  const { log } = c.get('server') // `c.var` copies every variable
  const { method, path } = c.req
  logAnswer(log, { requestId: c.get('requestId'), method, path, status: c.res.status, start })
}

withDirectStep(accessLog, (request) => {
  const { server, requestId } = request
  const { method, path } = request.req
  if (server?.log.isLevelEnabled('info') !== true) return
  const start = request.startedAt
  return (status) => {
    if (status !== null) logAnswer(server.log, { requestId, method, path, status, start })
  }
})

interface Answered {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly start: number
}

function logAnswer(log: Log, { requestId, method, path, status, start }: Answered): void {
  const isProbe = path === '/health' || path === '/ready'
  if (!log.isLevelEnabled(isProbe ? 'debug' : 'info')) return
  const shown = path.length <= 36 ? path : path.replaceAll(/[^/]{37,}/g, '…')
  const ms = Math.round((performance.now() - start) * 100) / 100
  const line = { requestId, method, path: shown, status, ms }
  if (isProbe) log.debug(line)
  else log.info(line)
}

/** Answers are for one user and one moment, and are never a page or a script. */
const securityHeaders = [
  ['Cache-Control', 'no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
] as const

/** Browsers heed it only over HTTPS. */
const productionHeaders = [['Strict-Transport-Security', 'max-age=15552000']] as const

/** Security headers, also on failures. */
export function secureHeaders<User>(environment: Environment): Layer<User> {
  const isProduction = environment === 'production'
  const headers = [...securityHeaders, ...(isProduction ? productionHeaders : [])]
  const layer: Layer<User> = (c, next) => {
    for (const [name, value] of headers) setHeader(c, name, value)
    return next()
  }
  const flat = headers.flat()
  return withDirectStep(layer, (request) => void request.headers.push(...flat))
}

/** 400 for a path that cannot be decoded (a broken `%` sequence) or holds a NUL. */
export function readablePath(c: Context, next: () => Promise<void>): Promise<void> {
  const failed = failedOf(c)
  if (failed !== null) throw failed.error
  const { url } = c.req // as it was sent
  if (url.includes('%') && !isReadable(url)) throw badRequest('The path cannot be read.')
  return next()
}

// The direct way takes no path with a `%`.
withDirectStep(readablePath, () => {})

function isReadable(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}
