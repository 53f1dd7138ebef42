import { expect } from 'vitest'
import { read, type Send } from '../client.js'
import type { Values } from '../tested.js'
import type { Asked } from './asked.js'

/** A record has these values there too. */
export async function expectInGraphql(
  field: string,
  id: string,
  values: Values,
  send: Send,
): Promise<void> {
  const query = `{ ${field}(id: "${id}") { ${['id', ...Object.keys(values)].join(' ')} } }`
  const response = await send('POST', '/graphql', { query })
  const { data, errors } = await read<{ data: Record<string, Values>; errors?: unknown }>(response)
  expect(errors).toBeUndefined()
  for (const [name, value] of Object.entries(values)) {
    const shown = data[field]?.[name]
    // A decimal is a number there, unless config/svc-graphql.ts makes it a text.
    const isNumber = typeof shown === 'number' && typeof value === 'string'
    expect(shown, name).toEqual(isNumber ? Number(value) : value)
  }
}

interface Listed {
  readonly data: { readonly list: readonly { readonly id: string }[] }
  readonly errors?: unknown
}

/** Ids on all pages. */
export async function listInGraphql(
  field: string,
  asked: Asked,
  send: Send,
  page = 1,
): Promise<readonly string[]> {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Match`
  const [head, narrowed] =
    'sort' in asked
      ? ['query', `sort: ["${asked.sort}"]`]
      : [`query ($match: ${type})`, 'match: $match']
  const query = `${head} { list: ${field}List(first: 100, page: ${page}, ${narrowed}) { id } }`
  // Texts are as in a query string, but a select has no text that means null.
  const variables =
    'sort' in asked ? {} : { match: { [asked.column]: asked.text === 'null' ? null : asked.text } }
  const { data, errors } = await read<Listed>(await send('POST', '/graphql', { query, variables }))
  expect(errors).toBeUndefined()
  const ids = data.list.map(({ id }) => id)
  return ids.length === 0 ? ids : [...ids, ...(await listInGraphql(field, asked, send, page + 1))]
}
