/** `reads: ['trees']`: a list is asked in the body of `POST /products/search`, with a tree of comparisons. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  databases,
  emitFixture,
  openFolder,
  type Answer,
  type DatabaseName,
  type Edits,
  type Project,
} from '../../support/project.js'
import { runsOn } from '../../support/runs.js'
import { partsOf } from '../openapi/contract-parts.js'
import { product, type Product } from '../operators/model.js'
import { trees } from './model.js'

/** What another feature may add: a name that lists are filtered by, and no column is called so. */
const initial = `{ read: { filter: {
  takes: (_, name) => /^name\\.initial(\\[not\\])?$/.test(name),
  names: () => ['name.initial'],
  conditions: (_, said) => said.map(({ column, text }) => {
    if (text.length !== 1) throw badParameter(column, 'must be one letter')
    return column.endsWith(']') ? not({ name: { startsWith: text } }) : { name: { startsWith: text } }
  }),
} } },`

const withInitial = (text: string) =>
  `import { not } from '#runtime/policy/condition.js'
   import { badParameter } from '#runtime/query/query.js'\n${text}`.replace(
    '    trees,\n',
    `    trees, ${initial}\n`,
  )

/** Users see their own products; and Cy no serial numbers. */
const edits = {
  'app/Policies/ProductPolicy.ts': (text: string) =>
    text.replace(
      /(ProductPolicy.*= \{\n)/,
      "$1  canSee: { serial: (user) => user?.name !== 'Cy' },\n",
    ),
  'app/Policies/ReviewPolicy.ts': (text: string) =>
    text.replace(/show: .*/, 'show: () => ({ stars: { not: 3 } }),'),
  'app/Repositories/ProductRepository.ts': withInitial,
}

const strict: Edits = {
  'config/svc.ts': (text) =>
    text
      .replace('strict_queries: false', 'strict_queries: true')
      .replace('strict_bodies: false', 'strict_bodies: true'),
}

async function opened(name: DatabaseName, config: Edits = {}): Promise<Project> {
  const folder = await emitFixture('features/trees', name, config)
  for (const [path, edit] of Object.entries(edits)) {
    const file = join(folder, path)
    const before = readFileSync(file, 'utf8')
    expect(edit(before)).not.toBe(before)
    writeFileSync(file, edit(before))
  }
  return openFolder(folder, name)
}

interface Listed {
  readonly id: string
  readonly attributes: Product
}

let project: Project
let ann: number
let cy: number

const insert = (row: Partial<Product> & { any?: string; page?: string; owner_id?: number }) => {
  const { made_on: day = null } = row
  const made_on = day === null ? null : `${day}T00:00:00.000Z`
  return project.insert('products', { name: 'Lamp', owner_id: ann, ...row, made_on })
}
const search = (body: object, as = ann) =>
  project.post('/api/svc/products/search', { sort: 'id', perPage: 1000, ...body }, as)
const names = async (body: object) => {
  const { status, body: answer } = await search(body)
  expect(status, `${JSON.stringify(body)} ${JSON.stringify(answer.message)}`).toBe(200)
  return answer.data.map(({ attributes }: Listed) => attributes.name)
}
const found = (where: object) => names({ where })
const refusal = async (body: object, as = ann) => {
  const { status, body: answer } = await search(body, as)
  expect(status, JSON.stringify(body).slice(0, 200)).toBe(400)
  return String(answer.message)
}
const refused = (where: unknown) => refusal({ where })
const graphql = async (query: string, variables: object = {}, as = ann) =>
  (await project.post('/graphql', { query, variables }, as)).body

const hostileKeys = fc.constantFrom(
  ...['where', 'any', 'all', 'not', 'price', 'name', 'stock', 'status', 'code', 'size'],
  ...['page', 'sort', 'include', 'fields', 'cursor', 'filter', '-price', 'price[gte]'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '[', ']', '[]', '.', '0'],
  ...['gte', 'in', 'isNull', 'contains', 'equals', 'filter[any]', 'where[price]', 'a'.repeat(5000)],
)
const { value: hostileValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', maxDepth: 7 },
    fc.constantFrom<unknown>(null, true, 0, -1, 1e300, '', '\0', '%', ',', 'null', '{}', 'x'),
    fc.constantFrom<unknown>('\ud800', 'x'.repeat(20_000), {}, [], [[]], 2 ** 53),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(hostileKeys, tie('value')), { maxLength: 4 }).map(Object.fromEntries),
  ),
}))
// Built as text: `__proto__` of a literal would be no key.
const hostileBodies = fc
  .array(fc.tuple(hostileKeys, hostileValue), { minLength: 1, maxLength: 4 })
  .map((members) => {
    const texts = members.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`)
    return `{${texts.join()}}`
  })
const hostileTrees = hostileBodies.map((tree) => `{"where":${tree}}`)

describe.each(databases)('searches on %s', (name) => {
  beforeAll(async () => {
    project = await opened(name, strict)
    ann = await project.user('Ann')
    cy = await project.user('Cy')
  })
  afterAll(() => project.close())
  beforeEach(async () => {
    for (const table of ['reviews', 'products'])
      await project.database.query({ sql: `delete from ${table}`, access: 'write' }, [])
  })
  fourProducts()

  it('they find what a model in memory finds, by REST and by GraphQL', async () => {
    const query = `query($where: ProductWhere) {
      productListTotal(where: $where)
      productList(first: 1000, sort: ["id"], where: $where) { id }
    }`
    const worlds = fc.array(product, { minLength: 1, maxLength: 12 })
    const questions = fc.array(trees(5), { minLength: 4, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(worlds, questions, async (rows, asked) => {
        await project.database.query({ sql: 'delete from products', access: 'write' }, [])
        const stored: (readonly [id: string, row: Product])[] = []
        for (const row of rows) stored.push([String(await insert(row)), row])
        for (const { json, graphql: where, truth } of asked) {
          const expected = stored.filter(([, row]) => truth(row) === true).map(([id]) => id)
          const { status, body } = await search({ where: json })
          const about = JSON.stringify([json, body.message])
          if (status === 400 && /at most 50/.test(body.message)) continue
          expect([about, status, idsOf(body.data)]).toEqual([about, 200, expected])
          const { data, errors } = await graphql(query, { where })
          expect([about, errors, idsOf(data?.productList)]).toEqual([about, undefined, expected])
          expect(data.productListTotal).toBe(expected.length)
        }
      }),
      { numRuns: runsOn(name, 20) },
    )
  })

  describe('what a user may not see', () => {
    const asked: readonly object[] = [
      { where: { serial: '5' } },
      { where: { any: [{ stock: 1 }, { serial: { gte: 'x' } }] } },
      { where: { not: { serial: { isNull: true } } } },
      { where: { serial: {} } },
      { where: { serial: null } },
      { where: { serial: 1.5 } },
      { where: { serail: 1 } },
      { serial: 2 ** 53 },
      { serial: '1' },
      { where: { not: { price: { gte: 100 } } }, sort: ['-price'] },
      { where: { any: [{ name: 'hidden' }, { stock: { isNull: false } }] }, cursor: '' },
      { where: { name: { contains: 'hidden' } }, withTotal: 'bounded', search: 'hidden' },
      { where: { price: 'x' } },
    ]

    it('is as unknown as a column that is not there', async () => {
      for (const query of asked.filter((each) => JSON.stringify(each).includes('serial'))) {
        const { status, body } = await search(query, cy)
        const other = JSON.parse(JSON.stringify(query).replaceAll('serial', 'terial'))
        const said = JSON.stringify(body).replaceAll('serial', 'terial')
        expect(status).toBe(400)
        expect(said).toBe(JSON.stringify((await search(other, cy)).body))
      }
      const where = { any: [{ serial: { gte: '5' } }] }
      const asking = 'query($where: ProductWhere) { productList(where: $where) { id } }'
      const { errors } = await graphql(asking, { where }, cy)
      expect(errors[0].message).toBe((await search({ where }, cy)).body.message)
    })

    it('changes no answer', async () => {
      const answers = () =>
        Promise.all(
          asked.map(async (query) => {
            const { status, body } = await search(query, cy)
            return JSON.stringify([query, status, body])
          }),
        )
      const seen = await insert({ name: 'Mine', price: '2.00', serial: '1', owner_id: cy })
      const before = await answers()
      await insert({ name: 'hidden', price: '3.00', serial: '9', stock: 7 })
      const sql = `update products set serial = 99 where id = ${seen}`
      await project.database.query({ sql, access: 'write' }, [])
      expect(await answers()).toEqual(before)
    })
  })

  it('requests as the document has them are answered', async () => {
    const { contract, right } = await partsOf(project.folder)
    const operation = contract.operations.find(({ id }) => id === 'searchProducts')
    if (operation === undefined) throw new Error('The document has no search of products.')
    const { body: schema } = operation
    const isTold = (body: object) => schema !== null && contract.isValid(schema, body)
    const where = { any: [{ stock: 1 }, { not: { price: { gte: '5', in: ['5.00'] } } }] }
    expect(isTold({ where, sort: ['-price'], price: ['1.00', '2.00'], fields: ['name'] })).toBe(
      true,
    )
    expect(isTold({ where: { status: ['open', 'gone'], is_live: true } })).toBe(true)
    const beside: readonly object[] = [
      ...[
        { price: { gte: 5, in: ['5.00', 7.5] } },
        { stock: 1 },
        { status: null },
        { '-stock': [1, 2] },
      ],
      { filter: { page: { contains: 'x' }, '-any': 'y', price: ['1.00', 2] } },
      {
        include: { reviews: { perPage: 1, sort: '-stars', stars: [4, 5], filter: { body: 'x' } } },
      },
      { include: ['owner'], 'include[reviews]': { page: 2 }, sort: '-price', withCount: 'reviews' },
      { include: { 'owner.products.reviews': { perPage: 1 } } },
    ]
    for (const body of beside) expect([body, isTold(body)]).toEqual([body, true])
    const others: readonly object[] = [
      ...[{ price: { get: 5 } }, { price: { in: 5 } }, { stock: [] }, { filter: { pirce: 5 } }],
      ...[{ include: { reveiws: {} } }, { sort: 'name' }, { price: 5 }],
    ]
    for (const body of others) expect([body, isTold(body)]).toEqual([body, false])
    expect(isTold({ where: { any: { stock: 1 } } })).toBe(false)
    expect(isTold({ where: { price: { get: '5' } } })).toBe(false)
    expect(isTold({ where: { pirce: '5' } })).toBe(false)
    await fc.assert(
      fc.asyncProperty(right(operation), async ({ body }) => {
        const { status, body: answer } = await project.request('POST', '/api/svc/products/search', {
          as: ann,
          body: body ?? '',
          headers: { 'content-type': 'application/json' },
        })
        expect(await contract.problemOf(operation, Response.json(answer, { status }))).toBeNull()
        // A pattern does not say which integers have 64 bits, not that a cursor is one, nor what cannot be said twice.
        const isKnown =
          /serial|cursor|at most 50|deeper|include|say what to test|more than once|empty object|no comma|one value or more|longer than 10000|two values/
        if (status !== 200) expect(answer.message).toMatch(isKnown)
      }),
      { numRuns: runsOn(name, 60) },
    )
  })

  it('each member of a body that the document has is taken alone', async () => {
    const { contract } = await partsOf(project.folder)
    const text = readFileSync(join(project.folder, 'app/OpenApi/openapi.json'), 'utf8')
    const { properties } = JSON.parse(text).components.schemas['Product.search']
    for (const [key, said] of Object.entries<Record<string, unknown>>(properties)) {
      if (key === 'where' || key === 'cursor') continue
      await fc.assert(
        fc.asyncProperty(contract.valueOf(said), async (value) => {
          const { status, body } = await search({
            sort: undefined,
            perPage: undefined,
            [key]: value,
          })
          const about = `${JSON.stringify([key, value])} ${body.message}`
          if (status !== 200)
            expect(about).toMatch(
              /serial|more than once|empty object|no comma|one value or more|longer than 10000/,
            )
        }),
        { numRuns: runsOn(name, 8) },
      )
    }
  })

  it('no body that somebody makes up is a failure of the server', async () => {
    await insert({ name: 'Lamp', price: '1.00', stock: 1 })
    const statusOf = async (body: string) => {
      const { status } = await project.request('POST', '/api/svc/products/search', {
        as: ann,
        body,
        headers: { 'content-type': 'application/json' },
      })
      return status
    }
    await fc.assert(
      fc.asyncProperty(fc.oneof(hostileBodies, hostileTrees), async (body) => {
        expect([200, 400]).toContain(await statusOf(body))
      }),
      { numRuns: runsOn(name, 300) },
    )
    const deep = (times: number) => `{"where":${'{"not":'.repeat(times)}{}${'}'.repeat(times)}}`
    const long = JSON.stringify('x'.repeat(500_000))
    for (const body of [
      ...[deep(10), deep(100_000), '[]', 'null', '"x"', '', '{', '{"where":{"__proto__":{}}}'],
      ...[
        `{"where":{"name":{"in":[${'1,'.repeat(90_000)}1]}}}`,
        `{"sort":[${'"id",'.repeat(9e4)}1]}`,
      ],
      ...[`{"where":{${long}:1}}`, `{${long}:1}`, `{"sort":${long}}`, `{"include":${long}}`],
      ...[`{"where":{"price":{${long}:1}}}`, `{"price":{${long}:1}}`],
    ])
      expect(await statusOf(body), body.slice(0, 60)).toBe(400)
    expect(await statusOf(`{"where":{"name":${long}}}`)).toBe(200)
  })
})

function fourProducts(): void {
  describe('of four products', () => {
    beforeEach(async () => {
      await insert({ name: 'Lamp', price: '5.00', status: 'open', stock: 1, is_live: true })
      await insert({ name: 'lamp shade', price: '9.99', status: 'gone', stock: 2 })
      await insert({ name: 'Chair', price: '10.00', status: 'sold, paid', stock: 3, any: 'x' })
      await insert({ name: 'Label', price: null, status: null, stock: null, page: 'p' })
    })

    describe('a tree and its list', () => {
      treesInLists()
    })

    it('a public repository is searched without a token, and another one is not', async () => {
      const { data } = (await search({ where: { stock: 1 } })).body
      for (const stars of [1, 3, 5])
        await project.insert('reviews', { stars, product_id: Number(data[0].id) })
      const guest = await project.post('/api/svc/reviews/search', { where: { stars: { gte: 2 } } })
      expect(
        guest.body.data.map((each: { attributes: { stars: number } }) => each.attributes.stars),
      ).toEqual([5])
      expect((await project.post('/api/svc/products/search', {})).status).toBe(401)
      expect((await project.post('/api/svc/users/search', {}, ann)).status).toBe(405)
    })
    describe('refusals and GraphQL', () => {
      others()
    })
  })
}

function treesInLists(): void {
  it('any, all and not are what they say', async () => {
    expect(await found({ any: [{ stock: 1 }, { price: { gte: 10 } }] })).toEqual(['Lamp', 'Chair'])
    expect(await found({ all: [{ stock: { gt: 1 } }, { price: { lt: '10' } }] })).toEqual([
      'lamp shade',
    ])
    expect(await found({ not: { status: ['open', 'gone'] } })).toEqual(['Chair'])
    expect(await found({ stock: { gte: 1, lt: 3 }, not: { name: { startsWith: 'L' } } })).toEqual([
      'lamp shade',
    ])
    expect(await found({ any: [{ price: { isNull: true } }, { is_live: true }] })).toEqual([
      'Lamp',
      'Label',
    ])
    expect(await found({})).toHaveLength(4)
    expect(await names({ where: null })).toHaveLength(4)
  })

  it('a value is compared whole, whatever a parameter of the column would do', async () => {
    expect(await found({ name: 'lamp' })).toEqual([])
    expect(await found({ name: 'Lamp', price: 5 })).toEqual(['Lamp'])
    expect(await found({ status: 'sold, paid' })).toEqual(['Chair'])
    expect(await found({ status: { in: ['sold, paid'] } })).toEqual(['Chair'])
  })

  it('a column that is called as a word of a tree has its name in brackets', async () => {
    expect(await found({ 'filter[any]': 'x' })).toEqual(['Chair'])
    expect(await found({ page: 'p' })).toEqual(['Label'])
  })

  it('takes the parameters of a list, as JSON has them or as texts', async () => {
    const shown = await search({ sort: ['-price', 'id'], perPage: 1, page: '2', stock: [1, 2] })
    expect(shown.body).toMatchObject({
      meta: { current_page: 2, per_page: 1, total: 2, last_page: 2 },
      data: [{ attributes: { name: 'Lamp' } }],
    })
    expect(await names({ search: 'lamp', price: '5,9.99', '-status': 'gone' })).toEqual(['Lamp'])
    expect(await names({ status: null })).toEqual(['Label'])
    expect(await names({ status: ['sold, paid', null] })).toEqual(['Chair', 'Label'])
    expect(await names({ price: { gte: 5, lt: 10 }, is_live: null })).toEqual(['lamp shade'])
    expect(await names({ filter: { page: 'p' } })).toEqual(['Label'])
    expect(await names({ price: [5, '5'] })).toEqual(['Lamp'])
    expect(await names({ filter: { price: [5, 5], status: ['sold, paid', 'open'] } })).toEqual([
      'Lamp',
    ])
    expect(await names({ filter: { price: { gte: '10' } } })).toEqual(['Chair'])
    expect(await names({ page: { number: 2, size: 3 }, perPage: null })).toEqual(['Label'])
    const nothing = { page: null, search: null, sort: [], include: [], fields: null }
    expect(await names({ ...nothing, withCount: [], cursor: null, stock: 1 })).toEqual(['Lamp'])
  })

  it('shows what a list shows', async () => {
    const product_id = Number((await search({ where: { stock: 1 } })).body.data[0].id)
    for (const stars of [1, 3, 5]) await project.insert('reviews', { stars, product_id })
    const query = {
      where: { stock: { lte: 2 } },
      fields: ['name'],
      withCount: ['reviews'],
      include: { reviews: { perPage: 1, sort: ['-stars'] } },
      withMeta: true,
    }
    const { status, body } = await search(query)
    expect([status, body.message]).toEqual([200, undefined])
    const said =
      'sort=id&perPage=1000&stock[lte]=2&fields=name&withCount=reviews&include[reviews][perPage]=1&include[reviews][sort]=-stars&withMeta=true'
    const listed = await project.get(`/api/svc/products?${said}`, ann)
    expect(body.data).toEqual(listed.body.data)
    expect(body.data[0]).toMatchObject({
      attributes: { name: 'Lamp' },
      counts: { reviews: 2 },
      relationships: { reviews: [{ attributes: { stars: 5 } }] },
    })
    expect(Object.keys(body)).toEqual(['meta', 'data'])
  })

  it('takes as many statements as the list does', async () => {
    const include = ['reviews', 'owner']
    const listed = await project.get('/api/svc/products?include=reviews,owner&stock=1,2', ann)
    const where = { any: [{ stock: 1 }, { not: { stock: [1, 3] } }] }
    expect((await search({ where, include })).statements.length).toBe(listed.statements.length)
  })

  it('a cursor walks it, and holds for its where alone', async () => {
    const where = { any: [{ stock: { gte: 2 } }, { stock: { isNull: true } }] }
    const walked: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { status, body }: Answer = await search({
        ...{ where, cursor, perPage: 1, sort: ['-price'] },
      })
      expect([status, body.message, body.links]).toEqual([200, undefined, undefined])
      walked.push(...body.data.map(({ attributes }: Listed) => attributes.name))
      cursor = body.meta.next_cursor
    }
    expect(walked).toEqual(['Chair', 'lamp shade', 'Label'])
    const { body } = await search({ where, cursor: '', perPage: 1 })
    const { next_cursor } = body.meta
    const others = [{ any: [{ stock: { gte: 2 } }] }, { ...where, name: 'x' }, undefined]
    for (const other of others) {
      expect(await refusal({ where: other, cursor: next_cursor, perPage: 1 })).toContain('cursor')
    }
    const inAddress = await project.get(`/api/svc/products?sort=id&cursor=${next_cursor}`, ann)
    expect(inAddress.status).toBe(400)
    const turned = { any: [{ stock: { gte: 2 } }, { stock: { isNull: true } }] }
    expect(await names({ where: turned, cursor: next_cursor, perPage: 1 })).toEqual(['Chair'])
  })

  it('is a read: what a write refuses, or does, it does not', async () => {
    const sent = (headers: Record<string, string>, path = '') =>
      project.request('POST', `/api/svc/products/search${path}`, {
        as: ann,
        body: '{ "where": { "stock": 1 } }',
        headers: { 'content-type': 'application/json', ...headers },
      })
    const plain = await sent({})
    for (const headers of [
      { 'idempotency-key': 'a' },
      { 'if-match': '"1"' },
      { prefer: 'max-affected=1' },
    ]) {
      const { status, body, statements } = await sent(headers)
      expect([status, body]).toEqual([200, plain.body])
      expect(statements.length).toBe(plain.statements.length)
    }
    expect(plain.statements.every(({ access }) => access === 'read')).toBe(true)
    expect((await sent({}, '?dryRun=true')).body.message).toContain('dryRun')
  })

  it('QUERY is the same where it is served', async () => {
    const { METHODS } = await import('node:http')
    const answer = await project.request('QUERY', '/api/svc/products', {
      as: ann,
      body: '{ "where": { "stock": 1 } }',
      headers: { 'content-type': 'application/json' },
    })
    const { headers } = await project.request('OPTIONS', '/api/svc/products', {})
    expect(headers.get('allow')?.includes('QUERY')).toBe(METHODS.includes('QUERY'))
    if (METHODS.includes('QUERY')) {
      expect(answer.body.data).toHaveLength(1)
      // A link would lose the body.
      expect(answer.body.links).toBeUndefined()
    } else expect(answer.status).toBe(405)
  })
}

function others(): void {
  it('comparisons in it need no word of their own', async () => {
    const body = { where: { any: [{ stars: [4, 5] }, { body: { contains: 'x' } }] } }
    const { status } = await project.post('/api/svc/reviews/search', body, ann)
    expect(status).toBe(200)
    const answer = await project.post('/api/svc/reviews/search', { stars: { gte: 5 } }, ann)
    expect(answer.body.message).toContain('stars[gte] parameter is not known')
  })

  it('what else filters lists stands in a tree, too', async () => {
    expect(await found({ any: [{ 'name.initial': 'C' }, { stock: 1 }] })).toEqual(['Lamp', 'Chair'])
    expect(await found({ 'name.initial': { not: 'L' } })).toEqual(['lamp shade', 'Chair'])
    expect(await refused({ not: { 'name.initial': 'CC' } })).toBe(
      'The where.not.name.initial parameter must be one letter.',
    )
    expect(await refused({ 'name.initial': { not: 'CC' } })).toContain('where.name.initial.not ')
    expect(await refused({ 'name.initial': { gt: 'L' } })).toBe(
      'The where.name.initial.gt parameter is not known. name.initial takes a value, or a list.',
    )
    expect(await refused({ 'name.initail': 'L' })).toContain("'name.initial' is")
  })

  it('what is wrong is 400, and says where it stands', async () => {
    expect(await refused({ any: [{ price: { gte: 'x' } }] })).toBe(
      'The where.any.0.price.gte parameter must be a number with at most 8 digits before and 2 after the point.',
    )
    expect(await refused({ not: { all: [{ stock: 1 }, { status: 'shut' }] } })).toBe(
      'The where.not.all.1.status parameter must be one of open, sold, paid, gone.',
    )
    expect(await refused({ price: { get: 5 } })).toBe(
      "The where.price.get parameter is not known: 'price[gte]' is. price can be compared with equals, not, in, notIn, lt, lte, gt, gte, isNull.",
    )
    expect(await refused({ any: [{ pirce: 5 }] })).toMatch(
      /^The where\.any\.0\.pirce parameter is not known: 'price' is\. There are id, name, price, .*any, all, not\.$/,
    )
    expect(await refused({ size: 1 })).toContain('where.size parameter is not known')
    expect(await refused({ price: null })).toBe(
      'The where.price parameter must not be null: { isNull: true } finds what has no value.',
    )
    expect(await refused({ price: { in: [1, null] } })).toContain('where.price.in.1')
    expect(await refused({ price: { in: 1 } })).toContain('where.price.in parameter must be a list')
    expect(await refused({ is_live: [true] })).toContain('equals, not, isNull')
    expect(await refused({ price: [] })).toContain('where.price parameter must have one value')
    expect(await refused({ price: {} })).toContain('where.price parameter must say')
    expect(await refused({ any: [] })).toContain('where.any parameter must be a list of one')
    expect(await refused({ any: { stock: 1 } })).toContain('where.any parameter must be a list')
    expect(await refused({ any: [{}] })).toBe(
      'The where.any.0 parameter must say what to test: give it a member, or leave it out.',
    )
    expect(await refused({ not: [{ stock: 1 }] })).toContain('where.not parameter must be an')
    expect(await refused({ serial: 2 ** 53 })).toContain('where.serial parameter')
    for (const said of [2 ** 53, [1, 2 ** 53]]) {
      expect(await refused({ 'name.initial': said })).toContain(
        'where.name.initial parameter must be a text',
      )
    }
    expect(await refused({ 'name.initial': { not: 2 ** 53 } })).toContain(
      'where.name.initial.not parameter must be a text',
    )
    expect(await refused([])).toContain('The where parameter must be an object')
    expect(await refused('{}')).toContain('The where parameter must be an object')
    const { body } = await search({ where: { any: [{ price: { gte: 'x' } }] } })
    expect(Object.keys(body.errors)).toEqual(['where.any.0.price.gte'])
  })

  it('parameters in the body are refused as those of an address are', async () => {
    expect(await refusal({ wehre: { stock: 1 } })).toContain("'where' is")
    expect(await refusal({ wehre: 1 })).toContain("'where' is")
    expect(await refusal({ qqqqqq: 1 })).toMatch(/there are page, .* where, /)
    const strange = await project.get('/api/svc/products?qqqqqq=1', ann)
    expect(strange.body.message).toContain('is not known. For a list of products there are page')
    expect(strange.body.message).not.toContain('where')
    expect(await refusal({ pricee: 1 })).toContain("The pricee parameter is not known: 'price'")
    expect(await refusal({ page: 0 })).toBe('The page parameter must be a positive integer.')
    expect(await refusal({ page: [1, 2] })).toContain('more than once')
    expect(await refusal({ perPage: 1.5 })).toContain('perPage')
    expect(await refusal({ stock: [] })).toContain('stock parameter must have one value')
    expect(await refusal({ stock: {} })).toContain('must not be an empty object')
    expect(await refusal({ stock: [[1]] })).toContain('must be a value, or a list of values')
    expect(await refusal({ serial: 2 ** 53 })).toContain('must be a text')
    expect(await refusal({ price: 1.0000000000000002 })).toContain('must be a text')
    expect(await refusal({ status: { in: ['open', 'sold, paid'] } })).toContain('no comma')
    expect(await refusal({ include: { reviews: { where: { stars: 1 } } } })).toContain('where')
    expect(await refusal({ cursor: '', page: 1 })).toContain('page parameter cannot stand')
    const listed = await project.get('/api/svc/products?where[price]=1', ann)
    expect([listed.status, listed.body.message]).toEqual([
      400,
      'The where parameter is no parameter of an address: the body of POST /products/search has it.',
    ])
    const both = await project.post('/api/svc/products/search?page=2', {}, ann)
    expect(both.body.message).toContain('The page parameter is not taken in this address')
  })

  it('no tree is larger than the limits say', async () => {
    const nested = (levels: number): object =>
      levels === 1 ? { stock: 1 } : { any: [nested(levels - 1)] }
    expect(await found(nested(5))).toEqual(['Lamp'])
    expect(await refused(nested(6))).toBe(
      'The where.any.0.any.0.any.0.any.0.any.0 parameter is deeper than 5 levels.',
    )
    const leaves = (count: number) => ({
      any: Array.from({ length: count }, (_, stock) => ({ stock })),
    })
    expect(await found(leaves(50))).toHaveLength(3)
    expect(await refused(leaves(51))).toContain('at most 50 comparisons')
    const values = (count: number) => Array.from({ length: count }, (_, each) => each)
    expect(await found({ stock: values(1000) })).toHaveLength(3)
    expect(await refused({ stock: values(1001) })).toContain('at most 1000 values')
    const twice = { any: [{ stock: values(500) }, { id: values(501) }] }
    expect(await refused(twice)).toContain('at most 1000 values')
    expect(await refusal({ stock: values(1001) })).toContain('more than 1000 values')
    const { errors } = await graphql('query($w: ProductWhere) { productList(where: $w) { id } }', {
      w: nested(6),
    })
    expect(errors[0].message).toContain('stock')
  })

  it('GraphQL has the same tree, and counts what no index serves', async () => {
    const query = `query($where: ProductWhere) {
        productListTotal(where: $where)
        productPage(where: $where, sort: ["id"]) { data { name } total }
      }`
    const where = { any: [{ stock: { equals: 1 } }, { not: { price: { lt: 10 } } }] }
    const { data, errors } = await graphql(query, { where })
    expect(errors).toBeUndefined()
    expect(data).toEqual({
      productListTotal: 2,
      productPage: { data: [{ name: 'Lamp' }, { name: 'Chair' }], total: 2 },
    })
    const nested = (levels: number): object =>
      levels === 1 ? { stock: { equals: 1 } } : { not: nested(levels - 1) }
    const said = async (tree: object, times = 1) => {
      const list = 'productList(first: 1, where: $where) { id }'
      const lists = Array.from({ length: times }, (_, at) => `a${at}: ${list}`)
      const asked = `query($where: ProductWhere) { ${lists.join(' ')} }`
      return String((await graphql(asked, { where: tree })).errors?.[0]?.message)
    }
    expect(await said(nested(6))).toContain('is deeper than 5 levels')
    expect(await said({ all: [{ stock: { equals: 1 } }] }, 10)).toBe('undefined')
    expect(await said({ any: [{ stock: { equals: 1 } }] }, 10)).toContain('The query costs')
    const counted = async (field: string, times: number) => {
      const fields = Array.from({ length: times }, (_, at) => `a${at}: ${field}`)
      return String((await graphql(`{ ${fields.join(' ')} }`)).errors?.[0]?.message)
    }
    // Both of its statements go through the table; and that of a relation, as its list does.
    const page = (where: string) => `productPage(first: 1, where: { ${where} }) { total }`
    expect(await counted(page('stock: { equals: 1 }'), 5)).toBe('undefined')
    expect(await counted(page('name: { contains: "x" }'), 5)).toContain('The query costs 10')
    const related = (where: string) =>
      `productList(first: 1) { reviews_total(where: { ${where} }) }`
    expect(await counted(related('stars: { equals: 1 }'), 10)).toBe('undefined')
    expect(await counted(related('any: [{ stars: { equals: 1 } }]'), 10)).toContain(
      'The query costs 10',
    )
    expect(await said({ all: [{ name: { contains: 'x' } }] }, 10)).toContain('The query costs')
    expect(await said({ any: [{ stock: { gte: null } }] })).toBe(
      'The where.any.0.stock.gte parameter must not be null: { isNull: true } finds what has no value.',
    )
    const deep = `{ productList(where: ${'{ not: '.repeat(3000)}{}${' }'.repeat(3000)}) { id } }`
    expect((await graphql(deep)).errors).toHaveLength(1)
  })
}

it('where nothing is strict, a strange parameter is ignored, and a strange name of a tree is not', async () => {
  const project = await opened('sqlite')
  const ann = await project.user('Ann')
  await project.insert('products', { name: 'Lamp', owner_id: ann })
  const statusOf = async (body: object) => {
    const answer = await project.post('/api/svc/products/search', body, ann)
    return answer.status === 200 ? answer.body.meta.total : answer.status
  }
  expect(await statusOf({ qqqqqq: 5, size: { gte: 5 } })).toBe(1)
  expect(await statusOf({ where: { qqqqqq: 5 } })).toBe(400)
  expect(await statusOf({ where: { any: [{ size: 5 }, { name: 'Lamp' }] } })).toBe(400)
  expect(await statusOf({ 'where[name]': 'Lamp' })).toBe(400)
  await project.close()
})

const idsOf = (records: readonly { readonly id: string }[] | undefined) =>
  records?.map(({ id }) => id)
