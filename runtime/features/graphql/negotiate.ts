import { parseAccept } from 'hono/utils/accept'

/** Media types of answers, as GraphQL over HTTP has them. */
export type MediaType = 'application/graphql-response+json' | 'application/json'

const known: ReadonlyMap<string, MediaType> = new Map([
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['application/json', 'application/json'],
  ['application/*', 'application/json'],
  ['*/*', 'application/json'],
])

/**
 * The type the client likes best; null: none that there is. No header is like any. (graphql-http
 * takes the first type it knows, whatever its `q`.)
 */
export function negotiate(accept = ''): MediaType | null {
  if (accept.trim() === '') return 'application/json'
  const plain = known.get(accept)
  if (plain !== undefined) return plain
  // Sorted by `q`.
  for (const { type, q, params } of parseAccept(accept.toLowerCase())) {
    const isUtf8 = /^utf-?8$/.test(params['charset'] ?? 'utf-8')
    const found = isUtf8 && q > 0 ? known.get(type) : undefined
    if (found !== undefined) return found
  }
  return null
}

/** Returns true if a browser asks for a page. */
export function wantsPage(accept = ''): boolean {
  return accept.toLowerCase().includes('text/html')
}
