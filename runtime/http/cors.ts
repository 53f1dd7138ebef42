import type { Context } from 'hono'
import type { SvcConfig } from '../config/server-config.js'
import { setHeader } from './context.js'

/** Sets the CORS headers of an answer, whatever it will be. */
export type SetCors = (c: Context) => void

/** Headers a script of another origin may read. */
const exposed = 'Location, Retry-After, X-Request-Id'

export function createCors({ origins, credentials }: SvcConfig['cors']): SetCors {
  if (origins.includes('*')) {
    return (c) => {
      setHeader(c, 'Access-Control-Allow-Origin', '*')
      setHeader(c, 'Access-Control-Expose-Headers', exposed)
    }
  }
  const allowed = new Set(origins)
  return (c) => {
    // The answer differs by origin also when it allows nothing.
    c.header('Vary', 'Origin', { append: true })
    const origin = c.req.header('origin')
    if (origin === undefined || !allowed.has(origin)) return
    setHeader(c, 'Access-Control-Allow-Origin', origin)
    setHeader(c, 'Access-Control-Expose-Headers', exposed)
    if (credentials) setHeader(c, 'Access-Control-Allow-Credentials', 'true')
  }
}

/** The answer to OPTIONS: what a browser asks before it sends the request itself. */
export function preflight(c: Context, maxAge: number): Response {
  const headers = c.req.header('access-control-request-headers')
  if (headers !== undefined) {
    setHeader(c, 'Access-Control-Allow-Headers', headers)
    c.header('Vary', 'Access-Control-Request-Headers', { append: true })
  }
  setHeader(c, 'Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
  setHeader(c, 'Access-Control-Max-Age', String(maxAge))
  return c.body(null, 204)
}
