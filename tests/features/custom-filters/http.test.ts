/** Matchers, sorters and filters of the manifest, as `app/Filters` answers them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  databases,
  type DatabaseName,
  emitFixture,
  load,
  openFolder,
  openProject,
  type Project,
} from '../../support/project.js'
import { runsOn } from '../../support/runs.js'
import { partsOf } from '../openapi/contract-parts.js'
import { encoded, filtersOf, ownFiles } from './file.js'

interface Product {
  name: string
  likes: number | null
  cost: number | null
  ready_at: string | null
  reviews?: readonly { stars: number; author: string }[]
}

let project: Project
let ann: number
let bob: number
let cy: number

const insert = async ({ reviews = [], ...row }: Partial<Product>, owner_id = ann) => {
  const product_id = await project.insert('products', { name: 'Lamp', owner_id, ...row })
  for (const review of reviews) await project.insert('reviews', { ...review, product_id })
  return product_id
}
const list = (query: string, as = ann) => project.get(`/api/svc/products?perPage=1000&${query}`, as)
const names = async (query: string, as = ann) => {
  const { status, body } = await list(query, as)
  expect(status, `${query} ${JSON.stringify(body.message)}`).toBe(200)
  return body.data.map((each: { attributes: Product }) => each.attributes.name)
}
const refusal = async (query: string, as = ann) => {
  const { status, body } = await list(query, as)
  expect(status, query).toBe(400)
  return String(body.message)
}
const graphql = async (query: string, as = ann) =>
  (await project.post('/graphql', { query }, as)).body

const review = fc.record({
  stars: fc.integer({ min: 1, max: 5 }),
  author: fc.constantFrom('Zoe', 'É'),
})
const product = fc.record({
  likes: fc.option(fc.integer({ min: 8, max: 12 })),
  cost: fc.option(fc.integer({ min: 3, max: 6 })),
  reviews: fc.array(review, { maxLength: 2 }),
})
interface Row {
  likes: number | null
  cost: number | null
  reviews: { stars: number; author: string }[]
}
const seenOf = ({ reviews }: Row) => reviews.filter(({ stars }) => stars !== 3)
/** What is asked, and which rows that is true of. */
const asks: readonly (readonly [rest: string, graphql: string, holds: (row: Row) => boolean])[] = [
  ['popular=true', 'match: { popular: true }', ({ likes }) => likes !== null && likes >= 10],
  ['popular=false', 'match: { popular: false }', ({ likes }) => likes !== null && likes < 10],
  ['least=4.5', 'match: { least: 4.5 }', ({ cost }) => cost !== null && cost >= 4.5],
  [
    `reviewed_by=${encodeURIComponent('É')}`,
    'match: { reviewed_by: "É" }',
    (row) => seenOf(row).some(({ author }) => author === 'É'),
  ],
  [
    filtersOf(['loved', true]),
    'filters: { loved: true }',
    (row) => seenOf(row).every(({ stars }) => stars >= 4),
  ],
  [
    filtersOf(['loved', false]),
    'filters: { loved: false }',
    (row) => !seenOf(row).every(({ stars }) => stars >= 4),
  ],
  [filtersOf(['costs', 5]), 'filters: { costs: 5 }', ({ cost }) => cost === 5],
]
const orders: Readonly<Record<string, (row: Row) => number>> = {
  popularity: ({ likes }) => likes ?? 0,
  '-popularity': ({ likes }) => -(likes ?? 0),
  margin: ({ cost }) => cost ?? Infinity,
  '-margin': ({ cost }) => (cost === null ? Infinity : -cost),
}

