/** `count: ['reviews']`: `withCount=reviews` counts related records in the statement of the page; `sort=-reviews.count`. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseName } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'

const isAdmin = '(user) => user?.is_admin === true'

const manifest = {
  manifest: 'tests/features/counts/manifest.ts',
  policies: {
    Product: { show: `() => true,\n  canSee: { secrets: ${isAdmin} }` },
    Review: { show: "(user) => user?.is_admin === true || { body: { not: 'hidden' } }" },
    Cover: { show: "(user) => user?.is_admin === true || { path: { not: 'hidden' } }" },
    Tag: { show: "() => ({ products: { some: { name: { not: 'ghost' } } } })" },
    Label: { show: isAdmin },
  },
}

const api = '/api/svc'
const all = 'withCount=reviews,tags,images,labels'

let project: Project
let ann: number
let root: number

const tables = [
  'product_tag',
  'labelables',
  'images',
  'covers',
  'reviews',
  'secrets',
  'products',
  'tags',
  'labels',
]
const clear = async () => {
  for (const table of tables) {
    await project.database.query({ sql: `delete from "${table}"`, access: 'write' }, [])
  }
}
const get = (query: string, as = ann) => project.get(`${api}/${query}`, as)
const ids = async (query: string, as = ann): Promise<string[]> =>
  (await get(query, as)).body.data.map(({ id }: { id: string }) => id)

/** Products 1, 2, 3 with as many of everything, and what nobody but Root sees. */
async function fill(hasHidden = true): Promise<void> {
  await clear()
  await project.insert('labels', { id: 1, name: 'l' })
  for (const id of [1, 2, 3]) await project.insert('tags', { id, name: `t${id}` })
  for (const id of [1, 2, 3]) {
    await project.insert('products', { id, name: `p${id}`, owner_id: ann })
    for (let at = 0; at < id; at++) {
      const key = id * 10 + at
      await project.insert('reviews', { id: key, body: 'b', product_id: id })
      await project.insert('secrets', { id: key, body: 'b', product_id: id })
      await project.insert('images', {
        id: key,
        path: `i${key}`,
        imageable_type: 'products',
        imageable_id: id,
      })
      await project.link('product_tag', { product_id: id, tag_id: at + 1, weight: at })
    }
    await project.link('labelables', {
      label_id: 1,
      labelable_type: 'products',
      labelable_id: id,
    })
    if (hasHidden) {
      const at = '2026-01-01T00:00:00.000Z'
      await project.insert('reviews', { id: 100 + id, body: 'hidden', product_id: id })
      await project.insert('reviews', { id: 200 + id, body: 'b', product_id: id, deleted_at: at })
      await project.insert('tags', { id: 100 + id, name: 'gone', deleted_at: at })
      await project.link('product_tag', { product_id: id, tag_id: 100 + id, weight: 1 })
      if (id === 1) {
        for (const more of [4, 5, 6])
          await project.insert('reviews', { id: 100 + more, body: 'hidden', product_id: 1 })
      }
    }
  }
}

describe.each(databases)('counts, on %s', (name) => {
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    root = await project.user('Root', { is_admin: true })
  })
  afterAll(() => project.close())
  countsAndSorts()
  hidesRelationsAndRows()
  agreesWithAModel(name)
})

