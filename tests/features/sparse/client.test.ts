/** What the compiler says of a client that asks for some fields, and for counts. */
import { expect, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { checkClient, clientOf } from '../client/check-client.js'

async function problemsOf(fixture: string, uses: string): Promise<string> {
  const blueprint = await blueprintOf(`features/${fixture}`, 'sqlite')
  const files = await clientOf(blueprint, 'client', { hasQueries: true })
  const inFolder = files.map(({ path, content }) => {
    return { path: path.startsWith('client/') ? path : `client/${path}`, content }
  })
  return checkClient([...inFolder, { path: 'uses.ts', content: uses }])
}

test('a record has the attributes that were asked for, and no others', async () => {
  const uses = `
import { createApi } from './client/client.js'
import * as products from './client/products.js'
import * as users from './client/users.js'
import { productsQueries } from './client/products.queries.js'
const api = createApi({ baseUrl: '' })
const { data } = await products.index(api, { fields: ['name', 'price'], sort: ['name'] })
export const name: string | undefined = data[0]?.attributes.name
// @ts-expect-error: it was not asked for
export const note = data[0]?.attributes.note
const one = await products.show(api, '1', { fields: ['note'], include: ['seller', 'reviews'] })
export const text: string | null = one.attributes.note
export const seller: string | undefined = one.relationships.seller?.attributes.name
export const body: string | undefined = one.relationships.reviews[0]?.attributes.body
// @ts-expect-error: it was not asked for
export const other = one.attributes.name
// @ts-expect-error: no such field
await products.index(api, { fields: ['nmae'] })
const whole = await products.show(api, '1')
export const all: [string, string, string | null] = [whole.attributes.name, whole.attributes.price, whole.attributes.note]
for await (const each of products.each(api, { fields: ['price'] })) {
  export_(each.attributes.price)
  // @ts-expect-error: it was not asked for
  export_(each.attributes.name)
}
declare function export_(value: string): void
const below = await users.show(api, '1', { fields: ['email'] })
export_(below.attributes.email)
const { queryFn } = productsQueries(api).index({ fields: ['name'] })
export const asked: typeof queryFn = queryFn
// @ts-expect-error: no such field
productsQueries(api).show('1', { fields: ['nmae'] })
`
  expect(await problemsOf('sparse', uses)).toBe('')
})

test('counts are there where they were asked for', async () => {
  const uses = `
import { createApi } from './client/client.js'
import * as products from './client/products.js'
import * as tags from './client/tags.js'
const api = createApi({ baseUrl: '' })
const { data } = await products.index(api, { withCount: ['reviews'], sort: ['-reviews.count', 'name'] })
export const reviews: number | undefined = data[0]?.counts.reviews
// @ts-expect-error: they were not to be counted
export const none = data[0]?.counts.tags
const one = await products.show(api, '1', { withCount: ['reviews', 'tags'], include: ['seller'] })
export const both: number = one.counts.reviews + one.counts.tags
export const seller: string | undefined = one.relationships.seller?.attributes.name
// @ts-expect-error: nothing was to be counted
export const plain = (await products.show(api, '1')).counts
// @ts-expect-error: it is one
await products.index(api, { withCount: ['seller'] })
// @ts-expect-error: tags count nothing
await tags.index(api, { withCount: ['products'] })
// @ts-expect-error: not declared
await products.index(api, { sort: ['tags.count'] })
`
  expect(await problemsOf('counts', uses)).toBe('')
})