describe.each(databases)('filters of one’s own on %s', (name) => {
  beforeAll(async () => {
    process.env['APP_KEY'] = 'k'.repeat(40)
    const folder = await emitFixture('features/custom-filters', name, {
      'config/svc.ts': (text) => text.replace('strict_queries: false', 'strict_queries: true'),
    })
    for (const [path, edit] of Object.entries(ownFiles)) {
      const file = join(folder, path)
      writeFileSync(file, edit(readFileSync(file, 'utf8')))
    }
    project = await openFolder(folder, name)
    ann = await project.user('Ann')
    bob = await project.user('Bob')
    cy = await project.user('Cy')
  })
  afterAll(() => project.close())
  beforeEach(async () => {
    for (const table of ['reviews', 'products'])
      await project.database.query({ sql: `delete from ${table}`, access: 'write' }, [])
  })
  fourProducts()

  it('values of another kind are 400, with the name', async () => {
    expect(await refusal('popular=maybe')).toBe('The popular parameter must be true or false.')
    expect(await refusal('popular=null')).toContain('popular parameter must be true')
    expect(await refusal('popular=true&popular=false')).toBe(
      'The popular parameter must not be sent more than once.',
    )
    expect(await refusal('-popular=true')).toBe(
      'The -popular parameter must not begin with a minus: the value of popular says what it finds.',
    )
    expect(await refusal('least=x')).toBe('The least parameter must be a number.')
    expect(await refusal('kinds=old')).toBe(
      'The kinds parameter must be one or more of new, cheap, a, b.',
    )
    expect(await refusal('kinds=')).toContain('one or more of')
    expect(await refusal(`reviewed_by=${'x'.repeat(201)}`)).toContain('not be longer than 200')
    expect(await refusal('reviewed_by=%00')).toContain('NUL')
    const wrong = (key: string, value: unknown) => refusal(filtersOf([key, value]))
    expect(await wrong('ready', 'true')).toBe(
      "The filters parameter is wrong: the value of 'ready' must be true or false.",
    )
    expect(await wrong('since', '2026-02-30')).toContain("the value of 'since' must be a date or")
    expect(await wrong('since', 1_770_000_000)).toContain("'since' must be a date")
    expect(await wrong('kind', 'old')).toContain("'kind' must be one of new, cheap")
    expect(await wrong('kinds', 'new')).toContain("'kinds' must be one or more of new, cheap")
    expect(await wrong('kinds', [])).toContain('one or more')
    expect(await wrong('costs', '5')).toContain("'costs' must be a number")
    expect(await wrong('maker', null)).toContain("'maker' must be a text")
    expect(await wrong('maker', 'a\0b')).toContain('NUL')
  })

  it('a value that the column cannot have is 400, and not a mistake of the server', async () => {
    expect(await names(filtersOf(['maker', 'after 2026-02-01']))).toEqual([])
    expect(await refusal(filtersOf(['maker', 'after tomorrow']))).toBe(
      "The filters parameter is wrong: the value of 'maker' must be a value that a record can have.",
    )
    expect(await refusal('least=404')).toBe(
      'The least parameter must be a value that a record can have.',
    )
    const { errors } = await graphql('{ productList(filters: { maker: "after x" }) { id } }')
    expect(errors[0].extensions.code).toBe('BAD_USER_INPUT')
  })

  it('a mistake in it is logged with its file and its name, and not as one of the policy', async () => {
    const { log } = await load(project.folder, 'app/log.ts')
    const logged: string[] = []
    const spy = vi.spyOn(log, 'error').mockImplementation((...[line]: unknown[]) => {
      logged.push(String((line as { err?: Error }).err?.message))
    })
    onTestFinished(() => spy.mockRestore())
    expect((await list(filtersOf(['maker', 'mistaken']))).status).toBe(500)
    expect(logged.pop()).toMatch(
      /^app\/Filters\/ProductFilters\.ts, 'maker' of filters: a condition on 'users' names 'nmae', and there are id, name/,
    )
    const mia = await project.user('Mia')
    expect((await list('sort=margin', mia)).status).toBe(500)
    expect(logged).toEqual([
      "app/Filters/ProductFilters.ts, 'margin' of sort: it answers neither self('…') of a column that has an order, nor sql",
    ])
  })

  it('what is no list of filters is 400, and says what one is', async () => {
    const list = 'must be base64 of a list [{ "key": "…", "value": … }].'
    expect(await refusal('filters=%7B%7D')).toContain('must be base64 of [{')
    expect(await refusal('filters=a*b')).toContain('must be base64 of [{')
    expect(await refusal('filters=/w==')).toContain('UTF-8')
    expect(await refusal('filters=bm8=')).toContain('must be base64 of JSON')
    for (const said of [{}, 'x', 5, null, [5], [null], [['ready', true]], [{ key: 'ready' }]]) {
      expect(await refusal(encoded(said))).toContain(list)
    }
    expect(await refusal(encoded([{ key: 'ready', value: true, more: 1 }]))).toContain(list)
    expect(await refusal(encoded([{ key: 5, value: true }]))).toContain(list)
    const many = Array.from({ length: 21 }, () => ({ key: 'ready', value: true }))
    expect(await refusal(encoded(many))).toContain('at most 20 filters')
    expect(await refusal(`filters=${'A'.repeat(20_000)}`)).toContain('base64')
    expect(await refusal(`${encoded([])}&${encoded([])}`)).toContain('more than once')
    expect(await refusal(`-${encoded([])}`)).toContain('must be filters')
    expect(await refusal(`filter[${encoded([]).replace('=', ']=')}`)).toContain('is not known')
  })
  searchBodies(name)

  it('unknown keys are 400 with the one that was meant', async () => {
    expect(await refusal(filtersOf(['raedy', true]))).toBe(
      "There is no 'raedy' to filter products by. 'ready' is one. They have ready, since, kind, kinds, costs, maker, loved.",
    )
    for (const key of ['__proto__', 'constructor', 'toString', '', 'popular']) {
      expect(await refusal(filtersOf([key, true]))).toContain(`There is no '${key}'`)
    }
    expect(await refusal('populer=true')).toContain("'popular' is")
    expect(await refusal('filtres=x')).toContain("'filters' is")
    expect(await refusal('sort=popularty')).toContain("'popularity' is one")
  })

  describe('what a user may not see', () => {
    whatIsHidden()
  })

  it('they find what a model in memory finds, by REST and by GraphQL', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(product, { minLength: 1, maxLength: 6 }),
        fc.array(fc.tuple(fc.constantFrom(...asks), fc.constantFrom(...Object.keys(orders))), {
          minLength: 4,
          maxLength: 6,
        }),
        async (rows, questions) => {
          for (const table of ['reviews', 'products'])
            await project.database.query({ sql: `delete from ${table}`, access: 'write' }, [])
          const stored: (readonly [id: string, row: Row])[] = []
          for (const row of rows) stored.push([String(await insert(row)), row])
          for (const [[rest, typed, holds], sort] of questions) {
            const by = orders[sort] ?? (() => 0)
            const found = stored
              .filter(([, row]) => holds(row))
              .toSorted(([a, one], [b, two]) => by(one) - by(two) || Number(b) - Number(a))
              .map(([id]) => id)
            const { status, body } = await list(`${rest}&sort=${sort}`)
            expect([rest, sort, status, idsOf(body.data)]).toEqual([rest, sort, 200, found])
            const { data, errors } = await graphql(
              `{ productList(first: 100, ${typed}, sort: ["${sort}"]) { id } }`,
            )
            expect([typed, sort, errors, idsOf(data?.productList)]).toEqual([
              typed,
              sort,
              undefined,
              found,
            ])
          }
        },
      ),
      { numRuns: runsOn(name, 15) },
    )
  })

  it('requests as the document has them are answered', async () => {
    const { contract, right } = await partsOf(project.folder)
    const index = contract.operations.find(({ id }) => id === 'indexProducts')
    if (index === undefined) throw new Error('The document has no list of products.')
    const own = ['popular', 'kinds', 'reviewed_by', 'least', 'filters', 'sort']
    const asked = index.parameters.filter((each) => own.includes(each.name))
    expect(asked.map((each) => each.name).toSorted()).toEqual(own.toSorted())
    await fc.assert(
      fc.asyncProperty(right({ ...index, parameters: asked }), async ({ query }) => {
        const { status, body } = await project.get(`/api/svc/products${query}`, ann)
        // What the answer itself throws, and commas, of which the contract does without.
        const isApart = /less than nothing|one or more of/.test(String(body.message))
        expect(isApart ? [400] : [200], `${query} ${body.message}`).toContain(status)
      }),
      { numRuns: runsOn(name, 80) },
    )
  })

  it('no parameter that somebody makes up is a failure of the server', async () => {
    const keys = fc.constantFrom('ready', 'since', 'costs', 'maker', '__proto__', 'constructor')
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom('\0', 1e308, -0, '9'.repeat(500)))
    const filters = fc.array(fc.record({ key: keys, value: values })).map(encoded)
    const texts = fc
      .oneof(fc.string({ unit: 'grapheme' }), fc.base64String())
      .map((text) => `filters=${encodeURIComponent(text)}`)
    const matchers = fc
      .tuple(
        fc.constantFrom(
          'popular',
          'kinds',
          'least',
          'reviewed_by',
          'sort',
          'popular[gte]',
          '-least',
        ),
        fc.oneof(fc.string(), fc.constantFrom('null', '__proto__', '1e999', '-popularity')),
      )
      .map(([key, text]) => `${encodeURIComponent(key)}=${encodeURIComponent(text)}`)
    await fc.assert(
      fc.asyncProperty(fc.oneof(filters, texts, matchers), async (query) => {
        const { status } = await list(query)
        expect([200, 400], query).toContain(status)
      }),
      { numRuns: runsOn(name, 150) },
    )
  })
})

