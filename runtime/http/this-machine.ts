import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** Headers that a proxy adds when it forwards a request. */
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
]

/**
 * Whether a process of this machine asks, for what only its developer may see. By the connection:
 * the Host header says what the client likes. A proxy of this machine that says that it is one
 * speaks for others; of one that does not, nobody can tell, so production serves nothing by this.
 */
export function isOfThisMachine(c: Pick<Context, 'req' | 'env'>): boolean {
  if (forwarding.some((name) => c.req.header(name) !== undefined)) return false
  // `app.request()` of a test has no connection.
  const socket = (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket
  const peer = socket?.remoteAddress ?? ''
  const isItself = peer !== '' && peer === socket?.localAddress
  return isItself || /^(?:::1$|(?:::ffff:)?127\.)/.test(peer)
}
