/** A client that says which records of an included list come: what compiles, and what it sends. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { databases, load, openProject, type Project } from '../../support/project.js'
import { clientOf, expectUses, type Mistake } from '../client/check-client.js'
import { served, type Served } from '../client/served.js'

const use = (code: string) => `
import { createApi } from './client/client.js'
import * as products from './client/products.js'
import { productsQueries } from './client/products.queries.js'
import * as reviews from './client/reviews.js'
export const api = createApi({ baseUrl: '' })
export const known = [products, reviews, productsQueries]
${code}
`

const right = `
export async function find() {
  const { data } = await products.index(api, {
    include: { reviews: { perPage: 3, page: 1, sort: '-stars', match: { stars: [4, 5] }, search: 'a' }, seller: true },
    sort: ['id'],
  })
  const body: string | undefined = data[0]?.relationships.reviews[0]?.attributes.body
  const name: string | undefined = data[0]?.relationships.seller?.attributes.name
  const one = await reviews.show(api, '7', {
    include: { 'product.reviews': { sort: ['stars', '-id'] }, 'product.seller': true, 'product[name]': true },
  })
  const below: number | undefined = one.relationships.product?.relationships.reviews[0]?.attributes.stars
  for await (const each of products.each(api, { include: { reviews: {} } })) console.log(each.relationships.reviews)
  const { data: listed } = await products.index(api, { include: ['reviews', 'seller'] })
  const stars: number | undefined = listed[0]?.relationships.reviews[0]?.attributes.stars
  const { queryFn } = productsQueries(api).index({ include: { reviews: { perPage: 2 } } })
  return [body, name, below, stars, queryFn]
}
export async function wide(paths: products.ProductInclude[]) {
  return products.index(api, { include: paths })
}`

const mistakes: readonly Mistake[] = [
  [`await products.index(api, { include: { reveiws: { perPage: 3 } } })`, /reveiws/],
  [
    `await products.index(api, { include: { reviews: { perPgae: 3 } } })`,
    /'perPgae' does not exist/,
  ],
  [`await products.index(api, { include: { reviews: { sort: 'strs' } } })`, /"strs"/],
  [
    `await products.index(api, { include: { reviews: { match: { strs: 1 } } } })`,
    /'strs' does not exist/,
  ],
  [
    `await products.index(api, { include: { seller: { perPage: 3 } } })`,
    /not assignable to type 'true'/,
  ],
  [
    `await products.index(api, { include: { reviews: { include: ['x'] } } })`,
    /'include' does not exist/,
  ],
  [
    `await reviews.show(api, '7', { include: { 'product.reveiws': {} } })`,
    /there is no 'reveiws' to include/,
  ],
  [`await reviews.show(api, '7', { include: { 'product.reviews': { sort: 'id,' } } })`, /"id,"/],
  [`await products.index(api, { include: ['reveiws'] })`, /reveiws/],
]

test('what is asked of an included list is checked as its own list checks it', async () => {
  const blueprint = await blueprintOf('features/include-arguments', 'sqlite')
  const files = await clientOf(blueprint, 'client', { hasQueries: true })
  expectUses(files, use, { right, mistakes })
  const without = await clientOf(await blueprintOf('features/operators', 'sqlite'), 'client')
  expect(without.filter(({ content }) => /IncludeParts|ListPart|includedIn/.test(content))).toEqual(
    [],
  )
})

describe.each(databases)('a client that includes parts of lists on %s', (name) => {
  let project: Project
  let server: Served
  beforeAll(async () => {
    project = await openProject('features/include-arguments', name, {
      'manifest/index.ts': (text) =>
        text
          .replace(
            'password: password()',
            'is_admin: boolean().default(false), password: password()',
          )
          .replace('import {', 'import { boolean, ')
          .replace(
            "reads: ['includeArguments']",
            "newPolicies: 'signed-in',\n  client: 'client',\n  reads: ['includeArguments', 'operators', 'trees', 'cursors']",
          ),
      'config/svc.ts': (text) => text.replace('strict_queries: false', 'strict_queries: true'),
    })
    server = await served((request) => project.fetch(request))
  })
  afterAll(async () => {
    await server.close()
    await project.close()
  })

  test('sends what it is asked, in an address and in a body', async () => {
    const { createApi, SvcError } = await load(project.folder, 'client/client.ts')
    const products = await load(project.folder, 'client/products.ts')
    const reviews = await load(project.folder, 'client/reviews.ts')
    const ann = await project.user('Ann')
    const product_id = await project.insert('products', { name: 'Lamp', seller_id: ann })
    for (let stars = 1; stars <= 6; stars += 1)
      await project.insert('reviews', { product_id, stars, body: stars % 2 ? 'odd, so' : 'even' })
    const api = createApi({ baseUrl: server.baseUrl, token: project.token(ann) })
    interface Shown {
      relationships: { reviews: readonly Review[]; seller?: object; product?: Shown }
    }
    interface Review {
      attributes: { stars: number }
    }
    const starsIn = ({ relationships }: Shown) =>
      relationships.reviews.map(({ attributes }) => attributes.stars)
    const asked = [
      [{ perPage: 2, sort: '-stars' }, [6, 5]],
      [{ perPage: 2, page: 2, sort: ['-stars', 'id'] }, [4, 3]],
      [{ match: { stars: [2, 5, 9] }, sort: 'stars' }, [2, 5]],
      [{ match: { '-stars': [1, 2, 3, 4] }, sort: ['stars'] }, [5, 6]],
      [{ match: { stars: { gte: 3, lt: 5 } }, sort: 'stars' }, [3, 4]],
      [{ search: 'odd, so', sort: 'id' }, [1, 3, 5]],
      [{ perPage: undefined, sort: '-id' }, [6, 5, 4, 3, 2, 1]],
    ] as const
    for (const [part, stars] of asked) {
      const include = { 'reviews[stars|body]': part, seller: true }
      const { data } = await products.index(api, { include })
      expect(starsIn(data[0]), JSON.stringify(part)).toEqual(stars)
      expect(data[0].relationships.seller).toMatchObject({ type: 'users' })
      const { data: found } = await products.search(api, { include })
      expect(starsIn(found[0]), JSON.stringify(part)).toEqual(stars)
      expect(starsIn(await products.show(api, String(product_id), { include }))).toEqual(stars)
      for await (const each of products.each(api, { include })) expect(starsIn(each)).toEqual(stars)
    }
    const { data } = await reviews.index(api, {
      include: { 'product.reviews': { perPage: 1, sort: '-id' } },
    })
    expect(starsIn(data[0].relationships.product)).toEqual([6])
    const refused = products.index(api, { include: { reviews: { sort: 'nothing' } } })
    await expect(refused).rejects.toThrow(SvcError)
    await expect(refused).rejects.toThrow('Of include[reviews]')
  })
})
