/** `reads: ['sparse']`: `fields=name,price` says which attributes an answer has, and no other column is read. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Resource } from '../../../runtime/model/resource.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Answer, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'

const isAdmin = '(user) => user?.is_admin === true'

const manifest = {
  manifest: 'tests/features/sparse/manifests/http.ts',
  files: {
    'app/Hooks/ProductHooks.ts': `import type { HooksFor, ProductModel } from '#app/Models.js'

export const ProductHooks: HooksFor<ProductModel> = {
  computed: { loud: (_, { name, note }) => \`\${name} \${note}!\` },
}
`,
  },
  policies: {
    Product: {
      show: `() => true,\n  canSee: { secret: ${isAdmin}, tags: ${isAdmin} }`,
    },
    Review: { show: `() => true,\n  canSee: { hint: ${isAdmin} }` },
  },
}

const api = '/api/svc'

describe.each(databases)('fields, on %s', (name) => {
  let project: Project
  let ann: number
  let root: number

  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    root = await project.user('Root', { is_admin: true })
    for (const [at, title] of ['lamp', 'desk', 'chair'].entries()) {
      const id = 11 + at
      const row = { id, name: title, price: `${at}.50`, note: at === 1 ? null : `n${at}` }
      await project.insert('products', { ...row, secret: 's', fields: 'few', owner_id: ann })
      await project.insert('reviews', { id, body: `b${at}`, stars: at, hint: 'h', product_id: id })
      await project.insert('reviews', { id: 20 + id, body: 'x', stars: 5, product_id: id })
      await project.insert('tags', { id, name: `t${at}`, color: 'red' })
      await project.link('product_tag', { product_id: id, tag_id: id })
      const image = { id, path: `p${at}`, alt: 'a' }
      await project.insert('images', { ...image, imageable_type: 'products', imageable_id: id })
    }
  })
  afterAll(() => project.close())

  const get = (query: string, as = ann) => project.get(`${api}/${query}`, as)
  /** What is selected in the statement of a list, of a table. */
  const selected = ({ statements }: Answer, table: string) => {
    const found = statements.flatMap(({ sql }) => {
      const [, list = ''] = new RegExp(`^select (.*?) from "${table}"`, 's').exec(sql) ?? []
      return list === '' ? [] : [list]
    })
    expect(found).toHaveLength(1)
    return [...(found[0] ?? '').matchAll(/"t0"\."(\w+)"/g)].map(([, column]) => column)
  }

  it.each([
    ['products?fields=name,price&sort=id', (body: Answer['body']) => body.data[0]],
    ['products/11?fields=name,price', (body: Answer['body']) => body.data],
    ['users/1/products?fields=name,price&sort=id', (body: Answer['body']) => body.data[0]],
    ['users/1/products/11?fields=price&fields=name', (body: Answer['body']) => body.data],
    ['reviews/11/product?fields[]=price, name', (body: Answer['body']) => body.data[0]],
    ['products?fields[products]=price,name&sort=id', (body: Answer['body']) => body.data[0]],
  ])('%s shows these attributes alone, with id, type and meta', async (query, first) => {
    const { status, body } = await get(query.replace('users/1', `users/${ann}`))
    expect([status, body]).toEqual([200, expect.anything()])
    const { attributes, id, type, meta } = first(body)
    expect(attributes).toEqual({ name: 'lamp', price: '0.50' })
    expect({ id, type }).toEqual({ id: '11', type: 'products' })
    expect(meta).toMatchObject({ authorizedToShow: true, version: 1 })
  })

  it('reads no other column, and no statement more', async () => {
    const plain = await get('products')
    const few = await get('products?fields=name')
    expect(selected(few, 'products')).toEqual(['id', 'name', 'version'])
    expect(few.statements).toHaveLength(plain.statements.length)
    const none = await get('products?fields=')
    expect(none.body.data[0].attributes).toEqual({})
    expect(selected(none, 'products')).toEqual(['id', 'version'])
    expect((await get('products/11?fields=id')).body.data.attributes).toEqual({})
  })

  it('what is sorted, searched and matched by is not read', async () => {
    const answer = await get('products?fields=price&sort=name&search=a&filter[fields]=few')
    expect(answer.body.data.map((each: { id: string }) => each.id)).toEqual(['13', '11'])
    expect(selected(answer, 'products')).toEqual(['id', 'price', 'version'])
  })

  it('a computed entry is asked where it is included, and its columns do not show', async () => {
    const { body } = await get('products/11?fields=price&include=loud')
    expect(body.data.attributes).toEqual({ price: '0.50' })
    expect(body.data.relationships).toEqual({ loud: 'lamp n0!' })
    expect((await get('products/11?fields=loud')).status).toBe(400)
  })

  it('speaks of included resources by their type, and columns of include say more', async () => {
    const include = 'include=reviews.product,owner,images'
    const types = 'fields[reviews]=stars&fields[users]=name&fields[images]=path'
    const { body, status } = await get(`products/11?${include}&${types}&fields=name`)
    expect(status).toBe(200)
    const { attributes, relationships } = body.data
    const [review] = relationships.reviews
    expect(attributes).toEqual({ name: 'lamp' })
    expect(review.attributes).toEqual({ stars: 5 })
    expect(Object.keys(review.relationships.product.attributes)).toContain('note')
    expect(relationships.owner.attributes).toEqual({ name: 'Ann' })
    expect(relationships.images[0].attributes).toEqual({ path: 'p0' })
    const both = await get(
      `products/11?include=reviews[body].product&${types.slice(0, 21)}&fields[products]=note`,
    )
    expect(both.body.data.attributes).toEqual({ note: 'n0' })
    expect(both.body.data.relationships.reviews[0].attributes).toEqual({ body: 'x' })
    expect(both.body.data.relationships.reviews[0].relationships.product.attributes).toEqual({
      note: 'n0',
    })
  })

  it('speaks of a record of a morph by its type', async () => {
    const { body } = await get('images/11?include=imageable&fields[products]=name&fields=alt')
    expect(body.data.attributes).toEqual({ alt: 'a' })
    expect(body.data.relationships.imageable.attributes).toEqual({ name: 'lamp' })
  })

  it.each([
    ['products?fields=', 'secret'],
    ['products/11?fields=name,', 'secret'],
    ['products?include=reviews&fields[reviews]=', 'hint'],
  ])('in %s, a name that is hidden is like one that there is not', async (query, hidden) => {
    const said = async (word: string) => {
      const { status, body } = await get(query + word)
      return [status, JSON.stringify(body).replaceAll(`'${word}'`, "'?'")]
    }
    expect(await said(hidden)).toEqual(await said('nosuch'))
    expect((await said(hidden))[0]).toBe(400)
    expect((await get(query + hidden, root)).status).toBe(200)
  })

  it('a relation that is hidden leads to no type, and what is not included needs none', async () => {
    const message =
      'The fields[tags] parameter names no type of this answer: it can show products, users, reviews, images.'
    expect((await get('products?fields[tags]=name')).body.message).toBe(message)
    expect((await get('products?fields[tags]=name', root)).status).toBe(200)
    expect((await get('products?include=tags&fields[tags]=name')).status).toBe(400)
    expect((await get('products?include=tags&fields[tags]=name', root)).status).toBe(200)
  })

  it('says what was meant', async () => {
    const { status, body } = await get('products?fields=nmae,price')
    const message =
      "There is no 'nmae' to show of products. 'name' is one. They have id, name, price, note, fields, owner_id, created_at, updated_at."
    expect([status, body]).toEqual([400, { message, errors: { fields: [message] } }])
  })

  it('of a column of that name, filter[fields] speaks', async () => {
    expect((await get('products?filter[fields]=few')).body.meta.total).toBe(3)
    expect((await get('products?filter[fields]=many')).body.meta.total).toBe(0)
    expect((await get('products?-fields=few')).body.meta.total).toBe(0)
    expect((await get('products?fields=few')).status).toBe(400)
    expect((await get('products/11?fields=fields')).body.data.attributes).toEqual({ fields: 'few' })
  })

  it('goes with a trash and with versions', async () => {
    const id = await project.insert('products', { name: 'gone', owner_id: ann, fields: 'few' })
    await project.delete(`${api}/products/${id}`, ann)
    const { body } = await get('products?trashed=only&fields=name,deleted_at')
    expect(Object.keys(body.data[0].attributes)).toEqual(['name', 'deleted_at'])
    expect((await get('products?trashed=only&fields=name')).body.data[0].attributes).toEqual({
      name: 'gone',
    })
    expect((await get('products?fields=deleted_at')).status).toBe(400)
    expect((await get('products/11?fields=name')).headers.get('etag')).toBe('"1"')
    await project.delete(`${api}/products/${id}/force`, ann)
  })

  it('no text makes it fail', async () => {
    const texts = [
      'fields[',
      'fields]',
      'fields[]',
      'fields[][]',
      'fields[a][b]',
      'fields[products][]',
      'fields[__proto__]',
      'fields.name',
    ]
    const values = [
      '',
      ',',
      ',,name,',
      '*',
      '__proto__',
      'constructor',
      'name;drop',
      "na'me",
      'a'.repeat(5_000),
      'id'.repeat(3),
      'name[body]',
      'ñame',
      '%',
      '-name',
      'name,name,name',
    ]
    for (const parameter of ['fields', ...texts]) {
      for (const value of values) {
        for (const path of ['products', 'products/11', `users/${ann}/products`]) {
          const { status } = await get(
            `${path}?${encodeURIComponent(parameter)}=${encodeURIComponent(value)}`,
          )
          expect([parameter, value, [200, 400].includes(status)]).toEqual([parameter, value, true])
        }
      }
    }
    expect((await get('products?fields=%00')).status).toBe(400)
  })

  it('any selection is the whole answer without the rest', async () => {
    const attributes = {
      products: [
        'name',
        'price',
        'note',
        'secret',
        'fields',
        'owner_id',
        'created_at',
        'updated_at',
      ],
      reviews: ['body', 'stars', 'hint', 'product_id', 'created_at', 'updated_at'],
      users: ['name', 'email', 'is_admin', 'created_at', 'updated_at'],
      images: ['path', 'alt', 'imageable_type', 'imageable_id', 'created_at', 'updated_at'],
    }
    const some = (key: keyof typeof attributes) => fc.option(fc.subarray(attributes[key]))
    const asked = fc.record({
      include: fc.subarray(['reviews', 'owner', 'images', 'reviews.product.owner', 'loud']),
      own: some('products'),
      products: some('products'),
      reviews: some('reviews'),
      users: some('users'),
      images: some('images'),
      path: fc.constantFrom('products', 'products/12', `users/${ann}/products`),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ include, own, path, ...byType }) => {
        const paths = include.join(',')
        const isShown = (type: string) =>
          type === 'products' || paths.includes(type === 'users' ? 'owner' : type)
        const types = new Map(
          Object.entries(byType).filter(([type, names]) => names !== null && isShown(type)),
        )
        const said = [...types].map(([type, names]) => `&fields[${type}]=${String(names)}`)
        const list = `${path}?include=${paths}`
        const whole = await get(list, root)
        const part = await get(
          list + said.join('') + (own === null ? '' : `&fields=${String(own)}`),
          root,
        )
        const first = own ?? types.get('products') ?? null
        const { data } = whole.body
        const limit = (resource: Resource) => limited(resource, first, types)
        expect(part.body.data).toEqual(Array.isArray(data) ? data.map(limit) : limit(data))
      }),
      { numRuns: runsOn(name, 40) },
    )
  })
})

