/** A client of repositories whose records are made or changed by a key: what compiles, and what it sends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blueprintOf } from '../../core/plan/fixture.js'
import { load, openProject, type Project } from '../../support/project.js'
import { clientOf, expectUses, type Mistake } from '../client/check-client.js'
import { served, type Served } from '../client/served.js'

const use = (code: string) => `
import { createApi } from './client/client.js'
import * as drafts from './client/drafts.js'
import * as products from './client/products.js'
import * as tags from './client/tags.js'
export const api = createApi({ baseUrl: '' })
export const known = [drafts, products, tags]
${code}
`

const right = `
export async function change() {
  const { data, meta } = await products.upsert(api, 'sku', { sku: 'a', title: 'A' })
  const isNew: boolean = meta.created
  await products.upsert(api, 'company_id,code', { company_id: 1, code: 'a' }, { version: data.meta.version })
  const many = await products.upsertMany(api, 'sku', [{ sku: 'a', price: '1.00', version: 3 }, { sku: 'b', title: 'B' }])
  const all: boolean[] = many.meta.created
  await drafts.upsert(api, 'owner_id,slug', { slug: String(isNew) })
  return [all, many.data[0]?.attributes.title]
}`

const mistakes: readonly Mistake[] = [
  [`await products.upsert(api, 'title', { title: 'a' })`, /'"title"' is not assignable/],
  [`await products.upsert(api, 'sku', { sku: 1 })`, /'number' is not assignable/],
  [`await tags.upsert(api, 'name', { name: 'c' })`, /'upsert' does not exist/],
]

const clientFiles = async () => clientOf(await blueprintOf('features/upsert', 'sqlite'), 'client')

describe('a client of records that are made or changed by a key', () => {
  let project: Project
  let server: Served
  beforeAll(async () => {
    project = await openProject('features/upsert', 'sqlite')
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

  test('has a function for each way', async () => {
    expectUses(await clientFiles(), use, { right, mistakes })
  })

  test('makes and changes them', async () => {
    const { createApi } = await load(project.folder, 'client/client.ts')
    const products = await load(project.folder, 'client/products.ts')
    const token = project.token(await project.user('Ann'))
    const api = createApi({ baseUrl: server.baseUrl, token })
    const made = await products.upsert(api, 'sku', { sku: 'a', title: 'A' })
    expect([made.data.attributes.title, made.meta]).toEqual(['A', { created: true }])
    const changed = await products.upsert(api, 'sku', { sku: 'a', title: 'B' }, { version: 1 })
    expect([changed.data.id, changed.meta]).toEqual([made.data.id, { created: false }])
    const stale = products.upsert(api, 'sku', { sku: 'a', title: 'C' }, { version: 1 })
    await expect(stale).rejects.toMatchObject({ status: 412 })
    const many = await products.upsertMany(api, 'sku', [
      { sku: 'b', title: 'B' },
      { sku: 'a', price: '2.00', version: 2 },
    ])
    expect(many.meta).toEqual({ created: [true, false] })
  })
})
