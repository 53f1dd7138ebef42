import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { forbidden, unauthenticated } from '../../errors.js'

/**
 * Who may read /metrics: who sends the token or, where none is set, a process of this machine that
 * asks without a proxy.
 */
export function mayRead(c: Context, token: string | undefined): void {
  if (token === undefined) {
    if (!isOfThisMachine(c)) throw forbidden()
    return
  }
  const given = /^bearer +(.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  if (given === undefined || !isSame(given, token)) throw unauthenticated()
}

/** Hashes have one length, so comparing them takes one time. */
const isSame = (one: string, other: string) => timingSafeEqual(hashOf(one), hashOf(other))

const hashOf = (text: string) => createHash('sha256').update(text).digest()

/** A proxy on this machine speaks for others, and says so. */
function isOfThisMachine(c: Context): boolean {
  const isForwarded = ['forwarded', 'x-forwarded-for', 'via'].some(
    (name) => c.req.header(name) !== undefined,
  )
  const peer = (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket.remoteAddress ?? ''
  return !isForwarded && /^(?:::1$|(?:::ffff:)?127\.)/.test(peer)
}