function countsAndSorts(): void {
  it('are exact under the policy of what is counted, and what is in a trash is not', async () => {
    await fill()
    const { status, body } = await get(`products?sort=id&${all}`)
    expect(status).toBe(200)
    const counts = body.data.map((each: { counts: object }) => each.counts)
    expect(counts).toEqual([1, 2, 3].map((n) => ({ reviews: n, tags: n, images: n, labels: 0 })))
    const { body: roots } = await get(`products?sort=id&${all}`, root)
    expect(roots.data[0].counts).toEqual({ reviews: 5, tags: 1, images: 1, labels: 1 })
    const one = await get('products/2?withCount=tags,reviews&withCount=tags')
    expect(Object.entries(one.body.data.counts)).toEqual([
      ['reviews', 2],
      ['tags', 2],
    ])
    const below = await get('reviews/20/product?withCount[]=reviews')
    expect(below.body.data[0].counts).toEqual({ reviews: 2 })
  })

  it('stand beside the attributes, where they were asked for', async () => {
    await fill()
    for (const query of ['products', 'products?withCount=', 'products?withCount=,']) {
      expect((await get(query)).body.data[0]).not.toHaveProperty('counts')
    }
    const { data } = (await get('products/1?withCount=images&include=reviews')).body
    expect(Object.keys(data)).toEqual([
      'id',
      'type',
      'attributes',
      'relationships',
      'meta',
      'counts',
    ])
    expect(data.relationships.reviews[0]).not.toHaveProperty('counts')
  })

  it.each([1, 100])('cost no statement more, for %i records', async (size) => {
    await clear()
    for (let id = 1; id <= size; id++) {
      await project.insert('products', { id, name: 'p', owner_id: ann })
      await project.insert('reviews', { id, body: 'b', product_id: id })
    }
    const plain = await get('products?perPage=100')
    const counted = await get(`products?perPage=100&sort=-reviews.count&${all}`)
    expect(counted.body.data).toHaveLength(size)
    expect(counted.statements).toHaveLength(plain.statements.length)
  })

  it('order lists; where they are equal, the newest comes first', async () => {
    await fill()
    await project.insert('products', { id: 4, name: 'p4', owner_id: ann })
    await project.insert('products', { id: 5, name: 'p5', owner_id: ann })
    expect(await ids('products?sort=-reviews.count')).toEqual(['3', '2', '1', '5', '4'])
    expect(await ids('products?sort=reviews.count,name')).toEqual(['4', '5', '1', '2', '3'])
    expect(await ids('products?sort=reviews.count&perPage=2&page=2')).toEqual(['1', '2'])
    // Root sees the hidden reviews of 1: five.
    expect(await ids('products?sort=-reviews.count', root)).toEqual(['1', '3', '2', '5', '4'])
    expect(await ids('products?sort=tags.count,-id')).toEqual(['5', '4', '1', '2', '3'])
  })

  it('a list is ordered by a column of its one record, as the user sees it', async () => {
    await fill()
    for (const [id, path] of [
      [1, 'b'],
      [2, 'a'],
      [3, 'hidden'],
    ] as const) {
      await project.insert('covers', { id, path, product_id: id })
    }
    await project.insert('products', { id: 4, name: 'p4', owner_id: ann })
    expect(await ids('products?sort=cover.path')).toEqual(['2', '1', '4', '3'])
    expect(await ids('products?sort=-cover.path,name')).toEqual(['1', '2', '3', '4'])
    expect(await ids('products?sort=cover.path', root)).toEqual(['2', '1', '3', '4'])
    // Of several, the newest is the one.
    expect(await ids('products?sort=-photo.path')).toEqual(['3', '2', '1', '4'])
    const image = { id: 50, path: 'a', imageable_type: 'products', imageable_id: 3 }
    await project.insert('images', image)
    expect(await ids('products?sort=photo.path')).toEqual(['3', '1', '2', '4'])
    const { photo } = (await get('products/3?include=photo')).body.data.relationships
    expect(photo.attributes.path).toBe('a')
  })

  it('GraphQL counts the same, and orders by it', async () => {
    await fill()
    const query =
      '{ productList(sort: ["-reviews.count"]) { id reviews_total tags_total images_total } }'
    const { body } = await project.post('/graphql', { query }, ann)
    const told = body.data.productList.map((each: Record<string, unknown>) => Object.values(each))
    const { data } = (await get('products?sort=-reviews.count&withCount=reviews,tags,images')).body
    const counted = data.map((each: { id: string; counts: Record<string, number> }) => [
      each.id,
      ...Object.values(each.counts),
    ])
    expect(told).toEqual(counted)
    const wrong = '{ productList(sort: ["secrets.count"]) { id } }'
    const answer = await project.post('/graphql', { query: wrong }, ann)
    const none = await project.post('/graphql', { query: wrong.replace('secrets', 'nosuch') }, ann)
    expect(JSON.stringify(answer.body).replaceAll('secrets', 'nosuch')).toBe(
      JSON.stringify(none.body),
    )
  })
}

