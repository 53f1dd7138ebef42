import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import type { Environment } from '../../config/env.js'
import { forbidden, unauthenticated } from '../../errors.js'
import { isOfThisMachine } from '../../http/this-machine.js'

export interface Readers {
  /** METRICS_TOKEN. */
  readonly token: string | undefined
  readonly environment: Environment
}

/**
 * Who may read /metrics: who sends the token. Where none is set, nobody in production, and
 * elsewhere a process of this machine.
 */
export function mayRead(c: Context, { token, environment }: Readers): void {
  if (token === undefined) {
    if (environment === 'production' || !isOfThisMachine(c)) throw forbidden()
    return
  }
  const given = /^bearer +(.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  if (given === undefined || !isSame(given, token)) throw unauthenticated()
}

/** Hashes have one length, so comparing them takes one time. */
const isSame = (one: string, other: string) => timingSafeEqual(hashOf(one), hashOf(other))

const hashOf = (text: string) => createHash('sha256').update(text).digest()
