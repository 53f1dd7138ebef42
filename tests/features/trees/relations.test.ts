/** `where` of a search, and of GraphQL, with filters by related records. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readContract } from '../../../runtime/testing/contract/read-contract.js'
import { databases } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import type { Project } from '../../support/project.js'
import { runs } from '../../support/runs.js'

const manifest = {
  manifest: 'tests/features/trees/manifests/relations.ts',
  policies: { Tag: { show: "() => ({ name: { not: 'hidden' } })" } },
}

describe.each(databases)('a tree of relations on %s', (name) => {
  let project: Project
  let ann: number
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    const bob = await project.user('Bob')
    for (const [product, seller_id] of [
      ['lamp', ann],
      ['bulb', bob],
    ] as const) {
      const product_id = await project.insert('products', { name: product, seller_id })
      for (const tag of product === 'lamp'
        ? ['red warm', 'blue cold']
        : ['red cold', 'red hidden']) {
        const [color, text] = tag.split(' ')
        const tag_id = await project.insert('tags', { name: text, color })
        await project.link('product_tag', { product_id, tag_id })
      }
    }
  })
  afterAll(() => project.close())

  const found = async (where: unknown) => {
    const { status, body } = await project.post('/api/svc/products/search', { where }, ann)
    if (status !== 200) return body.message
    return body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)
  }
  const inGraphql = async (where: unknown) => {
    const query = 'query($where: ProductWhere) { productList(where: $where) { name } }'
    const { body } = await project.post('/graphql', { query, variables: { where } }, ann)
    return body.errors ?? body.data.productList.map((each: { name: string }) => each.name)
  }

  it('is asked with points, with objects of comparisons, and of values', async () => {
    const forms = [
      { 'seller.name': 'Ann' },
      { seller: { name: { equals: 'Ann' } } },
      { seller: { name: 'Ann' } },
      { any: [{ 'seller.name': ['Ann', 'Cy'] }, { name: 'none' }] },
    ]
    for (const where of forms) expect([where, await found(where)]).toEqual([where, ['lamp']])
    const graphql = { any: [{ seller: { name: { equals: 'Ann' } } }, { name: { equals: 'x' } }] }
    expect(await inGraphql(graphql)).toEqual(['lamp'])
  })

  it('takes 15 steps to related records at most, which PostgreSQL plans in time', async () => {
    const times = (count: number, where: object) => ({
      all: Array.from({ length: count }, () => where),
    })
    const tooMany =
      'The where parameter must take at most 15 steps to related records (a custom filter counts as one).'
    const color = { 'tags.color': 'red' }
    const far = { 'tags.products.name': 'lamp' }
    for (const where of [
      times(15, color),
      times(15, { tags: { color: 'red', name: { startsWith: 'c' } } }),
      times(15, { 'tags.color': ['red', 'green'] }),
      times(7, far),
      {
        all: [times(15, color), ...Array.from({ length: 35 }, () => ({ name: ['lamp', 'bulb'] }))],
      },
    ]) {
      expect([where, await found(where)]).toEqual([where, expect.any(Array)])
    }
    for (const where of [
      times(16, color),
      times(8, far),
      { any: [times(15, color), { not: { tags: true } }] },
      times(8, { tags: { color: { equals: 'red' }, products: { name: { equals: 'lamp' } } } }),
    ]) {
      expect([where, await found(where)]).toEqual([where, tooMany])
    }
    const same = { tags: { color: { equals: 'red' } } }
    expect(await inGraphql(times(15, same))).toEqual(expect.arrayContaining(['lamp']))
    expect(await inGraphql(times(16, same))).toEqual([
      expect.objectContaining({ extensions: expect.objectContaining({ code: 'BAD_USER_INPUT' }) }),
    ])
  })

  it('takes what the document says of it', async () => {
    const path = join(project.folder, 'app/OpenApi/openapi.json')
    const { schemas } = JSON.parse(readFileSync(path, 'utf8')).components
    const contract = readContract(path, () => [])
    const names = ['seller.name', 'tags.name', 'tags.color', 'tags']
    expect(Object.keys(schemas['Product.where'].properties)).toEqual(expect.arrayContaining(names))
    expect(Object.keys(schemas['Product.search'].properties)).toEqual(
      expect.arrayContaining([...names, '-seller.name', 'filter']),
    )
    const members = ['where', 'filter', ...names, '-seller.name']
    for (const name of members) {
      const values = contract.valueOf(schemas['Product.search'].properties[name])
      await fc.assert(
        fc.asyncProperty(values, async (value) => {
          const { status, body } = await project.post(
            '/api/svc/products/search',
            { [name]: value },
            ann,
          )
          const about = `${body.message} ${JSON.stringify([name, value])}`
          if (status !== 200) {
            expect(about).toMatch(
              /at most (50|15)|empty object|say what to test|one value or more|longer than|no comma|deeper/,
            )
          }
        }),
        { numRuns: runs(10) },
      )
    }
  })

  it('speaks of one record where one object does, and of none that is hidden', async () => {
    const one = { tags: { name: { equals: 'cold' }, color: { equals: 'red' } } }
    expect(await found(one)).toEqual(['bulb'])
    expect(await inGraphql(one)).toEqual(['bulb'])
    const several = { 'tags.name': 'cold', 'tags.color': 'red' }
    expect(await found(several)).toEqual(['bulb', 'lamp'])
    expect(await found({ 'tags.name': 'hidden' })).toEqual([])
    expect(await found({ not: { 'tags.name': 'warm' } })).toEqual(['bulb'])
    const nothing = 'parameter must say what to test: give it a member, or leave it out.'
    expect(await found({ tags: {} })).toBe(`The where.tags ${nothing}`)
    expect((await inGraphql({ tags: {} }))[0].message).toBe(`The where.tags ${nothing}`)
  })

  it('says the whole way to what is wrong, and what there is', async () => {
    expect(await found({ seller: { nmae: 'Ann' } })).toBe(
      "The where.seller.nmae parameter is not known: 'seller.name' is. There are seller.name.",
    )
    expect(await found({ any: [{ seller: { name: { startWith: 'A' } } }] })).toBe(
      "The where.any.0.seller.name.startWith parameter is not known: 'seller.name[startsWith]' is. seller.name can be compared with equals, not, in, notIn, lt, lte, gt, gte, isNull, contains, startsWith, endsWith.",
    )
    expect(await found({ 'tags.name': { gtee: 'A' } })).toMatch(
      /^The where\.tags\.name\.gtee parameter is not known: 'tags\.name\[gte\]' is\. tags\.name can/,
    )
    expect(await found({ tags: { name: 'red', colr: { not: 'x' } } })).toBe(
      "The where.tags.colr parameter is not known: 'tags.color' is. There are tags.name, tags.color, tags.products.name.",
    )
    expect(await found({ seller: 'Ann' })).toBe(
      'The where.seller parameter is not known. There are seller.name.',
    )
    expect(await found({ sellr: { name: 'Ann' } })).toMatch(
      /^The where\.sellr parameter is not known.*There are name, seller\.name, .*, any, all, not\.$/,
    )
    expect(await found({ tags: 'maybe' })).toBe('The where.tags parameter must be true or false.')
    expect(await found({ tags: { name: { isNull: 'x' } } })).toContain('where.tags.name.isNull ')
  })
})
