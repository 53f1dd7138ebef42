import { isIP } from 'node:net'
import type { Context } from 'hono'

/**
 * On this machine too, no page of another origin may read what policies say, whatever CORS allows, nor
 * one whose name was pointed here: so its name must be none that can be.
 */
export function isOwnPage({ req }: Pick<Context, 'req'>): boolean {
  const host = req.header('host') ?? 'localhost'
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  const origin = req.header('origin')
  return (
    (name === 'localhost' || isIP(name) !== 0) &&
    (origin === undefined || origin.replace(/^https?:\/\//, '') === host) &&
    ['same-origin', 'none'].includes(req.header('sec-fetch-site') ?? 'none')
  )
}