type Names = readonly string[] | null

/** The resource with these attributes, and with those of each type below. */
function limited(resource: Resource, names: Names, types: ReadonlyMap<string, Names>): object {
  const { attributes, relationships } = resource
  const kept = Object.entries(attributes).filter(([name]) => names?.includes(name) !== false)
  const below = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(below)
    return isResource(value) ? limited(value, types.get(value.type) ?? null, types) : value
  }
  const related = Object.entries(relationships ?? {}).map(([key, value]) => [key, below(value)])
  return {
    ...resource,
    attributes: Object.fromEntries(kept),
    ...(relationships === undefined ? {} : { relationships: Object.fromEntries(related) }),
  }
}

const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'attributes' in value

it('a list that asks for no fields costs what it costs without them', async () => {
  const sent = async (change: (text: string) => string) => {
    const project = await openManifest({ ...manifest, change }, 'sqlite')
    const ann = await project.user('Ann')
    await project.insert('products', { name: 'lamp', owner_id: ann, fields: 'few' })
    const texts: string[] = []
    for (const query of ['products', 'products/1', 'products?include=reviews,owner&search=a']) {
      const { statements } = await project.get(`${api}/${query}`, ann)
      texts.push(...statements.map(({ sql }) => sql))
    }
    await project.close()
    return texts
  }
  const without = (text: string) => text.replace(/reads: \['sparse'\],/, '')
  expect(await sent(String)).toEqual(await sent(without))
})
