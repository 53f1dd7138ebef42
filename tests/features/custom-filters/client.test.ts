/** A client that asks matchers, sorters and filters, and what can be asked: what compiles, and what it sends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blueprintOf, type Example } from '../../core/plan/fixture.js'
import { emitFixture, load, openFolder, type Project } from '../../support/project.js'
import { checkClient, clientOf, expectUses, type Mistake } from '../client/check-client.js'
import { served, type Served } from '../client/served.js'
import { productFilters } from './file.js'

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
  await products.index(api, { match: { popular: true, kinds: ['new', 'a, b'], reviewed_by: 'Zoe', least: 5 } })
  await products.index(api, { sort: ['-popularity', 'name'], filters: { ready: true, since: '2026-02-03', kind: 'new', kinds: ['cheap'] } })
}`

const rightList = `
export async function list() {
  const { matches, filters } = await products.filters(api, { only: ['matches', 'filters'] })
  return [...(matches ?? []), ...(filters ?? [])].map(({ key, label, options, repository }) => [key, label, options, repository])
}`

const mistakes: readonly Mistake[] = [
  [
    `await products.index(api, { match: { popular: 'yes' } })`,
    /'string' is not assignable to type 'boolean/,
  ],
  [`await products.index(api, { match: { kinds: ['old'] } })`, /'"old"' is not assignable/],
  [`await products.index(api, { filters: { raedy: true } })`, /'raedy' does not exist/],
  [
    `await products.index(api, { filters: { costs: '5' } })`,
    /'string' is not assignable to type 'number'/,
  ],
  [`await products.index(api, { sort: ['popularty'] })`, /"popularty.*Did you mean '"popularity"'/],
  [`await users.index(api, { filters: { ready: true } })`, /'filters' does not exist/],
  [`await products.filters(api)`, /'filters' does not exist/],
]

const clientFiles = async (fixture: Example) =>
  clientOf(await blueprintOf(fixture, 'sqlite'), 'client')

describe('a client with filters of one’s own', () => {
  let project: Project
  let server: Served
  beforeAll(async () => {
    process.env['APP_KEY'] = 'k'.repeat(40)
    const folder = await emitFixture('features/custom-filters', 'sqlite')
    writeFileSync(join(folder, 'app/Filters/ProductFilters.ts'), productFilters)
    project = await openFolder(folder, 'sqlite')
    server = await served((request) => project.fetch(request))
    for (const { path, content } of await clientFiles('features/custom-filters')) {
      mkdirSync(dirname(join(project.folder, path)), { recursive: true })
      writeFileSync(join(project.folder, path), content)
    }
  })
  afterAll(async () => {
    await server.close()
    await project.close()
  })

  test('takes those that a repository has', async () => {
    expectUses(await clientFiles('features/custom-filters'), use, { right, mistakes })
    const listed = await clientFiles('features/filters')
    expect(checkClient([...listed, { path: 'use.ts', content: use(rightList) }])).toBe('')
  })

  test('sends each of them', async () => {
    const { createApi } = await load(project.folder, 'client/client.ts')
    const products = await load(project.folder, 'client/products.ts')
    const ann = await project.user('Ann')
    const api = createApi({ baseUrl: server.baseUrl, token: project.token(ann) })
    for (const [name, likes, cost] of [
      ['Lamp', 20, 3],
      ['Désk', 5, 9],
      ['a, b', 12, 6],
    ])
      await products.store(api, { name, likes, cost })
    const found = async (query: object) => {
      const { data } = await products.index(api, query)
      return data.map((each: { attributes: { name: string } }) => each.attributes.name)
    }
    expect(await found({ match: { popular: true }, sort: ['-popularity'] })).toEqual([
      'Lamp',
      'a, b',
    ])
    expect(await found({ match: { kinds: ['cheap', 'a, b'], least: 4 } })).toEqual(['a, b'])
    expect(await found({ filters: { costs: 9, maker: undefined } })).toEqual(['Désk'])
    expect(await found({ filters: { maker: 'Änn — 你' } })).toEqual([])
    expect(await found({ filters: {} })).toHaveLength(3)
    const searched = async (query: object) => {
      const { data } = await products.search(api, { sort: ['id'], ...query })
      return data.map((each: { attributes: { name: string } }) => each.attributes.name)
    }
    expect(await searched({ filters: { costs: 9, maker: undefined } })).toEqual(['Désk'])
    expect(await searched({ filters: {}, match: { kinds: ['cheap', 'a, b'] } })).toEqual([
      'Lamp',
      'a, b',
    ])
  })
})
