import { isIP, isIPv6, SocketAddress } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Served } from './context.js'

/** A request and the connection it came on. */
export type Arrived = Pick<Context<Served>, 'req' | 'env' | 'get'>

/**
 * Who asks: the peer of the connection or, behind `trusted` proxies, what the outermost of them
 * wrote. A client may write X-Forwarded-For too, so without proxies it is not read.
 */
export function addressOf(c: Arrived, trusted: number): string {
  const forwarded = c.req.header('x-forwarded-for')
  const given = trusted > 0 ? (forwarded ?? '').split(',').map(withoutPort).at(-trusted) : ''
  if (!given) reportIgnored(c, trusted, forwarded)
  // `app.request()` in a test gives no bindings at all.
  const peer = (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket.remoteAddress
  const address = given || peer || 'local'
  return isIPv6(address) ? networkOf(address) : address
}

/** Once a process: every request may have such a header, made up or not. */
let isReported = false

/** Behind a proxy that nobody named, all callers are one: its limits are theirs together. */
function reportIgnored(c: Arrived, trusted: number, forwarded: string | undefined): void {
  if (isReported) return
  const name = forwarded === undefined ? 'Forwarded' : 'X-Forwarded-For'
  if (forwarded === undefined && c.req.header('forwarded') === undefined) return
  isReported = true
  const why = forwarded === undefined ? 'only X-Forwarded-For is read' : unlike(trusted)
  c.get('server').log.warn(
    `the header ${name} was ignored: ${why}. Behind a proxy all its callers count as one now: ` +
      'set TRUSTED_PROXIES to the number of proxies in front of this server, each of which must ' +
      'add to X-Forwarded-For; where there is none, a client made it up (said once)',
  )
}

const unlike = (trusted: number) =>
  trusted === 0 ? 'TRUSTED_PROXIES is 0' : `it has no address that TRUSTED_PROXIES ${trusted} means`

/** `203.0.113.9:4711` and `[2001:db8::1]:4711`, as some proxies write; empty for what is none. */
function withoutPort(hop: string): string {
  const [, v6, v4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(hop.trim()) ?? []
  const address = (v6 ?? v4 ?? hop.trim()).toLowerCase()
  return isIP(address) === 0 ? '' : address
}

/** One subscriber has a whole /64 of IPv6 addresses, each of which can be spelled in many ways. */
function networkOf(text: string): string {
  const { address } = new SocketAddress({ family: 'ipv6', address: text })
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail = ''] = address.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}
