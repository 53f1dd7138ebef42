import type { Context } from 'hono'
import type { Exchange } from '../model/exchange.js'

/** The options of a repository's write that a request gives: its headers and parameters, see `understanding`. */
export const writeOptions = (c: Pick<Context, 'get'>): { readonly exchange: Exchange | null } => ({
  exchange: (c.get('exchange') as Exchange | undefined) ?? null,
})
