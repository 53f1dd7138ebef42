/** `match: { 'seller.name': 'text', reviews: 'exists' }`: lists are filtered by related records that the user may see. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  databases,
  emitFixture,
  openFolder,
  type DatabaseName,
  type Edits,
  type Project,
} from '../../support/project.js'
import { runsOn } from '../../support/runs.js'
import { partsOf } from '../openapi/contract-parts.js'
import { filters, holds, inGraphql, type Known, names, sent, words } from './model.js'

const policy = (text: string, show: string, more = '') =>
  `import { any } from '#runtime/policy/condition.js'\n${text
    .replace(/show: .*/, `show: (user) => ${show},`)
    .replace(/(Policy: .* = \{\n)/, `$1  ${more}\n`)}`

/**
 * Nobody sees a review of three stars; Bo no tags at all; Una, of whom the policy knows nothing, tags called a; Dee no
 * other users. Cy knows no level of users, and of products neither tags nor members.
 */
const policies: Edits = {
  Review: (text) =>
    policy(text, 'user !== null && any({ rating: { not: 3 } }, { rating: { isNull: true } })'),
  Tag: (text) =>
    policy(
      text,
      "user?.name === 'Una' ? any({ name: 'a' }, { id: undefined }) : user?.name !== 'Bo'",
    ),
  User: (text) =>
    policy(
      text,
      "user !== null && (user.name === 'Dee' ? { id: user.id } : true)",
      "canSee: { level: (user) => user?.name !== 'Cy' },",
    ),
  Product: (text) =>
    policy(
      text,
      'user !== null',
      "canSee: { tags: (user) => user?.name !== 'Cy', members: (user) => user?.name !== 'Cy' },",
    ),
}

const strict: Edits = {
  'config/svc.ts': (text) => text.replace('strict_queries: false', 'strict_queries: true'),
}

async function opened(name: DatabaseName, config: Edits = {}): Promise<Project> {
  const folder = await emitFixture('features/relation-filters', name, config)
  for (const [entity, edit = String] of Object.entries(policies)) {
    const file = join(folder, `app/Policies/${entity}Policy.ts`)
    writeFileSync(file, edit(readFileSync(file, 'utf8')))
  }
  return openFolder(folder, name)
}

const tables = ['product_tag', 'product_user', 'notes', 'labels', 'reviews', 'products', 'tags']

let project: Project
let ann: number
const others = new Map<string, number>()

const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])
const empty = async () => {
  for (const table of tables) await run(`delete from ${table}`)
  await run(`update users set company_id = null`)
  await run(`delete from users where id > ${Math.max(...others.values())}`)
  await run('delete from companies')
}

const as = (user: string) => (user === 'Ann' ? ann : (others.get(user) ?? 0))
const list = (query: string, user = 'Ann', path = 'products') =>
  project.get(`/api/svc/${path}?sort=id&perPage=1000&${query}`, as(user))
const found = async (query: string, user = 'Ann', path = 'products') => {
  const { status, body } = await list(query, user, path)
  expect(status, `${query} ${JSON.stringify(body.message)}`).toBe(200)
  return body.data.map((each: { id: string; attributes: { name?: string; body?: string } }) => {
    return each.attributes.name ?? each.attributes.body ?? each.id
  })
}
const refusal = async (query: string, user = 'Ann', path = 'products') => {
  const { status, body } = await list(query, user, path)
  expect(status, query).toBe(400)
  return String(body.message)
}
const graphql = async (query: string, variables: object = {}, user = 'Ann') =>
  (await project.post('/graphql', { query, variables }, as(user))).body

let seed = 0
const someone = (row: object = {}) => {
  seed += 1
  return project.insert('users', {
    email: `u${seed}@example.test`,
    password: '-',
    is_admin: false,
    ...row,
  })
}

/** Related tables that a statement goes through whole. */
const scanned = async (sql: string): Promise<readonly string[]> =>
  (await planOf(sql)).filter((line) => /SCAN (?!t0|json_each)|Seq Scan on \w+ (?!t0)/.test(line))

async function planOf(sql: string): Promise<readonly string[]> {
  if (project.name === 'postgresql') await run('set enable_seqscan = off')
  const asked =
    project.name === 'sqlite'
      ? `explain query plan ${sql}`
      : `explain ${sql.replaceAll(/\$\d+(?!\d)/g, 'null')}`
  const places = project.name === 'sqlite' ? [...sql.matchAll(/\?/g)].map(() => null) : []
  const rows = await project.database.query({ sql: asked, access: 'write' }, places)
  return rows.map((row) => String(row.at(-1)))
}

interface World {
  readonly users: readonly { readonly name: string | null; readonly company: string | null }[]
  readonly products: readonly {
    readonly seller: number | null
    readonly tags: readonly string[]
    readonly members: readonly {
      readonly user: number
      readonly is_admin: boolean
      readonly hours: number | null
    }[]
    readonly reviews: readonly {
      readonly rating: number | null
      readonly author: number | null
      readonly isGone: boolean
    }[]
    readonly label: string | null
    readonly notes: number
  }[]
}

async function store({ users, products }: World): Promise<readonly (readonly [number, Known])[]> {
  const tags = new Map<string, number>()
  for (const each of words) tags.set(each, await project.insert('tags', { name: each }))
  const people: (readonly [number, Known])[] = []
  for (const { name: called, company } of users) {
    const company_id =
      company === null ? null : await project.insert('companies', { name: company })
    const id = await someone({ name: called, company_id })
    const companies = company === null ? [] : [plain({ name: company })]
    people.push([id, { columns: { name: called }, related: { company: companies } }])
  }
  const person = (at: number | null) => (at === null ? undefined : people[at % people.length])
  const known: (readonly [number, Known])[] = []
  for (const each of products) {
    const seller = person(each.seller)
    const id = await project.insert('products', { name: 'x', seller_id: seller?.[0] ?? null })
    for (const tag of each.tags)
      await project.link('product_tag', { product_id: id, tag_id: tags.get(tag) })
    const members = new Map(each.members.map((member) => [person(member.user), member]))
    for (const [user, { is_admin, hours }] of members)
      await project.link('product_user', { product_id: id, user_id: user?.[0], is_admin, hours })
    for (const { rating, author, isGone } of each.reviews)
      await project.insert('reviews', {
        ...{ product_id: id, rating, author_id: person(author)?.[0] ?? null },
        deleted_at: isGone ? new Date().toISOString() : null,
      })
    if (each.label !== null) await project.insert('labels', { product_id: id, text: each.label })
    for (let at = 0; at < each.notes; at += 1)
      await project.insert('notes', { body: 'x', subject_type: 'products', subject_id: id })
    const related = {
      seller: seller === undefined ? [] : [seller[1]],
      tags: each.tags.map((tag) => plain({ name: tag })),
      members: [...members].flatMap(([user, { is_admin, hours }]) =>
        user === undefined ? [] : [{ ...user[1], pivot: { is_admin, hours } }],
      ),
      reviews: each.reviews
        .filter(({ rating, isGone }) => rating !== 3 && !isGone)
        .map(({ rating, author }) => {
          const by = person(author)
          return { columns: { rating }, related: { author: by === undefined ? [] : [by[1]] } }
        }),
      label: each.label === null ? [] : [plain({ text: each.label })],
      notes: Array.from({ length: each.notes }, () => plain({})),
    }
    known.push([id, { columns: {}, related }])
  }
  return known
}

const plain = (columns: Known['columns']): Known => ({ columns, related: {} })

const world: fc.Arbitrary<World> = fc.record({
  users: fc.array(
    fc.record({
      name: fc.option(fc.constantFrom(...names), { freq: 4 }),
      company: fc.option(fc.constantFrom('Adler', 'Ün & Co', '100%')),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  products: fc.array(
    fc.record({
      seller: fc.option(fc.nat(3), { freq: 3 }),
      tags: fc.subarray([...words]),
      members: fc.array(
        fc.record({ user: fc.nat(3), is_admin: fc.boolean(), hours: fc.option(fc.nat(4)) }),
        { maxLength: 2 },
      ),
      reviews: fc.array(
        fc.record({
          rating: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 4 }),
          author: fc.option(fc.nat(3)),
          isGone: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
      label: fc.option(fc.constantFrom(...words)),
      notes: fc.nat(1),
    }),
    { minLength: 2, maxLength: 8 },
  ),
})

/** Parameters that nobody means well. */
const hostilePaths = [
  'seller.name',
  'tags',
  'tags.id',
  'members.pivot.is_admin',
  'seller.__proto__',
  'constructor.name',
  'seller..name',
  '.',
  'seller.',
  'notes.subject',
  'pivot',
  'members.pivot',
  'tags.products.tags.id',
  'a.'.repeat(2000),
]
const hostileShapes = [
  (each: string) => each,
  (each: string) => `-${each}`,
  (each: string) => `filter[${each}]`,
  (each: string) => `filter[-${each}][gte]`,
  (each: string) => `${each}[in]`,
  (each: string) => `${each}[]`,
  (each: string) => `include[reviews][${each}]`,
]
const hostileTexts = [
  '',
  '1',
  'null',
  '\0',
  ',',
  '%',
  '{"a":1}',
  '9'.repeat(400),
  'true',
  'x'.repeat(100_000),
]
const hostile = fc
  .tuple(
    fc.constantFrom(...hostileShapes),
    fc.constantFrom(...hostilePaths),
    fc.constantFrom(...hostileTexts),
  )
  .map(([shape, path, text]) => `${encodeURIComponent(shape(path))}=${encodeURIComponent(text)}`)

describe.each(databases)('filters through relations on %s', (name) => {
  beforeAll(async () => {
    project = await opened(name, strict)
    ann = await project.user('Ann')
    for (const each of ['Bo', 'Cy', 'Dee', 'Una']) others.set(each, await project.user(each))
  })
  afterAll(() => project.close())
  beforeEach(empty)
  threeProducts()

  it('they find what a model in memory finds, by REST and by GraphQL', async () => {
    const query = `query($match: ProductMatch, $where: ProductWhere) {
      productListTotal(match: $match, where: $where)
      productList(first: 1000, sort: ["id"], match: $match, where: $where) { id }
    }`
    const questions = fc.array(fc.tuple(filters, fc.boolean()), { minLength: 12, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(world, questions, async (drawn, asked) => {
        await empty()
        const stored = await store(drawn)
        for (const [all, isFilter] of asked) {
          const ids = stored.filter(([, known]) => holds(known, all)).map(([id]) => String(id))
          const address = all.map((each) => sent(each, isFilter)).join('&')
          const { status, body } = await list(address)
          expect([address, status, idsOf(body.data)]).toEqual([address, 200, ids])
          const { data, errors } = await graphql(query, inGraphql(all))
          expect([address, errors, idsOf(data?.productList)]).toEqual([address, undefined, ids])
          expect(data.productListTotal).toBe(ids.length)
        }
      }),
      { numRuns: runsOn(name, 4) },
    )
  })
  whatIsHidden()

  it.each(['indexProducts', 'indexNotes'])(
    'requests of %s as the document has them are answered, and spoiled ones fail nothing',
    async (operation) => {
      const { contract, right, spoiled } = await partsOf(project.folder)
      const index = contract.operations.find(({ id }) => id === operation)
      if (index === undefined) throw new Error('The document has no such list.')
      const parameters = index.parameters.filter((each) =>
        /\.|^-?(seller|tags|reviews|notes|subject)$/.test(each.name),
      )
      expect(parameters.length).toBeGreaterThan(5)
      const asked = { ...index, parameters }
      const path = operation === 'indexNotes' ? 'notes' : 'products'
      const statusOf = async ({ query }: { readonly query: string }) => {
        const { status, body } = await project.get(`/api/svc/${path}${query}`, ann)
        return [status, `${query} ${body.message}`] as const
      }
      await fc.assert(
        fc.asyncProperty(right(asked), async (request) => {
          const [status, said] = await statusOf(request)
          // An option has a comma in it, which the contract leaves out.
          expect(/high/i.test(said) ? [200, 400] : [200], said).toContain(status)
        }),
        { numRuns: runsOn(name, 40) },
      )
      await fc.assert(
        fc.asyncProperty(spoiled(asked), async (request) => {
          const [status, said] = await statusOf(request)
          expect(status, said).toBeLessThan(500)
        }),
        { numRuns: runsOn(name, 40) },
      )
    },
  )

  it('no parameter that somebody makes up is a failure of the server', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 3 }), async (all) => {
        expect([200, 400]).toContain((await list(all.join('&'))).status)
      }),
      { numRuns: runsOn(name, 80) },
    )
    for (const match of [
      { seller: null },
      { seller: { company: null } },
      { seller: { name: null } },
      { tags: { exists: null } },
    ]) {
      const { data, errors } = await graphql(
        'query($match: ProductMatch) { productList(match: $match) { id } }',
        { match },
      )
      expect(errors?.[0]?.extensions?.code ?? data).not.toBe('INTERNAL_SERVER_ERROR')
    }
  })
})

let ada: number
let tag: readonly number[] = []

function threeProducts(): void {
  describe('of three products', () => {
    beforeEach(async () => {
      const company_id = await project.insert('companies', { name: 'Lovelace & Co' })
      ada = await someone({ name: 'Ada', company_id, level: 'high, or so' })
      const bea = await someone({ name: null })
      const lamp = await project.insert('products', { name: 'Lamp', seller_id: ada })
      const chair = await project.insert('products', { name: 'Chair', seller_id: bea })
      const desk = await project.insert('products', { name: 'Desk', seller_id: null })
      tag = [
        await project.insert('tags', { name: 'a' }),
        await project.insert('tags', { name: 'b' }),
      ]
      await project.link('product_tag', { product_id: lamp, tag_id: tag[0] })
      await project.link('product_tag', { product_id: lamp, tag_id: tag[1] })
      await project.link('product_tag', { product_id: chair, tag_id: tag[1] })
      for (const [product_id, rating] of [
        [lamp, 5],
        [lamp, 1],
        [chair, 3],
        [desk, null],
      ])
        await project.insert('reviews', { product_id, rating, author_id: ada })
      const now = new Date().toISOString()
      await project.insert('reviews', { product_id: chair, rating: 5, deleted_at: now })
      await project.link('product_user', {
        product_id: lamp,
        user_id: ada,
        is_admin: false,
        hours: 3,
      })
      await project.link('product_user', {
        product_id: lamp,
        user_id: bea,
        is_admin: true,
        hours: null,
      })
      await project.link('product_user', {
        product_id: chair,
        user_id: ada,
        is_admin: true,
        hours: 9,
      })
      await project.insert('labels', { product_id: lamp, text: 'new' })
      await project.insert('notes', { body: 'of lamp', subject_type: 'products', subject_id: lamp })
      await project.insert('notes', { body: 'of ada', subject_type: 'users', subject_id: ada })
      await project.insert('notes', { body: 'of none' })
    })

    describe('by REST', () => {
      rest()
    })
    describe('by GraphQL and by indexes', () => {
      elsewhere()
    })
  })
}

function rest(): void {
  it('each finds what has such a record', async () => {
    expect(await found('seller.name=Ada')).toEqual(['Lamp'])
    expect(await found('seller.company.name=love')).toEqual(['Lamp'])
    expect(await found('seller.level=high,%20or%20so')).toEqual(['Lamp'])
    expect(await found(`tags.id=${tag.join()}`)).toEqual(['Lamp', 'Chair'])
    expect(await found(`tags.id=${tag[0]}`)).toEqual(['Lamp'])
    expect(await found('tags.name=a&tags.name=b')).toEqual(['Lamp', 'Chair'])
    expect(await found('label.text=new')).toEqual(['Lamp'])
    expect(await found('filter[seller.name]=Ada')).toEqual(['Lamp'])
    expect(await found('seller.name=null')).toEqual(['Chair'])
    expect(await found('notes=1')).toEqual(['Lamp'])
    expect(await found('company.name=LOVE&products=true', 'Ann', 'users')).toEqual(['Ada'])
  })

  it('a minus finds those whose one is another, and of several what none is', async () => {
    expect(await found('-seller.name=Ada')).toEqual([])
    expect(await found('-seller.name=Bea')).toEqual(['Lamp'])
    expect(await found('-seller.name=null')).toEqual(['Lamp'])
    expect(await found(`-tags.id=${tag[0]}`)).toEqual(['Chair', 'Desk'])
    expect(await found('-tags.name=b')).toEqual(['Desk'])
    expect(await found('seller.name[not]=Bea')).toEqual(['Lamp'])
    expect(await found('tags.name[not]=b')).toEqual(['Lamp'])
  })

  it('there is one, or none', async () => {
    expect(await found('tags=true')).toEqual(['Lamp', 'Chair'])
    expect(await found('tags=false')).toEqual(['Desk'])
    expect(await found('-tags=true')).toEqual(['Desk'])
    expect(await found('-tags=0')).toEqual(['Lamp', 'Chair'])
    expect(await found('seller=false')).toEqual(['Desk'])
    expect(await found('seller=true&tags=true')).toEqual(['Lamp', 'Chair'])
    // One has three stars, which nobody sees; the other was deleted.
    expect(await found('reviews=true')).toEqual(['Lamp', 'Desk'])
    expect(await found('reviews=false')).toEqual(['Chair'])
    expect(await found('reviews.rating=5')).toEqual(['Lamp'])
    expect(await found('-reviews.rating=5')).toEqual(['Chair', 'Desk'])
  })

  it('what is said of one relation speaks of one record', async () => {
    expect(await found(`members.id=${ada}&members.pivot.is_admin=true`)).toEqual(['Chair'])
    expect(await found('members.pivot.is_admin=true')).toEqual(['Lamp', 'Chair'])
    expect(await found('-members.pivot.is_admin=true')).toEqual(['Desk'])
    expect(await found('members.pivot.hours=2,4')).toEqual(['Lamp'])
    expect(await found('reviews.rating[gte]=2&reviews.rating[lt]=5')).toEqual([])
    expect(await found('reviews.rating[gte]=2&-reviews.rating=1')).toEqual([])
    expect(await found('reviews.rating=1&reviews.author.name=Ada')).toEqual(['Lamp'])
  })

  it('a record of one of several repositories has a type and an id', async () => {
    const notes = (query: string) => found(query, 'Ann', 'notes')
    expect(await notes('subject.type=users')).toEqual(['of ada'])
    expect(await notes('subject.type=users,products')).toEqual(['of lamp', 'of ada'])
    expect(await notes('-subject.type=users')).toEqual(['of lamp'])
    expect(await notes(`subject.type=users&subject.id=${ada}`)).toEqual(['of ada'])
    expect(await notes(`-subject.id=${ada}`)).toEqual(['of lamp'])
    expect(await notes('subject=false')).toEqual(['of none'])
    expect(await notes('subject=true')).toEqual(['of lamp', 'of ada'])
    expect(await found('subject=true', 'Dee', 'notes')).toEqual(['of lamp'])
    expect(await found('subject=false', 'Dee', 'notes')).toEqual(['of ada', 'of none'])
    expect(await refusal('subject.type=tags', 'Ann', 'notes')).toBe(
      'The subject.type parameter must be one of users, products.',
    )
    expect(await refusal('subject.id=x', 'Ann', 'notes')).toContain('subject.id parameter must be ')
  })

  it('where operators are on, columns of related records are compared', async () => {
    expect(await found('seller.name[startsWith]=A')).toEqual(['Lamp'])
    expect(await found('filter[seller.name][startsWith]=A')).toEqual(['Lamp'])
    expect(await found('seller.name[isNull]=true')).toEqual(['Chair'])
    expect(await found('members.pivot.hours[gt]=3')).toEqual(['Chair'])
    expect(await refusal('seller.name[stratsWith]=A')).toContain("'seller.name[startsWith]' is")
    expect(await refusal('reviews.rating[equals]=null')).toContain('reviews.rating[isNull]')
    expect(await refusal('-reviews.rating[gte]=4')).toContain('the opposite of gte is lt')
    expect(await refusal('reviews.rating[gte]=4&reviews.rating[gte]=4')).toContain('more than once')
    expect(await refusal('tags[equals]=true')).toContain('is not known')
  })

  it('what may not be read is not there', async () => {
    expect(await found('tags.name=b', 'Bo')).toEqual([])
    expect(await found('tags=false', 'Bo')).toEqual(['Lamp', 'Chair', 'Desk'])
    expect(await found('-tags.name=b', 'Bo')).toEqual(['Lamp', 'Chair', 'Desk'])
    // Whether Una sees the other tag, the policy does not know.
    expect(await found('tags=true', 'Una')).toEqual(['Lamp'])
    expect(await found('tags=false', 'Una')).toEqual(['Chair', 'Desk'])
    expect(await found('-tags.name=b', 'Una')).toEqual(['Lamp', 'Chair', 'Desk'])
    expect(await found('seller.name=Ada', 'Dee')).toEqual([])
    expect(await found('seller=false', 'Dee')).toEqual(['Lamp', 'Chair', 'Desk'])
  })

  it('a guest reads nothing of other repositories by way of a public one', async () => {
    const names = async (query: string) => {
      const { status, body } = await project.get(`/api/svc/tags?sort=id&${query}`)
      return [
        status,
        ...body.data.map((each: { attributes: { name: string } }) => each.attributes.name),
      ]
    }
    expect(await names('products.name=Lamp')).toEqual([200])
    expect(await names('-products.name=Lamp')).toEqual([200, 'a', 'b'])
    expect(await found('products.name=Chair', 'Ann', 'tags')).toEqual(['b'])
  })

  it('a wrong value is 400 and names the filter', async () => {
    expect(await refusal('tags=maybe')).toBe('The tags parameter must be true or false.')
    expect(await refusal('tags=true&tags=true&tags=false')).toContain('more than once')
    expect(await refusal('tags.id=x')).toBe('The tags.id parameter must be an integer.')
    expect(await refusal('seller.level=middle')).toBe(
      'The seller.level parameter must be one of low, high, or so.',
    )
    expect(await refusal(`seller.company.name=${'x'.repeat(201)}`)).toContain('200 characters')
    expect(await refusal('seller.name=%00')).toContain('NUL')
    expect(await refusal(`tags.id=${'1,'.repeat(1000)}1`)).toContain('at most 1000 values')
  })

  it('an unknown filter is 400 with the one that was meant', async () => {
    const message = await refusal('sellr.name=Ada')
    expect(message).toContain("'seller.name' is")
    expect(message).toContain('seller.company.name, seller, tags.id')
    expect(await refusal('seller.email=x')).toContain('is not known')
    expect(await refusal('seller.constructor=x')).toContain('is not known')
    expect(await refusal('__proto__.name=x')).toContain('is not known')
  })

  it('lists below a record and included lists take them', async () => {
    const path = `users/${ada}/products`
    expect(await found('tags.name=a', 'Ann', path)).toEqual(['Lamp'])
    expect(await found('tags=false', 'Ann', path)).toEqual([])
    const { body } = await list('include[reviews][product.seller.name]=Ada&name=Lamp')
    expect(body.data[0].relationships.reviews).toHaveLength(2)
    const { body: other } = await list('include[reviews][-product.seller.name]=Ada&name=Lamp')
    expect(other.data[0].relationships.reviews).toEqual([])
    expect(await refusal('include[reviews][product.sellr.name]=Ada')).toContain(
      'Of include[reviews]: The product.sellr.name parameter is not known',
    )
  })
}

function elsewhere(): void {
  it('GraphQL has an input for each relation', async () => {
    const query = `query($match: ProductMatch, $where: ProductWhere) {
        productList(match: $match, where: $where, sort: ["id"]) { name reviews(match: { product: { exists: true, tags: { name: "a" } } }, sort: ["id"]) { rating } }
      }`
    const asked = async (variables: object, user = 'Ann') => {
      const { data, errors } = await graphql(query, variables, user)
      expect(errors).toBeUndefined()
      return data.productList.map((each: { name: string }) => each.name)
    }
    expect(await asked({ match: { seller: { name: 'Ada', company: { name: 'love' } } } })).toEqual([
      'Lamp',
    ])
    expect(await asked({ match: { tags: { exists: false } } })).toEqual(['Desk'])
    expect(await asked({ match: { not: { tags: { name: 'b' } } } })).toEqual(['Desk'])
    expect(
      await asked({ match: { members: { id: String(ada), pivot: { is_admin: 'true' } } } }),
    ).toEqual(['Chair'])
    expect(await asked({ where: { seller: { name: { startsWith: 'A' } } } })).toEqual(['Lamp'])
    expect(await asked({ where: { members: { pivot: { hours: { gt: 3 } } } } })).toEqual(['Chair'])
    const { data } = await graphql(query, { match: { seller: { name: 'Ada' } } })
    expect(data.productList[0].reviews).toHaveLength(2)
    const { errors } = await graphql(query, { match: { tags: { id: '1' } } }, 'Cy')
    expect(errors[0].message).toContain('The tags.id parameter is not known')
    const empty = async (variables: object) => {
      const { errors: said } = await graphql(query, variables)
      return [said[0].message, said[0].extensions.code]
    }
    const text = 'parameter must say what to test: give it a member, or leave it out.'
    for (const [variables, place] of [
      [{ match: { tags: {} } }, 'match.tags'],
      [{ match: { seller: { company: {} } } }, 'match.seller.company'],
      [{ match: { not: { tags: {} } } }, 'match.not.tags'],
      [{ match: { not: {} } }, 'match.not'],
      [{ where: { tags: {} } }, 'where.tags'],
      [{ where: { seller: { name: {} } } }, 'where.seller.name'],
      [{ where: { name: {} } }, 'where.name'],
    ] as const)
      expect(await empty(variables)).toEqual([`The ${place} ${text}`, 'BAD_USER_INPUT'])
    expect(await asked({ match: {}, where: {} })).toHaveLength(3)
    const { errors: gated } = await graphql(query, { where: { tags: { name: { gt: 'a' } } } }, 'Cy')
    expect(gated[0].message).toContain('The tags.name parameter is not known')
  })

  it('GraphQL counts what no index serves', async () => {
    const said = async (args: string) => {
      const lists = Array.from(
        { length: 10 },
        (_, at) => `a${at}: productList(first: 1, ${args}) { id }`,
      )
      const { errors } = await graphql(`{ ${lists.join(' ')} }`)
      return String(errors?.[0]?.message)
    }
    expect(await said('match: { seller: { name: "a" } }')).toBe('undefined')
    expect(await said('match: { seller: { company: { name: "a" } } }')).toContain(
      'The query costs 10110',
    )
    expect(await said('match: { tags: { exists: false } }')).toContain('The query costs 10110')
    expect(await said('match: { not: { tags: { name: "a" } } }')).toContain('The query costs 10110')
    expect(await said('where: { seller: { name: { contains: "a" } } }')).toContain(
      'The query costs 10110',
    )
  })

  it('a list with them takes as many statements as one without', async () => {
    const count = async (query: string) => (await list(query)).statements.length
    expect(await count('seller.company.name=a&tags.id=1&-tags.name=x&reviews=false')).toBe(
      await count('name=x'),
    )
  })

  it('each is found by indexes alone', async () => {
    const { contract } = await partsOf(project.folder)
    const index = contract.operations.find(({ id }) => id === 'indexProducts')
    const declared = index?.parameters
      .map((each) => each.name)
      .filter((each) => /^-?\w+\.|^-?(seller|tags|reviews|notes)$/.test(each))
    expect(declared).toContain('-members.pivot.hours')
    for (const each of declared ?? []) {
      const value = /is_admin|^-?\w+$/.test(each)
        ? 'true'
        : /hours/.test(each)
          ? '1,2'
          : /level/.test(each)
            ? 'low'
            : /id|rating/.test(each)
              ? '1'
              : 'x'
      const { statements } = await list(`${each}=${value}`)
      const read = statements.filter(({ sql }) => /\bexists \(| in \(select "/.test(sql))
      expect(read.length, each).toBeGreaterThan(0)
      // What few have is where SQLite begins.
      const isFew = /^(seller\.(name|level)|tags\.|reviews\.rating|label\.)/.test(each)
      for (const { sql } of read) {
        expect(await scanned(sql), `${each}: ${sql}`).toEqual([])
        const begun = isFew && project.name === 'sqlite' ? await planOf(sql) : []
        expect(
          begun.filter((line) => line.includes('SCAN t0')),
          sql,
        ).toEqual([])
      }
    }
  })
}

function whatIsHidden(): void {
  describe('what a user may not see', () => {
    const closed = [
      'seller.level',
      'tags.id',
      'tags.name',
      'tags',
      'members.pivot.is_admin',
      'members.id',
    ]
    const forms = [
      (each: string) => `${each}=1`,
      (each: string) => `-${each}=x`,
      (each: string) => `filter[${each}]=x`,
      (each: string) => `${each}[gte]=x`,
      (each: string) => `${each}[stratsWith]=x`,
      (each: string) => `${each}=a&${each}=b`,
    ]

    it('is as unknown as what is not there', async () => {
      for (const each of closed) {
        for (const form of forms) {
          const other = each.replaceAll(/\w/g, 'q')
          const { status, body } = await list(form(each), 'Cy')
          const { body: unknown } = await list(form(other), 'Cy')
          expect([form(each), status]).toEqual([form(each), 400])
          const said = (json: object) =>
            JSON.stringify(json)
              .replaceAll(each, other)
              .replaceAll(/: '[^']*' is\./g, '.')
          expect(said(body)).toBe(said(unknown))
          expect(String(body.message).split('For a list')[1]).not.toMatch(/level|tags|members/)
        }
      }
    })

    it('changes no answer', async () => {
      const product = await project.insert('products', { name: 'Lamp', seller_id: as('Dee') })
      const other = await project.insert('products', { name: 'Chair', seller_id: null })
      await project.insert('reviews', { product_id: product, rating: 4, author_id: as('Dee') })
      const questions = [
        ...[
          'reviews=true',
          'reviews=false',
          '-reviews.rating=3',
          'reviews.rating=3',
          'reviews.rating[gte]=3',
        ],
        ...['seller=false', 'seller.name=hidden', '-seller.name=hidden', 'seller.name[not]=hidden'],
        ...['seller.company.name=hid', 'reviews.author.name=hidden', '-reviews.author.name=hidden'],
        ...[
          'members.pivot.is_admin=true',
          '-members.pivot.is_admin=true',
          'members.id=1',
          'notes=true',
        ],
        ...['seller.level=x', 'seller.nmae=x'],
      ]
      const answers = async () => {
        const all = questions.map(async (query) => {
          const { status, body } = await list(query, 'Dee')
          return JSON.stringify([query, status, body])
        })
        const matches = [
          'reviews: { exists: true }',
          'seller: { name: "hidden" }',
          'not: { reviews: { rating: "3" } }',
        ]
        const graph = matches.map(async (each) =>
          JSON.stringify(await graphql(`{ productList(match: { ${each} }) { id } }`, {}, 'Dee')),
        )
        return Promise.all([...all, ...graph])
      }
      const before = await answers()
      const company_id = await project.insert('companies', { name: 'hidden' })
      const hidden = await someone({ name: 'hidden', company_id, level: 'low' })
      await run(`update products set seller_id = ${hidden} where id = ${other}`)
      await project.insert('reviews', { product_id: other, rating: 3, author_id: hidden })
      await project.insert('reviews', {
        product_id: other,
        rating: 5,
        deleted_at: new Date().toISOString(),
      })
      await project.link('product_user', { product_id: other, user_id: hidden, is_admin: true })
      const after = await answers()
      // The column itself is no secret: what it points at is.
      const said = (answer: string) =>
        answer.replaceAll(`"seller_id":"${hidden}"`, '"seller_id":null')
      expect(after.map(said)).toEqual(before)
    })
  })
}

it('where queries are not strict, an unknown filter is ignored, and a known one is not', async () => {
  const project = await opened('sqlite')
  const ann = await project.user('Ann')
  const cy = await project.user('Cy')
  await project.insert('products', { name: 'Lamp', seller_id: ann })
  const total = async (query: string, as = ann) => {
    const { status, body } = await project.get(`/api/svc/products?${query}`, as)
    return status === 200 ? body.meta.total : status
  }
  expect(await total('seller.email=x')).toBe(1)
  expect(await total('tags.id=7')).toBe(0)
  expect(await total('tags.id=7', cy)).toBe(1)
  expect(await total('tags.id[gte]=7', cy)).toBe(1)
  expect(await total('tags=maybe')).toBe(400)
  expect(await total('tags=true&tags=false')).toBe(1)
  await project.close()
})

const idsOf = (records: readonly { readonly id: string }[] | undefined) =>
  records?.map(({ id }) => id)
