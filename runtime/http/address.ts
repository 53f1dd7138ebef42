import { isIP, isIPv6 } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** A request and the connection it came on. */
export type Arrived = Pick<Context, 'req' | 'env'>

/**
 * Who asks: the peer of the connection or, behind `trusted` proxies, what the outermost of them
 * wrote. A client may write X-Forwarded-For too, so without proxies it is not read.
 */
export function addressOf(c: Arrived, trusted: number): string {
  // `app.request()` in a test gives no bindings at all.
  const peer = (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket.remoteAddress
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map(withoutPort)
  const address = (trusted > 0 ? hops.at(-trusted) : '') || peer || 'local'
  return isIPv6(address) ? networkOf(address) : address
}

/** `203.0.113.9:4711` and `[2001:db8::1]:4711`, as some proxies write; empty for what is none. */
function withoutPort(hop: string): string {
  const [, v6, v4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(hop.trim()) ?? []
  const address = (v6 ?? v4 ?? hop.trim()).toLowerCase()
  return isIP(address) === 0 ? '' : address
}

/** One subscriber has a whole /64 of IPv6 addresses. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail = ''] = address.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}