function fourProducts(): void {
  describe('of four products', () => {
    beforeEach(async () => {
      const ready_at = '2026-02-03T10:00:00.000Z'
      const reviews = [
        { stars: 5, author: 'Zoe' },
        { stars: 3, author: 'Max' },
      ]
      await insert({ name: 'Lamp', likes: 20, cost: 3, ready_at })
      await insert({ name: 'Desk', likes: 5, cost: 9, ready_at: '2026-03-01T00:00:00.000Z' })
      await insert({ name: 'Chair', likes: null, cost: null, reviews })
      await insert({ name: 'a, b', likes: 10, cost: 5, reviews: [{ stars: 1, author: 'Zoe' }] })
    })

    it('a matcher is a parameter, with a value of its kind', async () => {
      expect(await names('popular=true&sort=name')).toEqual(['Lamp', 'a, b'].toSorted())
      expect(await names('popular=0')).toEqual(['Desk'])
      expect(await names('filter[popular]=1&least=4')).toEqual(['a, b'])
      expect(await names('least=4.5&sort=id')).toEqual(['Desk', 'a, b'])
      expect(await names('kinds=cheap')).toEqual(['Lamp'])
      expect(await names('kinds=new,cheap&sort=id')).toEqual(['Lamp', 'Chair', 'a, b'])
      expect(await names('kinds[]=cheap&kinds[]=a, b&sort=id')).toEqual(['Lamp', 'a, b'])
      expect(await names('reviewed_by=Zoe&popular=true')).toEqual(['a, b'])
    })

    it('a filter is named in filters, and all of them hold', async () => {
      expect(await names(`sort=id&${filtersOf(['ready', true])}`)).toEqual(['Lamp', 'Desk'])
      expect(await names(filtersOf(['since', '2026-02-04']))).toEqual(['Desk'])
      expect(await names(filtersOf(['ready', true], ['kind', 'cheap']))).toEqual(['Lamp'])
      expect(await names(filtersOf(['ready', true], ['ready', false]))).toEqual([])
      expect(await names(`popular=true&${filtersOf(['costs', 5])}`)).toEqual(['a, b'])
      expect(await names(`sort=-id&${filtersOf(['maker', 'Ann'])}`)).toHaveLength(4)
      expect(await names(filtersOf(['maker', 'Bob']))).toEqual([])
      expect(await names(filtersOf(['kinds', ['new', 'new']]))).toHaveLength(4)
      expect(await names('filters=')).toHaveLength(4)
      expect(await names(encoded([]))).toHaveLength(4)
    })

    it('both base64 alphabets are read, padded or not', async () => {
      const json = JSON.stringify([{ key: 'maker', value: '¿>>?~~ÿÿ' }])
      for (const text of [
        Buffer.from(json).toString('base64'),
        Buffer.from(json).toString('base64url'),
        Buffer.from(json).toString('base64').replaceAll('=', ''),
      ]) {
        expect(await names(`filters=${text}`)).toEqual([])
      }
    })

    it('a sorter is a key of sort, up and down, with others', async () => {
      expect(await names('sort=-popularity,id')).toEqual(['Lamp', 'a, b', 'Desk', 'Chair'])
      expect(await names('sort=popularity')).toEqual(['Chair', 'Desk', 'a, b', 'Lamp'])
      expect(await names('sort=margin')).toEqual(['Lamp', 'a, b', 'Desk', 'Chair'])
      expect(await names('sort=-margin')).toEqual(['Desk', 'a, b', 'Lamp', 'Chair'])
    })

    it('cursors walk by a sorter, as by a column', async () => {
      for (const sort of ['popularity', '-popularity', 'margin', '-margin,name']) {
        const whole = await names(`sort=${sort}&popular=true`)
        const walked: string[] = []
        for (let cursor: string | null = ''; cursor !== null;) {
          const query = `sort=${sort}&popular=true&perPage=1&cursor=${encodeURIComponent(cursor)}`
          const { status, body } = await project.get(`/api/svc/products?${query}`, ann)
          expect(status, body.message).toBe(200)
          walked.push(...body.data.map((each: { attributes: Product }) => each.attributes.name))
          cursor = body.meta.next_cursor
        }
        expect(walked).toEqual(whole)
      }
    })

    it('a cursor of one value is none of another', async () => {
      const query = `perPage=1&cursor=&${filtersOf(['ready', true])}`
      const first = await project.get(`/api/svc/products?${query}`, ann)
      const cursor = encodeURIComponent(first.body.meta.next_cursor)
      expect(await refusal(`cursor=${cursor}&${filtersOf(['ready', false])}`)).toContain(
        'no cursor',
      )
    })

    it('lists below a record, and included ones, take them', async () => {
      const [{ id }] = (await list('reviewed_by=Zoe&sort=id')).body.data
      const below = await project.get(
        `/api/svc/products/${id}/reviews?${filtersOf(['good', true])}`,
        ann,
      )
      expect(below.body.meta.total).toBe(1)
      const asked = filtersOf(['good', true]).replace('filters', 'include[reviews][filters]')
      const { body } = await list(`sort=id&${asked}`)
      const counts = body.data.map(
        (each: { relationships: { reviews: object[] } }) => each.relationships.reviews.length,
      )
      expect(counts).toEqual([0, 0, 1, 0])
    })

    it('GraphQL takes them typed', async () => {
      const ask = async (given: string) => {
        const { data, errors } = await graphql(
          `{ productList(${given}) { name } productListTotal(${given.replace(/,? *sort: .*/, '')}) }`,
        )
        expect(errors).toBeUndefined()
        expect(data.productListTotal).toBe(data.productList.length)
        return data.productList.map((each: Product) => each.name)
      }
      expect(await ask('match: { popular: true }, sort: ["-popularity"]')).toEqual(['Lamp', 'a, b'])
      expect(await ask('filters: { ready: true, kind: "cheap" }')).toEqual(['Lamp'])
      expect(await ask('match: { kinds: ["cheap", "a, b"] }, sort: ["id"]')).toEqual([
        'Lamp',
        'a, b',
      ])
      expect(await ask('filters: { kinds: ["new"], costs: 9 }')).toEqual(['Desk'])
      const { errors } = await graphql('{ productList(filters: { costs: -1 }) { name } }')
      expect(errors[0].message).toBe('Nothing costs less than nothing.')
    })

    it('a list with them takes as many statements as one without', async () => {
      const count = async (query: string) => (await list(query)).statements.length
      const asked = `popular=true&reviewed_by=Zoe&sort=popularity&${filtersOf(['loved', true])}`
      expect(await count(asked)).toBe(await count('status=open'))
    })

    it('what the answer throws is the answer', async () => {
      expect(await refusal(filtersOf(['costs', -1]))).toBe('Nothing costs less than nothing.')
    })
  })
}

