/** `reads: ['operators']`: columns of `match` are compared, `price[gte]=5`, in the words of a policy's conditions. */
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
import { comparisons, holds, product, sent, where, type Product } from './model.js'

/** Users see their own products; and Cy no serial numbers. */
const edits = {
  'app/Policies/ProductPolicy.ts': (text: string) =>
    text.replace(
      /(ProductPolicy.*= \{\n)/,
      "$1  canSee: { serial: (user) => user?.name !== 'Cy' },\n",
    ),
  'app/Policies/ReviewPolicy.ts': (text: string) =>
    text.replace(/show: .*/, 'show: (user) => user !== null && { stars: { not: 3 } },'),
}

const strict: Edits = {
  'config/svc.ts': (text) => text.replace('strict_queries: false', 'strict_queries: true'),
}

async function opened(name: DatabaseName, config: Edits = {}): Promise<Project> {
  const folder = await emitFixture('features/operators', name, config)
  for (const [path, edit] of Object.entries(edits)) {
    const file = join(folder, path)
    writeFileSync(file, edit(readFileSync(file, 'utf8')))
  }
  return openFolder(folder, name)
}

let project: Project
let ann: number
let cy: number

const insert = (row: Partial<Product> & { page?: string; owner_id?: number }) => {
  const { made_on: day = null } = row
  const made_on = day === null ? null : `${day}T00:00:00.000Z`
  return project.insert('products', { name: 'Lamp', owner_id: ann, ...row, made_on })
}
const list = (query: string, as = ann) =>
  project.get(`/api/svc/products?sort=id&perPage=1000&${query}`, as)
const names = async (query: string) => {
  const { status, body } = await list(query)
  expect(status, `${query} ${JSON.stringify(body.message)}`).toBe(200)
  return body.data.map((each: { attributes: Product }) => each.attributes.name)
}
const refusal = async (query: string) => {
  const { status, body } = await list(query)
  expect(status, query).toBe(400)
  return String(body.message)
}
const graphql = async (query: string, variables: object = {}, as = ann) =>
  (await project.post('/graphql', { query, variables }, as)).body

const hostileParts = [
  'price',
  'name',
  'stock',
  'status',
  'code',
  'due_at',
  'is_live',
  'size',
  'page',
  '__proto__',
]
const hostileWords = [
  'gte',
  'in',
  'isNull',
  'contains',
  '__proto__',
  'constructor',
  '',
  'gte][x',
  '[',
  ']',
  '0',
  'a'.repeat(5000),
]
const hostileForms = [
  (column: string, word: string) => `${column}[${word}]`,
  (column: string, word: string) => `filter[${column}][${word}]`,
  (column: string, word: string) => `${column}[${word}][]`,
  (column: string, word: string) => `-${column}[${word}`,
  (column: string, word: string) => `filter[[${column}[${word}]]`,
  (column: string, word: string) => `[${word}]${column}`,
]
const hostileTexts = [
  '',
  '1',
  'null',
  '\0',
  ',',
  ',,,',
  '%',
  '{"a":1}',
  '1e999',
  '9'.repeat(400),
  'true',
]
const hostile = fc
  .tuple(
    fc.constantFrom(...hostileForms),
    fc.constantFrom(...hostileParts),
    fc.constantFrom(...hostileWords),
    fc.constantFrom(...hostileTexts),
  )
  .map(
    ([form, column, word, text]) =>
      `${encodeURIComponent(form(column, word))}=${encodeURIComponent(text)}`,
  )

describe.each(databases)('comparisons on %s', (name) => {
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
    const questions = fc.array(fc.tuple(comparisons, fc.boolean()), { minLength: 4, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(worlds, questions, async (rows, asked) => {
        await project.database.query({ sql: 'delete from products', access: 'write' }, [])
        const stored: (readonly [id: string, row: Product])[] = []
        for (const row of rows) stored.push([String(await insert(row)), row])
        for (const [all, isFilter] of asked) {
          const found = stored
            .filter(([, row]) => all.every((each) => holds(row, each)))
            .map(([id]) => id)
          const { status, body } = await list(all.map((each) => sent(each, isFilter)).join('&'))
          expect([all, status, idsOf(body.data)]).toEqual([all, 200, found])
          const { data, errors } = await graphql(query, { where: where(all) })
          expect([all, errors, idsOf(data?.productList)]).toEqual([all, undefined, found])
          expect(data.productListTotal).toBe(found.length)
        }
      }),
      { numRuns: runsOn(name, 25) },
    )
  })

  describe('what a user may not see', () => {
    const asked = [
      ...[
        'serial[gte]=5',
        'serial[equals]=7',
        'serial[isNull]=true',
        'serial[get]=5',
        'serial[in]=',
      ],
      ...['filter[serial][gte]=x', '-serial[gte]=5', 'serial[gte]=5&serial[gte]=5', 'price[gte]=1'],
      ...[
        'stock[isNull]=false&sort=-price',
        'price[lt]=x',
        'name[contains]=hidden',
        'serail[gte]=5',
      ],
    ]

    it('is as unknown as a column that is not there', async () => {
      for (const query of asked.filter((each) => each.includes('serial'))) {
        const { status, body } = await list(query, cy)
        const other = await list(query.replaceAll('serial', 'terial'), cy)
        expect([query, status]).toEqual([query, 400])
        const said = JSON.stringify(body).replaceAll('serial', 'terial')
        expect(said).toBe(JSON.stringify(other.body))
        expect(said).not.toContain('compared')
      }
      const { errors } = await graphql(
        '{ productList(where: { serial: { gte: "5" } }) { id } }',
        {},
        cy,
      )
      expect(errors[0].message).toBe((await list('serial=5', cy)).body.message)
    })

    it('changes no answer', async () => {
      const answers = async () => {
        const all = asked.map(async (query) => {
          const { status, body } = await list(query, cy)
          return JSON.stringify([query, status, body])
        })
        const wheres = ['price: { gte: 1 }', 'name: { contains: "hidden" }', 'serial: { gt: "0" }']
        const graph = wheres.map(async (each) =>
          JSON.stringify(await graphql(`{ productList(where: { ${each} }) { id name } }`, {}, cy)),
        )
        return Promise.all([...all, ...graph])
      }
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
    const index = contract.operations.find(({ id }) => id === 'indexProducts')
    if (index === undefined) throw new Error('The document has no list of products.')
    const asked = index.parameters.filter(({ style }) => style === 'deepObject')
    // One for each column; of what is called as a parameter is, one for each comparison.
    expect(asked.map((each) => each.name)).toContain('filter[price]')
    expect(index.parameters.map((each) => each.name)).toContain('filter[page][gte]')
    await fc.assert(
      fc.asyncProperty(right({ ...index, parameters: asked }), async ({ query }) => {
        const { status, body } = await project.get(`/api/svc/products${query}`, ann)
        // A pattern does not say which integers have 64 bits; and the contract leaves commas out.
        const isInexact = /serial|sold/.test(query)
        const allowed = isInexact ? [200, 400] : [200]
        expect(allowed, `${query} ${body.message}`).toContain(status)
      }),
      { numRuns: runsOn(name, 100) },
    )
  })

  it('GraphQL counts what no index serves, and takes no number that lost digits', async () => {
    const said = async (where: string, times = 1) => {
      const list = `productList(first: 1, where: { ${where} }) { id }`
      const lists = Array.from({ length: times }, (_, at) => `a${at}: ${list}`)
      const { errors } = await graphql(`{ ${lists.join(' ')} }`)
      return String(errors?.[0]?.message)
    }
    expect(await said('price: { gte: 5 }', 10)).toBe('undefined')
    expect(await said('name: { contains: "a" }', 10)).toContain('The query costs 10110')
    const asked = async (field: string, times: number) => {
      const fields = Array.from({ length: times }, (_, at) => `a${at}: ${field}`)
      return String((await graphql(`{ ${fields.join(' ')} }`)).errors?.[0]?.message)
    }
    const part = 'where: { name: { contains: "a" } }'
    // A total of all goes through an index, and one of a part through the table: as the list does.
    expect(await asked('productListTotal(where: { price: { gte: 5 } })', 10)).toBe('undefined')
    expect(await asked(`productListTotal(${part})`, 10)).toContain('The query costs 11100')
    expect(await said('price: { gte: 1.005 }')).toContain('price[gte] parameter must be a number')
    expect(await said('price: { gte: null }')).toContain('price[gte] parameter must be a value')
  })

  it('no parameter that somebody makes up is a failure of the server', async () => {
    await insert({ name: 'Lamp', price: '1.00', stock: 1 })
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 3 }), async (all) => {
        const { status } = await list(all.join('&'))
        expect([200, 400]).toContain(status)
      }),
      { numRuns: runsOn(name, 150) },
    )
    const many = Array.from({ length: 10_000 }, (_, at) => `price[gte]=${at}`).join('&')
    expect((await list(many)).status).toBe(400)
    const strangers = Array.from({ length: 10_000 }, (_, at) => `price[x${at}]=1`).join('&')
    expect((await list(strangers)).status).toBe(400)
    expect((await list('filter[price][gte][x]=1')).status).toBe(400)
  })
})

