/** A client of lists that are filtered by related records: what compiles, and what it sends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { load, openProject, type Project } from '../../support/project.js'
import { clientOf, expectUses, type Mistake } from '../client/check-client.js'
import { served, type Served } from '../client/served.js'

const use = (code: string) => `
import { createApi } from './client/client.js'
import * as notes from './client/notes.js'
import * as products from './client/products.js'
export const api = createApi({ baseUrl: '' })
export const known = [notes, products]
${code}
`

const right = `
export async function find() {
  await products.index(api, { match: { 'seller.name': 'Ada', '-tags.id': [1, '2'], reviews: false } })
  await products.index(api, { match: { 'members.pivot.is_admin': true, 'members.pivot.hours': [1, 2] } })
  await products.index(api, { match: { 'seller.level': ['high, or so', 'low'], 'seller.company.name': 'a' } })
  await products.index(api, { match: { 'seller.name': { startsWith: 'A' }, 'reviews.rating': { gte: 4 } } })
  await notes.index(api, { match: { 'subject.type': 'users', 'subject.id': ['1', 2], subject: true } })
}`

const mistakes: readonly Mistake[] = [
  [
    `await products.index(api, { match: { 'seller.nmae': 'Ada' } })`,
    /'"seller.nmae"' does not exist|''seller.nmae'' does not exist/,
  ],
  [
    `await products.index(api, { match: { reviews: 'yes' } })`,
    /'string' is not assignable to type 'boolean/,
  ],
  [
    `await products.index(api, { match: { 'seller.level': 'middle' } })`,
    /'"middle"' is not assignable/,
  ],
  [
    `await products.index(api, { match: { 'seller.name': { gets: 'a' } } })`,
    /'gets' does not exist/,
  ],
  [`await notes.index(api, { match: { 'subject.type': 'tags' } })`, /'"tags"' is not assignable/],
]

const clientFiles = async () =>
  clientOf(await blueprintOf('features/relation-filters', 'sqlite'), 'client')

describe('a client of lists that related records filter', () => {
  let project: Project
  let server: Served
  beforeAll(async () => {
    project = await openProject('features/relation-filters', 'sqlite')
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

  test('takes those that are declared', async () => {
    expectUses(await clientFiles(), use, { right, mistakes })
  })

  test('sends them', async () => {
    const { createApi } = await load(project.folder, 'client/client.ts')
    const products = await load(project.folder, 'client/products.ts')
    const ann = await project.user('Ann')
    const api = createApi({ baseUrl: server.baseUrl, token: project.token(ann) })
    const lamp = await project.insert('products', { name: 'Lamp', seller_id: ann })
    await project.insert('products', { name: 'Chair' })
    const tag = await project.insert('tags', { name: 'a' })
    await project.link('product_tag', { product_id: lamp, tag_id: tag })
    const found = async (match: object) => {
      const { data } = await products.index(api, { match, sort: ['id'] })
      return data.map((each: { attributes: { name: string } }) => each.attributes.name)
    }
    expect(await found({ 'seller.name': ['Ann', 'Bo'], tags: true })).toEqual(['Lamp'])
    expect(await found({ '-tags.id': tag })).toEqual(['Chair'])
    expect(await found({ 'seller.name': { startsWith: 'A', not: 'Bo' } })).toEqual(['Lamp'])
    expect(await found({ seller: false })).toEqual(['Chair'])
  })
})
