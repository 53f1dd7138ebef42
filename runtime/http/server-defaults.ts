import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { SvcConfig } from '../config/server-config.js'
import type { Database } from '../database/types.js'
import type { Environment } from '../config/env.js'
import { badRequest } from '../errors.js'
import { onError } from './answers.js'
import { setHeader, type ServerEnv } from './context.js'
import { createCors, preflight } from './cors.js'
import type { Log } from './log.js'
import { isReadablePath, loggedPath, rawPath } from './paths.js'
import { createServerTiming } from './server-timing.js'

export interface ServerDefaults {
  readonly config: SvcConfig
  readonly log: Log
  readonly database: Pick<Database, 'observe'>
  readonly environment: Environment
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

const unreadable = badRequest('The path cannot be read.')

/**
 * What every request passes, as one middleware because each layer costs: request id, CORS and
 * security headers, OPTIONS, broken paths (400), the access log; in development `Server-Timing`.
 */
export function serverDefaults<User>(options: ServerDefaults): MiddlewareHandler<ServerEnv<User>> {
  const { config, log, environment } = options
  const server = { config, log }
  const setCors = createCors(config.cors)
  const headers = [...securityHeaders, ...(environment === 'production' ? productionHeaders : [])]
  const timing = environment === 'development' ? createServerTiming(options.database) : null

  return async (c, next) => {
    const start = performance.now()
    const requestId = requestIdOf(c.req.header('x-request-id'))
    c.set('server', server)
    c.set('requestId', requestId)
    c.set('user', null)
    c.set('token', null)
    for (const [name, value] of headers) setHeader(c, name, value)
    setHeader(c, 'X-Request-Id', requestId)
    setCors(c)
    if (c.req.method === 'OPTIONS') c.res = preflight(c, config.cors.max_age)
    else if (!isReadablePath(rawPath(c.req.url))) c.res = await onError(unreadable, c)
    else await (timing === null ? next() : timing(c, next))
    if (log.isLevelEnabled('info')) logAnswer(c, log, requestId, start)
  }
}

/**
 * A proxy's id is kept, so one request has one name in all logs; anything that could not be an id
 * is replaced.
 */
function requestIdOf(given: string | undefined): string {
  return given !== undefined && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID()
}

/** No query (searches, reset links), no headers (tokens), no body. */
function logAnswer(c: Context, log: Log, requestId: string, start: number): void {
  const { method, path } = c.req
  const { status } = c.res
  const ms = Math.round((performance.now() - start) * 100) / 100
  const line = { requestId, method, path: loggedPath(path), status, ms }
  if (path === '/health' || path === '/ready') log.debug(line)
  else log.info(line)
}