function hidesRelationsAndRows(): void {
  it('a relation that is hidden, or not counted, is like one that there is not', async () => {
    await fill()
    const said = async (query: string, as = ann) => {
      const { status, body } = await get(query, as)
      // Links repeat what was asked.
      return [status, JSON.stringify(body.data ?? body)]
    }
    for (const query of [
      'products?withCount=',
      'products/1?withCount=reviews,',
      'products?sort=',
    ]) {
      const isSort = query.endsWith('sort=')
      const ask = (relation: string) => query + relation + (isSort ? '.count' : '')
      const [status, text] = await said(ask('nosuch'))
      // Without strict queries, a wrong sort is ignored.
      expect(status).toBe(isSort ? 200 : 400)
      for (const other of ['secrets', 'owner', 'cover']) {
        const [found, body] = await said(ask(other))
        const same = isSort ? body : String(body).replaceAll(other, 'nosuch')
        expect([other, found, same]).toEqual([other, status, text])
      }
      expect((await said(ask('secrets'), root))[0]).toBe(200)
    }
    const message =
      "There is no 'revews' to count of products. 'reviews' is one. They have reviews, tags, images, labels."
    expect((await get('products?withCount=revews')).body).toEqual({
      message,
      errors: { withCount: [message] },
    })
  })

  it('data that differs in hidden rows gives the same answers, byte for byte', async () => {
    const queries = [
      `products?${all}`,
      'products?sort=-reviews.count,-tags.count',
      'products?sort=reviews.count&withCount=reviews&perPage=1&page=2',
      `products/1?${all}`,
      'products?withCount=nosuch',
    ]
    const answers = async () => {
      const texts = []
      for (const query of queries) {
        const { status, body } = await get(query)
        texts.push([status, JSON.stringify(body).replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '""')])
      }
      return texts
    }
    await fill(false)
    const plain = await answers()
    await fill(true)
    expect(await answers()).toEqual(plain)
  })

  it('no text makes it fail', async () => {
    await fill()
    const values = [
      '*',
      '__proto__',
      'constructor',
      'reviews;',
      "'",
      'reviews.count',
      'a'.repeat(5_000),
      'reviews,reviews',
      'reviews[body]',
      '-reviews',
    ]
    const parameters = [
      'withCount',
      'withCount[',
      'withCount[]',
      'withCount[reviews]',
      'withCount[][]',
      'sort',
    ]
    for (const parameter of parameters) {
      for (const value of values) {
        for (const path of ['products', 'products/1']) {
          const { status } = await get(
            `${path}?${encodeURIComponent(parameter)}=${encodeURIComponent(value)}`,
          )
          expect([parameter, value, [200, 400].includes(status)]).toEqual([parameter, value, true])
        }
      }
    }
  })
}

function agreesWithAModel(name: DatabaseName): void {
  /** Five products with what belongs to them, and how many of each that is. */
  const insertAll = async (some: readonly { product: number; what: string }[]) => {
    const model = [1, 2, 3, 4, 5].map(emptyProduct)
    for (const { id, name: title } of model) {
      await project.insert('products', { id, name: title, owner_id: ann })
    }
    for (const [at, { product, what }] of some.entries()) {
      const id = at + 1
      const row = model.find((each) => each.id === product)
      if (row === undefined) continue
      const deleted_at = what === 'trashed' ? '2026-01-01T00:00:00.000Z' : null
      if (what === 'tag') {
        await project.insert('tags', { id, name: 't' })
        await project.link('product_tag', { product_id: product, tag_id: id, weight: 0 })
        row.tags += 1
      } else if (what === 'image') {
        const imageable = { imageable_type: 'products', imageable_id: product }
        await project.insert('images', { id, path: 'i', ...imageable })
        row.images += 1
      } else {
        await project.insert('reviews', { id, body: what, product_id: product, deleted_at })
        if (what === 'review') row.reviews += 1
      }
    }
    return model
  }

  it('any data is counted and ordered as in memory', async () => {
    const records = fc.array(
      fc.record({
        product: fc.integer({ min: 1, max: 5 }),
        what: fc.constantFrom('review', 'hidden', 'trashed', 'tag', 'image'),
      }),
      { maxLength: 30 },
    )
    const sort = fc.array(
      fc.constantFrom(
        'reviews.count',
        '-reviews.count',
        'tags.count',
        '-tags.count',
        'name',
        '-id',
      ),
      { maxLength: 3 },
    )
    await fc.assert(
      fc.asyncProperty(records, sort, async (some, keys) => {
        await clear()
        const model = await insertAll(some)
        const ordered = inOrder(model, keys)
        const { body } = await get(`products?withCount=reviews,tags,images&sort=${keys.join(',')}`)
        expect(
          body.data.map((each: { id: string; counts: object }) => ({
            id: each.id,
            ...each.counts,
          })),
        ).toEqual(
          ordered.map(({ id, reviews, tags, images }) => ({
            id: String(id),
            reviews,
            tags,
            images,
          })),
        )
      }),
      { numRuns: runsOn(name, 15) },
    )
  })
}

interface CountedProduct {
  readonly id: number
  readonly name: string
  reviews: number
  tags: number
  images: number
}

const emptyProduct = (id: number): CountedProduct => ({
  id,
  name: `n${id % 2}`,
  reviews: 0,
  tags: 0,
  images: 0,
})

/** Sorts as the server does: by the first mention of each key, and the newest first where they are equal. */
function inOrder(model: readonly CountedProduct[], keys: readonly string[]): CountedProduct[] {
  const bare = (key: string) => key.replace('-', '')
  const first = keys.filter((key, at) => keys.map(bare).indexOf(bare(key)) === at)
  const valueOf = (row: CountedProduct, key: string) =>
    row[key.replace('-', '').replace('.count', '') as 'id' | 'name']
  return model.toSorted((one, two) => {
    for (const key of [...first, '-id']) {
      const [a, b] = [valueOf(one, key), valueOf(two, key)]
      if (a !== b) return (a < b ? -1 : 1) * (key.startsWith('-') ? -1 : 1)
    }
    return 0
  })
}
