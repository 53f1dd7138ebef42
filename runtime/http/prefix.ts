import type { Context, Env } from 'hono'
import type { Server } from './context.js'

/** The path below which clients reach this server, where a proxy takes it away: `/shop`, or none. */
export const prefixIn = (appUrl: string | undefined): string =>
  appUrl === undefined ? '' : new URL(appUrl).pathname.replace(/\/+$/, '')

/** Returns the prefix of the request: it comes before each path that starts at the root. */
export function prefixOf<E extends Env>(c: Context<E>): string {
  // An app of one's own, in a test say, may be without the layer that sets it.
  const server = (c as unknown as Context).get('server') as Server | undefined
  return server?.prefix ?? ''
}