function fourProducts(): void {
  describe('of four products', () => {
    beforeEach(async () => {
      await insert({ name: 'Lamp', price: '5.00', status: 'open', stock: 1 })
      await insert({ name: 'lamp shade', price: '9.99', status: 'gone', stock: 2 })
      await insert({ name: 'Chair', price: '10.00', status: 'sold, paid', stock: 3 })
      await insert({ name: 'Label', price: null, status: null, stock: null })
    })

    it('each finds what passes it', async () => {
      expect(await names('price[gte]=5&price[lt]=10')).toEqual(['Lamp', 'lamp shade'])
      expect(await names('name[startsWith]=La')).toEqual(['Lamp', 'Label'])
      expect(await names('name[contains]=amp')).toEqual(['Lamp', 'lamp shade'])
      expect(await names('name[endsWith]=r')).toEqual(['Chair'])
      expect(await names('name[equals]=Lamp')).toEqual(['Lamp'])
      expect(await names('status[in]=open,gone')).toEqual(['Lamp', 'lamp shade'])
      expect(await names('status[in]=sold,%20paid')).toEqual(['Chair'])
      expect(await names('price[isNull]=true')).toEqual(['Label'])
      expect(await names('price[isNull]=0')).toEqual(['Lamp', 'lamp shade', 'Chair'])
      expect(await names('price[gt]=5.00')).toEqual(['lamp shade', 'Chair'])
      expect(await names('price[lte]=5')).toEqual(['Lamp'])
    })

    it('what has no value is left out where something is excluded', async () => {
      expect(await names('status[not]=open')).toEqual(['lamp shade', 'Chair'])
      expect(await names('status[notIn]=open,gone')).toEqual(['Chair'])
      expect(await names('price[not]=5')).toEqual(['lamp shade', 'Chair'])
    })

    it('the text null is a value of a column that holds texts, and of no other', async () => {
      await insert({ name: 'null', price: null })
      expect(await names('name[equals]=null')).toEqual(['null'])
      expect(await names('name[in]=null,Lamp')).toEqual(['Lamp', 'null'])
      expect(await names('name[not]=null&price[gte]=9.99')).toEqual(['lamp shade', 'Chair'])
      expect(await names('price=null')).toContain('null')
      for (const column of ['price', 'stock', 'code', 'status', 'due_at', 'is_live']) {
        expect(await refusal(`${column}[equals]=null`)).toContain('must not be null')
      }
    })

    it('they hold together with the plain filters, of the same column too', async () => {
      expect(await names('price=5,10&price[gt]=5')).toEqual(['lamp shade', 'Chair'])
      expect(await names('name=lamp&name[not]=Lamp')).toEqual(['lamp shade'])
      expect(await names('-status=gone&status[isNull]=false')).toEqual(['Lamp', 'Chair'])
      expect(await names('filter[price][gte]=9.99&filter[name]=shade')).toEqual(['lamp shade'])
    })

    it('pages count what they find, and links keep them', async () => {
      const { body } = await project.get('/api/svc/products?stock[gte]=1&perPage=1&sort=id', ann)
      expect(body.meta).toMatchObject({ total: 3, last_page: 3 })
      const { body: next } = await project.get(body.links.next, ann)
      expect(next.data[0].attributes.name).toBe('lamp shade')
    })

    it('a list with them takes as many statements as one without', async () => {
      const count = async (query: string) => (await list(query)).statements.length
      expect(await count('price[gte]=5&stock[in]=1,2')).toBe(await count('stock=1'))
    })

    it('a wrong value is 400, with the column and the comparison', async () => {
      expect(await refusal('price[gte]=x')).toBe(
        'The price[gte] parameter must be a number with at most 8 digits before and 2 after the point.',
      )
      expect(await refusal('price[gte]=1.005')).toContain('price[gte]')
      expect(await refusal('price[gte]=')).toContain('price[gte]')
      expect(await refusal('stock[lt]=2147483648')).toBe(
        'The stock[lt] parameter must be an integer.',
      )
      expect(await refusal('status[in]=open,shut')).toBe(
        'The status[in] parameter must be one of open, sold, paid, gone.',
      )
      expect(await refusal('due_at[lt]=2026-02-30')).toContain(
        'due_at[lt] parameter must be a date',
      )
      expect(await refusal('price[isNull]=maybe')).toBe(
        'The price[isNull] parameter must be true or false.',
      )
      expect(await refusal('code[not]=7')).toContain('The code[not] parameter must be ')
      expect(await refusal(`name[contains]=${'x'.repeat(201)}`)).toBe(
        'The name[contains] parameter must not be longer than 200 characters.',
      )
    })

    it('one comparison twice, an empty list and NULL as a value are 400', async () => {
      expect(await refusal('price[gte]=5&price[gte]=5')).toBe(
        'The price[gte] parameter must not be sent more than once.',
      )
      expect(await refusal('price[gte]=5&filter[price][gte]=6')).toBe(
        'The price[gte] parameter must not be sent more than once.',
      )
      expect(await refusal('stock[in]=')).toBe(
        'The stock[in] parameter must have one value or more, with commas between them.',
      )
      expect(await refusal('name[notIn]=')).toContain('one value or more')
      expect(await refusal('stock[not]=null')).toBe(
        'The stock[not] parameter must not be null: stock[isNull]=true finds what has no value.',
      )
      expect(await refusal(`stock[in]=${'1,'.repeat(1000)}1`)).toBe(
        'The stock[in] parameter must have at most 1000 values.',
      )
    })

    it('an unknown comparison is 400 with the one that was meant', async () => {
      expect(await refusal('price[get]=5')).toBe(
        "The price[get] parameter is not known: 'price[gte]' is. price can be compared with equals, not, in, notIn, lt, lte, gt, gte, isNull.",
      )
      expect(await refusal('pirce[gte]=5')).toContain("'price[gte]' is")
      expect(await refusal('is_live[gt]=true')).toContain('equals, not, isNull')
      expect(await refusal('status[startsWith]=o')).toContain('equals, not, in, notIn, isNull')
      expect(await refusal('-price[gte]=5')).toBe(
        'The -price[gte] parameter must not begin with a minus: the opposite of gte is lt.',
      )
    })

    it('of a column that is called as a parameter is, filter[…] alone speaks', async () => {
      await insert({ name: 'Paged', page: 'x' })
      expect(await names('filter[page][startsWith]=x')).toEqual(['Paged'])
      expect(await refusal('page[startsWith]=x')).toContain('is not known')
    })

    it('a repository that does not have them takes none', async () => {
      const { status, body } = await project.get('/api/svc/users?name[gte]=A', ann)
      expect(status).toBe(400)
      expect(body.message).toContain('is not known')
    })

    it('a list below a record takes them, in both surfaces', async () => {
      const product_id = await insert({ name: 'Desk' })
      for (const stars of [1, 3, 4, 5]) await project.insert('reviews', { stars, product_id })
      const { body } = await project.get(
        `/api/svc/products/${product_id}/reviews?stars[gte]=3`,
        ann,
      )
      expect(body).toMatchObject({ meta: { total: 2 } })
      const query =
        'query($where: ReviewWhere) { product(id: 1) { reviews_total(where: $where) reviews(where: $where, sort: ["stars"]) { stars } } }'
      const { data, errors } = await graphql(query.replace('1', String(product_id)), {
        where: { stars: { gte: 3 } },
      })
      expect(errors).toBeUndefined()
      expect(data.product).toEqual({ reviews_total: 2, reviews: [{ stars: 4 }, { stars: 5 }] })
    })
  })
}

it('where queries are not strict, an unknown column is ignored, and a known one is not', async () => {
  const project = await opened('sqlite')
  const ann = await project.user('Ann')
  await project.insert('products', { name: 'Lamp', owner_id: ann })
  const statusOf = async (query: string) => {
    const { status, body } = await project.get(`/api/svc/products?${query}`, ann)
    return status === 200 ? body.meta.total : status
  }
  expect(await statusOf('qqqqqq[gte]=5&size[gte]=5')).toBe(1)
  expect(await statusOf('page[startsWith]=5')).toBe(1)
  expect(await statusOf('price[get]=5')).toBe(400)
  expect(await statusOf('price[]=5')).toBe(400)
  await project.close()
})

const idsOf = (records: readonly { readonly id: string }[] | undefined) =>
  records?.map(({ id }) => id)
