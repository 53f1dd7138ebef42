import type { Context } from 'hono'
import type { Exchange } from '../model/exchange.js'

/** Passes the request to a repository that writes: see `understanding`. */
export const askedOf = (c: Pick<Context, 'get'>): { readonly exchange: Exchange | null } => ({
  exchange: (c.get('exchange') as Exchange | undefined) ?? null,
})
