/** A client whose columns are compared: what compiles, and what it sends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { load, openProject, type Project } from '../../support/project.js'
import { clientOf, expectUses, type Mistake } from '../client/check-client.js'
import { served, type Served } from '../client/served.js'

const use = (code: string) => `
import { createApi } from './client/client.js'
import * as products from './client/products.js'
import * as users from './client/users.js'
export const api = createApi({ baseUrl: '' })
export const known = [products, users]
${code}
`

const right = `
export async function find() {
  await products.index(api, { match: { price: { gte: '5.00', lt: '10.00' }, name: { startsWith: 'La' } } })
  await products.index(api, { match: { status: { in: ['open', 'gone'] }, is_live: { not: true }, code: { isNull: true } } })
  await products.index(api, { match: { price: ['1.00', '2.00'], status: 'open', '-status': 'gone', stock: { notIn: [1, 2] } } })
}`

const mistakes: readonly Mistake[] = [
  [`await products.index(api, { match: { price: { get: '5.00' } } })`, /'get' does not exist/],
  [
    `await products.index(api, { match: { stock: { gte: 'x' } } })`,
    /'string' is not assignable to type 'number'/,
  ],
  [
    `await products.index(api, { match: { status: { in: ['shut'] } } })`,
    /'"shut"' is not assignable/,
  ],
  [`await products.index(api, { match: { is_live: { gt: true } } })`, /'gt' does not exist/],
  [`await products.index(api, { match: { '-stock': { gte: 1 } } })`, /'gte' does not exist/],
  [
    `await users.index(api, { match: { name: { startsWith: 'A' } } })`,
    /'startsWith' does not exist/,
  ],
]

const clientFiles = async () =>
  clientOf(await blueprintOf('features/operators', 'sqlite'), 'client')

describe('a client with comparisons', () => {
  let project: Project
  let server: Served
  beforeAll(async () => {
    project = await openProject('features/operators', 'sqlite')
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

  test('takes those that a column has', async () => {
    expectUses(await clientFiles(), use, { right, mistakes })
  })

  test('sends each of them, beside plain values', async () => {
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
    const found = async (match: object) => {
      const { data } = await products.index(api, { match, sort: ['id'] })
      return data.map((each: { attributes: { name: string } }) => each.attributes.name)
    }
    expect(await found({ price: { gt: '5.00', lte: '12.00' }, status: 'open' })).toEqual([
      'Lantern',
      'Chair',
    ])
    expect(await found({ name: { startsWith: 'La' }, price: { in: ['5.00', '12.00'] } })).toEqual([
      'Lamp',
    ])
    expect(await found({ stock: { isNull: true }, price: ['5.00', '9.00'] })).toEqual([
      'Lamp',
      'Lantern',
    ])
  })
})