function searchBodies(name: DatabaseName): void {
  describe('in the body of a search', () => {
    const search = (body: object, as = ann) =>
      project.post('/api/svc/products/search', { sort: 'id', ...body }, as)
    const found = async (body: object) => {
      const { status, body: answer } = await search(body)
      expect(status, `${JSON.stringify(body)} ${answer.message}`).toBe(200)
      return answer.data.map((each: { attributes: Product }) => each.attributes.name)
    }
    const wrong = async (body: object, as = ann) => {
      const { status, body: answer } = await search(body, as)
      expect(status, JSON.stringify(body)).toBe(400)
      return String(answer.message)
    }
    const base64 = (said: unknown) => Buffer.from(JSON.stringify(said)).toString('base64')
    beforeEach(async () => {
      await insert({ name: 'Lamp', likes: 20, cost: 3, ready_at: '2026-02-03T10:00:00.000Z' })
      await insert({ name: 'Desk', likes: 5, cost: 9, ready_at: '2026-03-01T00:00:00.000Z' })
      await insert({ name: 'a, b', likes: 10, cost: 5 })
    })

    it('filters are JSON, or its base64 as in an address', async () => {
      const ready = { key: 'ready', value: true }
      const cheap = { key: 'kind', value: 'cheap' }
      expect(await found({ filters: [ready] })).toEqual(['Lamp', 'Desk'])
      expect(await found({ filters: [ready, cheap] })).toEqual(['Lamp'])
      expect(await found({ filters: ready })).toEqual(['Lamp', 'Desk'])
      expect(await found({ filters: base64([ready]) })).toEqual(['Lamp', 'Desk'])
      expect(await found({ filters: [base64([ready])] })).toEqual(['Lamp', 'Desk'])
      expect(await found({ filters: [{ key: 'kinds', value: ['new'] }] })).toHaveLength(3)
      expect(await found({ filters: [ready], where: { popular: true } })).toEqual(['Lamp'])
      for (const nothing of [[], null, ''])
        expect(await found({ filters: nothing })).toHaveLength(3)
    })

    it('what is no list of filters is 400, and says what one is', async () => {
      const list =
        'The filters parameter must be a list [{ "key": "…", "value": … }], or base64 of one.'
      for (const said of [
        ...[
          {},
          { ready: true },
          [5],
          [null],
          [[]],
          [{}],
          [{ key: 'ready' }],
          ['x', { key: 'x', value: 1 }],
        ],
        ...[{ key: 'ready', value: true, more: 1 }, [{ key: 5, value: true }]],
      ]) {
        expect(await wrong({ filters: said })).toBe(list)
      }
      expect(await wrong({ filters: 5 })).toContain('base64')
      expect(await wrong({ filters: true })).toContain('base64')
      expect(await wrong({ filters: 'a*b' })).toContain('base64')
      expect(await wrong({ filters: [{ key: 'raedy', value: true }] })).toContain("'ready' is one")
      expect(await wrong({ filters: [{ key: 'ready', value: 'true' }] })).toBe(
        "The filters parameter is wrong: the value of 'ready' must be true or false.",
      )
      const many = Array.from({ length: 21 }, () => ({ key: 'ready', value: true }))
      expect(await wrong({ filters: many })).toContain('at most 20 filters')
      const long = { key: 'maker', value: 'é'.repeat(7_000) }
      expect(await wrong({ filters: long })).toContain('more than 12000 bytes')
      expect(await wrong({ filters: [base64([]), base64([])] })).toContain('more than once')
      const inside = "parameter is not known: 'filters' is, which is base64 of"
      expect(await wrong({ 'filters[ready]': true })).toContain(`filters[ready] ${inside}`)
      const included = { reviews: { filters: { key: 'good', value: true } } }
      expect(await wrong({ include: included })).toContain(`filters[key] ${inside}`)
    })

    it('takes what the document says of it', async () => {
      const { contract } = await partsOf(project.folder)
      const text = readFileSync(join(project.folder, 'app/OpenApi/openapi.json'), 'utf8')
      const { properties } = JSON.parse(text).components.schemas['Product.search']
      const names = ['filters', 'filter', 'where', 'popular', 'kinds', 'reviewed_by', 'least']
      for (const key of names) {
        await fc.assert(
          fc.asyncProperty(contract.valueOf(properties[key]), async (value) => {
            const { status, body } = await search({ [key]: value })
            const about = `${body.message} ${JSON.stringify([key, value])}`
            const isKnown =
              /at most 15|less than nothing|say what to test|empty object|deeper|at most 50|a record can have|so many digits/
            if (status !== 200) expect(about).toMatch(isKnown)
          }),
          { numRuns: runsOn(name, 12) },
        )
      }
    })

    it('a tree knows matchers, and not filters', async () => {
      const message = await wrong({ where: { filters: 'x' } })
      expect(message).toMatch(
        /^The where\.filters parameter is not known\. There are status, popular/,
      )
      expect(message.replace('where.filters', '')).not.toContain('filters')
      expect(await wrong({ where: { populer: true } })).toContain("'popular' is")
    })

    it('a matcher takes a list, also below filter', async () => {
      expect(await found({ kinds: ['cheap', 'a, b'] })).toEqual(['Lamp', 'a, b'])
      expect(await found({ filter: { kinds: ['cheap', 'a, b'], popular: true } })).toEqual([
        'Lamp',
        'a, b',
      ])
      expect(await found({ where: { any: [{ kinds: ['a, b'] }, { popular: false }] } })).toEqual([
        'Desk',
        'a, b',
      ])
    })
  })
}

