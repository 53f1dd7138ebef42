import type { Context, Hono, MiddlewareHandler } from 'hono'
import type { SvcConfig } from '../config/server-config.js'
import { allowedMethods } from './allowed-methods.js'
import { setHeader } from './context.js'
import { withDirectStep } from './direct.js'

/**
 * Headers a script of another origin may read: all that an answer of this server may have, but for
 * those that every script may read and those that speak to the browser alone.
 */
const exposed = [
  ...['Allow', 'ETag', 'Idempotency-Replayed', 'Location', 'Preference-Applied'],
  ...[
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'Server-Timing',
    'WWW-Authenticate',
    'X-Request-Id',
  ],
].join(', ')

/** CORS headers on every answer, and the answer to OPTIONS: which methods the path takes. */
export function cors(
  { origins, credentials, max_age }: SvcConfig['cors'],
  app: Pick<Hono, 'router'>,
): MiddlewareHandler {
  const isOpen = origins.includes('*')
  const allowed = new Set(origins)
  const layer: MiddlewareHandler = (c, next) => {
    const origin = isOpen ? '*' : c.req.header('origin')
    // The answer differs by origin also when it allows nothing.
    if (!isOpen) c.header('Vary', 'Origin', { append: true })
    if (origin !== undefined && allowed.has(origin)) {
      setHeader(c, 'Access-Control-Allow-Origin', origin)
      setHeader(c, 'Access-Control-Expose-Headers', exposed)
      if (credentials) setHeader(c, 'Access-Control-Allow-Credentials', 'true')
    }
    if (c.req.method !== 'OPTIONS') return next()
    return Promise.resolve(options(c, max_age, allowedMethods(app, c.req.path)))
  }
  const ofAllowed = ['Access-Control-Expose-Headers', exposed]
  if (credentials) ofAllowed.push('Access-Control-Allow-Credentials', 'true')
  return withDirectStep(layer, ({ headers, sent }) => {
    const origin = isOpen ? '*' : sent.origin
    if (!isOpen) headers.push('Vary', 'Origin')
    if (origin === undefined || !allowed.has(origin)) return
    headers.push('Access-Control-Allow-Origin', origin, ...ofAllowed)
  })
}

/** Answers the preflight of browsers, and the question which methods there are. */
function options(c: Context, maxAge: number, allow: string): Response {
  const headers = c.req.header('access-control-request-headers')
  if (headers !== undefined) {
    setHeader(c, 'Access-Control-Allow-Headers', headers)
    c.header('Vary', 'Access-Control-Request-Headers', { append: true })
  }
  if (allow !== '') setHeader(c, 'Allow', allow)
  // Scripts may send any, so that they can read why one is refused.
  const known = allow.includes('QUERY') ? 'GET, HEAD, QUERY' : 'GET, HEAD'
  setHeader(c, 'Access-Control-Allow-Methods', `${known}, POST, PUT, PATCH, DELETE`)
  setHeader(c, 'Access-Control-Max-Age', String(maxAge))
  return c.body(null, 204)
}
