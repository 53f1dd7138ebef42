/** Media types of answers, as GraphQL over HTTP has them. */
export type MediaType = 'application/graphql-response+json' | 'application/json'

const known: ReadonlyMap<string, MediaType> = new Map([
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['application/json', 'application/json'],
  ['application/*', 'application/json'],
  ['*/*', 'application/json'],
])

/** The type the client likes best; null: none that there is. No header is like any. */
export function negotiate(accept: string | undefined): MediaType | null {
  if (accept === undefined || accept.trim() === '') return 'application/json'
  const plain = known.get(accept)
  if (plain !== undefined) return plain
  let best: MediaType | null = null
  let bestWeight = 0
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim())
    const type = known.get(name)
    const charset = valueOf(parameters, 'charset') ?? 'utf-8'
    const weight = Number(valueOf(parameters, 'q') ?? 1)
    if (type === undefined || !/^utf-?8$/.test(charset) || !(weight > bestWeight)) continue
    best = type
    bestWeight = weight
  }
  return best
}

function valueOf(parameters: readonly string[], name: string): string | undefined {
  return parameters.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** Whether a browser asks for a page. */
export function wantsPage(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes('text/html') === true
}