function whatIsHidden(): void {
  it('a closed gate makes each of them unknown', async () => {
    await insert({ name: 'Mine', cost: 1 }, bob)
    const same = async (one: string, other: string, from: string) => {
      const to = from === 'margin' ? 'nargin' : 'kindz'
      const [closed, none] = [await list(one, bob), await list(other, bob)]
      expect(closed.status).toBe(400)
      expect(JSON.stringify(closed.body).replaceAll(from, to)).toBe(JSON.stringify(none.body))
      expect(JSON.stringify(none.body)).not.toContain(from)
    }
    await same('kinds=new', 'kindz=new', 'kinds')
    await same('kinds=wrong', 'kindz=wrong', 'kinds')
    await same(filtersOf(['kinds', ['new']]), filtersOf(['kindz', ['new']]), 'kinds')
    await same('sort=margin', 'sort=nargin', 'margin')
  })

  it('a column that the user may not see is unknown to what is answered', async () => {
    const own = (row: Partial<Product>) => insert(row, cy)
    await own({ name: 'Cheap', cost: 1 })
    await own({ name: 'Dear', cost: 100 })
    expect(await names('kinds=cheap', cy)).toEqual([])
    expect(await names('least=0', cy)).toEqual([])
    expect(await names(filtersOf(['costs', 100]), cy)).toEqual([])
    expect(await refusal('sort=margin', cy)).toContain("no 'margin' to sort products by")
  })

  it('a related record that the user may not see is not there for what is answered', async () => {
    const ghost = await project.user('Ghost')
    await insert({ name: 'Theirs' }, ghost)
    expect(await names('sort=id', ghost)).toEqual(['Theirs'])
    expect(await names(filtersOf(['maker', 'Ghost']), ghost)).toEqual([])
    await insert({ name: 'Bob’s' }, bob)
    expect(await names(filtersOf(['maker', 'Bob']), bob)).toEqual(['Bob’s'])
  })

  it('data that differs in what is hidden gives equal answers', async () => {
    const questions = [
      ...['kinds=cheap', 'kinds=new,cheap&sort=id', 'least=3', 'reviewed_by=Max', 'sort=margin'],
      ...['sort=-popularity', filtersOf(['loved', true]), filtersOf(['loved', false])],
      ...[filtersOf(['costs', 5]), filtersOf(['kind', 'cheap']), 'popular=true&cursor='],
      ...['withTotal=true&cursor=&reviewed_by=Max', 'reviewed_by=Zoe'],
    ]
    const answers = async () => {
      const rest = questions.map(async (query) => {
        const { status, body } = await list(query, cy)
        return JSON.stringify([query, status, body])
      })
      const graph = ['filters: { loved: true }', 'filters: { costs: 5 }', 'match: { least: 3 }']
      const typed = graph.map(async (given) =>
        JSON.stringify(await graphql(`{ productList(${given}) { id name } }`, cy)),
      )
      return Promise.all([...rest, ...typed])
    }
    const seen = await insert({ name: 'Seen', likes: 12, cost: 1 }, cy)
    await insert({ name: 'Other', likes: 1, reviews: [{ stars: 5, author: 'Zoe' }] }, cy)
    const before = await answers()
    await insert(
      { name: 'Hidden', likes: 50, cost: 5, reviews: [{ stars: 5, author: 'Zoe' }] },
      ann,
    )
    await project.database.query(
      { sql: `update products set cost = 5 where id = ${seen}`, access: 'write' },
      [],
    )
    // A review of three stars is hidden.
    await project.insert('reviews', { stars: 3, author: 'Max', product_id: seen })
    expect(await answers()).toEqual(before)
  })
}

it('where nothing is strict, filters that are none are 400, too', async () => {
  process.env['APP_KEY'] = 'k'.repeat(40)
  const project = await openProject('features/custom-filters', 'sqlite')
  const ann = await project.user('Ann')
  const statusOf = async (body: object) =>
    (await project.post('/api/svc/products/search', body, ann)).status
  for (const body of [
    ...[{ filters: {} }, { filters: { ready: true } }, { filters: [{ ready: true }] }],
    ...[{ 'filters[ready]': true }, { filters: 'x' }],
    { include: { reviews: { filters: { key: 'good', value: true } } } },
  ]) {
    expect([body, await statusOf(body)]).toEqual([body, 400])
  }
  expect(await statusOf({ filters: [{ key: 'ready', value: true }], filtres: 1 })).toBe(200)
  const { status } = await project.get('/api/svc/products?filters[ready]=true', ann)
  expect(status).toBe(400)
  await project.close()
})

const idsOf = (rows: readonly { id: string }[] | undefined) => rows?.map(({ id }) => id)
