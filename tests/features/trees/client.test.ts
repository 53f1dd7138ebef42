/** A client whose lists are asked in a body: what compiles, and what it sends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { METHODS } from 'node:http'
import { dirname, join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openapiDocument } from '../../../generator/features/openapi/document.js'
import { blueprintOf } from '../../core/plan/fixture.js'
import { load, openProject, type Project } from '../../support/project.js'
import { describeProject } from '../../support/with-features.js'
import { checkClient, clientOf, expectUses, type Mistake } from '../client/check-client.js'
import { served, type Served } from '../client/served.js'

const use = (code: string) => `
import { createApi } from './client/client.js'
import * as products from './client/products.js'
import * as reviews from './client/reviews.js'
import * as users from './client/users.js'
import { productsQueries } from './client/products.queries.js'
import { usersQueries } from './client/users.queries.js'
export const api = createApi({ baseUrl: '' })
export const known = [products, reviews, users, productsQueries, usersQueries]
${code}
`

const right = `
export async function find() {
  const { data, meta } = await products.search(api, {
    where: { any: [{ price: { gte: '5.00' } }, { not: { status: ['open', 'gone'] } }], name: { startsWith: 'La' } },
    match: { price: ['1.00', '2.00'], '-status': 'gone' },
    sort: ['-price'],
    fields: ['name'],
    include: ['reviews'],
    perPage: 5,
  })
  const names: (string | undefined)[] = data.map(({ attributes }) => attributes.name)
  const pages: number = meta.last_page
  await reviews.search(api, { where: { all: [{ stars: 5 }, { body: { isNull: false } }] } })
  const { meta: of } = await products.searchFrom(api, '', { where: { is_live: true, code: { not: 'x' } } })
  const next: string | null = of.next_cursor
  const where: products.ProductWhere = { stock: [1, 2], due_at: { lt: '2026-01-01' } }
  for await (const { attributes } of products.searchEach(api, { where, fields: ['name'] })) names.push(attributes.name)
  for await (const { relationships } of reviews.searchEach(api, { include: ['product'] })) names.push(relationships.product?.id)
  const { queryFn, queryKey } = productsQueries(api).search({ where, sort: ['-price'], include: ['owner'] })
  const { getNextPageParam } = productsQueries(api).searchPages({ where, perPage: 5 })
  return [names, pages, next, where, queryFn, queryKey, getNextPageParam]
}`

const mistakes: readonly Mistake[] = [
  [`await products.search(api, { where: { pirce: '5.00' } })`, /'pirce' does not exist/],
  [
    `await products.search(api, { where: { any: [{ price: { get: '1' } }] } })`,
    /'get' does not exist/,
  ],
  [
    `await products.search(api, { where: { not: { status: 'shut' } } })`,
    /'"shut"' is not assignable/,
  ],
  [`await products.search(api, { where: { any: { stock: 1 } } })`, /'stock' does not exist/],
  [`await products.search(api, { where: { is_live: [true] } })`, /'true\[\]' is not assignable/],
  [`(await products.search(api)).links`, /'links' does not exist/],
  [`await products.index(api, { where: { stock: 1 } })`, /'where' does not exist/],
  [`await reviews.searchFrom(api, '')`, /'searchFrom' does not exist/],
  [`productsQueries(api).search({ where: { stok: 1 } })`, /'stok' does not exist/],
  [`usersQueries(api).search({})`, /'search' does not exist/],
  [`await users.search(api)`, /'search' does not exist/],
]

/** Over a connection: this method, where Node's parser reads it, or what is the same. */
async function queryOver(baseUrl: string, token: string, body: object) {
  const isRead = METHODS.includes('QUERY')
  const path = isRead ? '/api/svc/products' : '/api/svc/products/search'
  const response = await fetch(baseUrl + path, {
    method: isRead ? 'QUERY' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { readonly data: unknown }
}

/** Beside what openapi-typescript makes of the document. */
const foreign = `
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.js'
export const client = createClient<paths>({ baseUrl: '' })
const search = '/api/svc/products/search'
export const right = [
  client.POST(search, { body: { where: { any: [{ price: { gte: 5 } }, { not: { status: ['open'] } }] } } }),
  client.POST(search, { body: { price: { gte: 5, in: ['7.00', 8] }, stock: 1, status: null, '-name': 'x', sort: '-price' } }),
  client.POST(search, { body: { price: [1, '2.50'], filter: { page: 'a', '-any': ['b', 'c'], due_at: { isNull: true } } } }),
  client.POST(search, { body: { include: { reviews: { perPage: 1, sort: ['-stars'], stars: [4, 5] } }, fields: ['name'] } }),
  client.POST(search, { body: { include: { 'owner.products.reviews': { perPage: 1 } } } }),
  client.POST(search, { body: { include: ['owner'], 'include[reviews]': { filter: { stars: 5 } }, cursor: '', withTotal: 'bounded' } }),
]
type Search = components['schemas']['Product.search']
// @ts-expect-error there is no such comparison
export const wrong1: Search = { price: { get: 5 } }
// @ts-expect-error there is no such column
export const wrong2: Search = { filter: { pirce: 5 } }
// @ts-expect-error there is no such sort
export const wrong3: Search = { sort: ['name'] }
// @ts-expect-error reviews have none
export const wrong4: Search = { include: { reviews: { sort: 'name' } } }
// @ts-expect-error it is a list
export const wrong5: Search = { stock: { in: 5 } }
`

const clientFiles = async () =>
  clientOf(await blueprintOf('features/trees', 'sqlite'), 'client', { hasQueries: true })

describe('a client with searches', () => {
  let project: Project
  let server: Served
  beforeAll(async () => {
    project = await openProject('features/trees', 'sqlite')
    server = await served((request) => project.fetch(request))
    for (const { path, content } of await clientFiles()) {
      mkdirSync(dirname(join(project.folder, path)), { recursive: true })
      writeFileSync(join(project.folder, path), content)
    }
  })
  afterAll(async () => {
    await server.close()
    await project.close()
  })

  test('takes what a column has, at any depth', async () => {
    expectUses(await clientFiles(), use, { right, mistakes })
  })

  test('the document says all of it to openapi-typescript', async () => {
    const blueprint = await blueprintOf('features/trees', 'sqlite')
    const project = describeProject(blueprint, { name: 'trees', svckit: '10.0.0' })
    const types = astToString(await openapiTypescript(await openapiDocument(project)))
    const files = [
      { path: 'schema.ts', content: types },
      { path: 'use.ts', content: foreign },
    ]
    expect(checkClient(files)).toBe('')
  })

  test('sends it in a body, and finds', async () => {
    const { createApi } = await load(project.folder, 'client/client.ts')
    const products = await load(project.folder, 'client/products.ts')
    const ann = await project.user('Ann')
    const api = createApi({ baseUrl: server.baseUrl, token: project.token(ann) })
    for (const [name, price] of [
      ['Lamp', '5.00'],
      ['Lantern', '9.00'],
      ['Chair', '12.00'],
    ])
      await products.store(api, { name, price, status: 'open' })
    const found = async (query: object) => {
      const { data } = await products.search(api, { sort: ['id'], ...query })
      return data.map((each: { attributes: { name: string } }) => each.attributes.name)
    }
    const where = { any: [{ name: 'Chair' }, { price: { lt: '9.00' } }] }
    expect(await found({ where })).toEqual(['Lamp', 'Chair'])
    const match = { price: ['1.00', '10.00'], '-status': 'gone', name: undefined }
    expect(await found({ match, where })).toEqual(['Lamp'])
    expect(await found({ match: { price: { gte: '9.00' } }, signal: undefined })).toHaveLength(2)
    const { data, meta } = await products.searchFrom(api, '', { where, perPage: 1, sort: ['id'] })
    expect(data[0].attributes.name).toBe('Lamp')
    const { data: queried } = await queryOver(server.baseUrl, project.token(ann), { where })
    expect(queried).toHaveLength(2)
    const next = await products.searchFrom(api, meta.next_cursor, { where, sort: ['id'] })
    expect(next.data[0].attributes.name).toBe('Chair')
  })

  test('walks what it finds, and has what TanStack Query asks for', async () => {
    const { createApi } = await load(project.folder, 'client/client.ts')
    const products = await load(project.folder, 'client/products.ts')
    const reviews = await load(project.folder, 'client/reviews.ts')
    const { productsQueries } = await load(project.folder, 'client/products.queries.ts')
    const bob = await project.user('Bob')
    const bodies: Record<string, unknown>[] = []
    const api = createApi({
      baseUrl: server.baseUrl,
      token: project.token(bob),
      fetch: (address: string, init: RequestInit) => {
        if (address.endsWith('/search')) bodies.push(JSON.parse(String(init.body)))
        return fetch(address, init)
      },
    })
    const store = (stock: number) => products.store(api, { name: `Lamp ${stock}`, stock })
    for (const stock of [1, 2, 3, 4, 5]) await store(stock)
    const where = { stock: { gte: 2 }, not: { stock: 4 } }
    const walked: string[] = []
    for await (const { attributes } of products.searchEach(api, {
      where,
      sort: ['id'],
      perPage: 2,
    })) {
      walked.push(attributes.name)
      // What is made meanwhile moves no other record.
      if (walked.length === 1) await store(1)
    }
    expect(walked).toEqual(['Lamp 2', 'Lamp 3', 'Lamp 5'])
    expect(bodies.map(({ cursor }) => typeof cursor)).toEqual(['string', 'string'])
    const later: string[] = []
    const query = { where, sort: ['id'], perPage: 2, page: 2 }
    for await (const { attributes } of products.searchEach(api, query)) later.push(attributes.name)
    expect(later).toEqual(['Lamp 5'])
    const found = await products.search(api, { where })
    for (const { id } of found.data)
      await project.insert('reviews', { stars: 4, product_id: Number(id) })
    // Without cursors, page after page.
    bodies.length = 0
    const stars: number[] = []
    const asked = { where: { stars: [4, 5] }, perPage: 2 }
    for await (const { attributes } of reviews.searchEach(api, asked)) stars.push(attributes.stars)
    expect(stars).toEqual([4, 4, 4])
    expect(bodies.map(({ page }) => page)).toEqual([1, 2])

    const { signal } = new AbortController()
    const { queryKey, queryFn } = productsQueries(api).search({ where, sort: ['-id'], perPage: 1 })
    expect(queryKey).toEqual(['products', 'search', { where, sort: ['-id'], perPage: 1 }])
    expect((await queryFn({ signal })).data[0].attributes.name).toBe('Lamp 5')
    const pages = productsQueries(api).searchPages({ where, sort: ['id'], perPage: 2 })
    const first = await pages.queryFn({ signal, pageParam: pages.initialPageParam })
    const next = pages.getNextPageParam(first)
    const second = await pages.queryFn({ signal, pageParam: next })
    expect([next, pages.getNextPageParam(second)]).toEqual([2, undefined])
  })
})
