/** `aggregate: { groupBy, of }`: `GET /orders/aggregate?groupBy=status&select=count,sum(total)`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertAll } from '../../support/insert-all.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, openProject, type Project } from '../../support/project.js'

const isAdmin = '(user) => user?.is_admin === true'

const manifest = {
  manifest: 'tests/features/aggregates/manifests/http.ts',
  policies: {
    Order: {
      show: `(user) => user?.is_admin === true || { note: { not: 'hidden' } },\n  canSee: { secret: ${isAdmin} }`,
      restore: isAdmin,
    },
    Sealed: { show: '() => false as boolean' },
  },
  files: {
    'app/Policies/CategoryPolicy.ts': `import { self, sql } from '#runtime/policy/condition.js'
export const CategoryPolicy = {
  show: (user) => user?.is_admin === true || sql\`\${self('name')} <> \${'hidden'}\`,
  canSee: { code: ${isAdmin} },
}
`,
  },
}

const api = '/api/svc'
const parts = ['orders', 'parcels', 'categories']

let project: Project
let ann: number
let root: number

const ask = (query: string, as = ann) => project.get(`${api}/orders/aggregate?${query}`, as)
const data = async (query: string, as = ann) => {
  const { status, body } = await ask(query, as)
  expect([query, status, body.message]).toEqual([query, 200, undefined])
  return body.data
}
/** Returns the groups of one key, with one value of each. */
const pairs = async (query: string, as = ann) =>
  (await data(query, as)).map((each: { group: object; count: number }) => [
    ...Object.values(each.group),
    each.count,
  ])
const message = async (query: string, as = ann) => {
  const { status, body } = await ask(query, as)
  expect([query, status]).toEqual([query, 400])
  return body.message
}

const blank = {
  status: null,
  is_gift: null,
  due_on: null,
  paid_at: null,
  total: null,
  quantity: null,
  bytes: null,
  weight: null,
  secret: null,
  fine: null,
  note: 'n',
  deleted_at: null,
  category_id: null,
  user_id: null,
}
// prettier-ignore

async function fill(orders: readonly object[], categories: readonly object[] = []) {
    for (const table of parts.toReversed()) {
      await project.database.query({ sql: `delete from "${table}"`, access: 'write' }, [])
    }
    await insertAll(
      project,
      'categories',
      categories.map((row) => ({ code: null, ...row })),
    )
    await insertAll(
      project,
      'orders',
      orders.map((row, at) => ({ id: at + 1, ...blank, ...row })),
    )
  }

describe.each(databases)('aggregates, on %s', (name) => {
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    root = await project.user('Root', { is_admin: true })
  })
  afterAll(() => project.close())
  countsGroups()
  sumsAndTruncatesDates()
  hidesWhatTheUserMayNotSee()
  sortsAndPagesGroups()
  answersGraphqlAlike()
})

function countsGroups(): void {
  it('are of each group, and of all where there is none', async () => {
    await fill([
      { status: 'paid', total: '0.10' },
      { status: 'paid', total: '0.20' },
      { status: 'open', total: null },
      { total: '99999999.99' },
    ])
    const query = 'groupBy=status&select=count,sum(total),avg(total),min(total),max(total)'
    const { body } = await ask(query)
    const of = (total: string | null, avg = total, min = total, max = total) => ({
      ...{ sum: { total }, avg: { total: avg }, min: { total: min }, max: { total: max } },
    })
    expect(body.data).toEqual([
      { group: { status: 'open' }, count: 1, ...of(null) },
      { group: { status: 'paid' }, count: 2, ...of('0.30', '0.15', '0.10', '0.20') },
      { group: { status: null }, count: 1, ...of('99999999.99') },
    ])
    expect(body.meta).toMatchObject({ current_page: 1, last_page: 1, total: 3, per_page: 15 })
    expect(body.links.next).toBeNull()
    expect(await data('')).toEqual([{ group: {}, count: 4 }])
    expect(await data('select=sum(total),countDistinct(status)')).toEqual([
      { group: {}, sum: { total: '100000000.29' }, countDistinct: { status: 2 } },
    ])
  })

  it('of no records are a count of 0, and null; of records that nobody sees too', async () => {
    await fill([])
    const query = 'select=count,sum(total),avg(bytes),min(due_on),countDistinct(note)'
    const nothing = {
      ...{ group: {}, count: 0, sum: { total: null }, avg: { bytes: null } },
      ...{ min: { due_on: null }, countDistinct: { note: 0 } },
    }
    expect(await data(query)).toEqual([nothing])
    expect(await data(`${query}&groupBy=status`)).toEqual([])
    const sealed = await project.get(`${api}/sealed/aggregate`, ann)
    expect([sealed.status, sealed.body.data]).toEqual([200, [{ group: {}, count: 0 }]])
    expect((await project.get(`${api}/orders/aggregate`)).status).toBe(401)
  })
}

function sumsAndTruncatesDates(): void {
  it('lose no digit, however large a sum is', async () => {
    const most = '9223372036854775807'
    const same = {
      quantity: 2_147_483_647,
      bytes: most,
      secret: '-9999999999999.99',
      fine: '0.999999999999999',
    }
    await fill(Array.from({ length: 3 }, () => same))
    const query = ['sum', 'avg', 'min'].flatMap((of) =>
      ['quantity', 'bytes', 'secret', 'fine'].map((column) => `${of}(${column})`),
    )
    const [{ sum, avg, min }] = await data(`select=${query.join(',')}`, root)
    expect(sum).toEqual({
      ...{ quantity: 6_442_450_941, bytes: '27670116110564327421' },
      ...{ secret: '-29999999999999.97', fine: '2.999999999999997' },
    })
    expect(avg).toEqual(same)
    expect(min).toEqual(same)
    await fill([
      { bytes: '1', secret: '0.01' },
      { bytes: '-2' },
      { bytes: null, secret: '0.01' },
      { secret: '0.00' },
    ])
    expect(await data('select=avg(bytes),avg(secret)', root)).toEqual([
      { group: {}, avg: { bytes: '-0.5', secret: '0.00666667' } },
    ])
  })

  it('a sum of floats keeps all digits that a float has', async () => {
    const weight = 0.1 + 0.2
    await fill([{ weight }])
    const all = { sum: { weight }, avg: { weight }, min: { weight }, max: { weight } }
    expect(await data('select=sum(weight),avg(weight),min(weight),max(weight)')).toEqual([
      { group: {}, ...all },
    ])
  })

  it('a sum of floats that is no number is 400', async () => {
    await fill([{ weight: 1.7e308 }, { weight: 1.7e308 }])
    expect(await message('select=sum(weight)')).toMatch(/sum of weight, which is too large/)
    expect(await data('select=max(weight)')).toEqual([{ group: {}, max: { weight: 1.7e308 } }])
  })

  it('days, weeks, months, quarters and years begin where their zone says', async () => {
    const instants = [
      '2026-03-28T22:59:59.999Z', // the last of March 28 in Rome
      '2026-03-28T23:00:00.000Z', // clocks go forward at 01:00Z on the 29th
      '2026-03-29T21:59:59.999Z', // the last of March 29, a day of 23 hours
      '2026-03-29T22:00:00.000Z',
      '2025-12-31T23:30:00.000Z',
      '0001-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ]
    await fill([...instants.map((paid_at) => ({ paid_at })), { due_on: '2026-05-31' }])
    const days = (query: string) => pairs(`groupBy=paid_at:${query}`)
    const ends = (first: string, last: string) =>
      [
        [first, 1],
        [last, 1],
        [null, 1],
      ] as const
    const within = async (query: string, first: string, last: string) => {
      const all = await days(query)
      const [start, ...rest] = all
      expect([start, ...rest.slice(-2)]).toEqual(ends(first, last))
      return rest.slice(0, -2)
    }
    expect(await within('day&tz=Europe/Rome', '0001-01-01', '9999-12-31')).toEqual([
      ['2026-01-01', 1], ['2026-03-28', 1], ['2026-03-29', 2], ['2026-03-30', 1],
    ]) // prettier-ignore
    expect(await within('day', '0001-01-01', '9999-12-31')).toEqual([
      ['2025-12-31', 1], ['2026-03-28', 2], ['2026-03-29', 2],
    ]) // prettier-ignore
    // Monday, and the year that most of the week is in matters to nobody.
    expect(await within('week&tz=Europe/Rome', '0001-01-01', '9999-12-27')).toEqual([
      ['2025-12-29', 1], ['2026-03-23', 3], ['2026-03-30', 1],
    ]) // prettier-ignore
    expect(await within('month&tz=Asia/Kolkata', '0001-01-01', '9999-12-01')).toEqual([
      ['2026-01-01', 1], ['2026-03-01', 4],
    ]) // prettier-ignore
    expect(await within('quarter&tz=America/New_York', '0001-01-01', '9999-10-01')).toEqual([
      ['2025-10-01', 1], ['2026-01-01', 4],
    ]) // prettier-ignore
    expect(await within('year', '0001-01-01', '9999-01-01')).toEqual([
      ['2025-01-01', 1], ['2026-01-01', 4],
    ]) // prettier-ignore
    for (const [period, first] of [
      ['day', '2026-05-31'],
      ['week', '2026-05-25'],
      ['quarter', '2026-04-01'],
    ]) {
      expect(await pairs(`groupBy=due_on:${period}&tz=Asia/Tokyo`)).toEqual([
        [first, 1],
        [null, 7],
      ])
    }
  })
}

function hidesWhatTheUserMayNotSee(): void {
  it('see what the index lists, and what it filters', async () => {
    await fill([
      { note: 'a lamp', status: 'open', total: '1.00' },
      { note: 'b', status: 'paid', total: '2.00' },
      { note: 'hidden', status: 'paid', total: '4.00' },
      { note: 'gone lamp', status: 'paid', total: '8.00', deleted_at: '2026-01-01T00:00:00.000Z' },
    ])
    const sums = async (query: string, as = ann) =>
      (await data(`select=sum(total)&${query}`, as))[0].sum.total
    expect(await sums('')).toBe('3.00')
    expect(await sums('', root)).toBe('7.00')
    expect(await sums('trashed=only', root)).toBe('8.00')
    expect(await sums('trashed=with', root)).toBe('15.00')
    expect((await ask('trashed=only')).status).toBe(
      (await project.get(`${api}/orders?trashed=only`, ann)).status,
    )
    expect(await sums('search=lamp')).toBe('1.00')
    expect(await sums('status=paid')).toBe('2.00')
    expect(await sums('-status=paid')).toBe('1.00')
    expect(await sums('total[gte]=2', root)).toBe('6.00')
    expect(await sums('status=sent')).toBe(null)
    // A column of that name is filtered by `filter[…]` alone.
    expect(await sums('filter[select]=x')).toBe(null)
    expect(await sums('page=1&perPage=1&unknown=1')).toBe('3.00')
  })

  it('groups by a related record as the user sees it', async () => {
    await fill(
      [{ category_id: 1 }, { category_id: 1 }, { category_id: 2 }, { category_id: null }],
      [{ id: 1, name: 'Lamps', code: 'L' }, { id: 2, name: 'hidden', code: 'H' }],
    ) // prettier-ignore
    await insertAll(project, 'parcels', [
      { id: 1, code: 'old', order_id: 1 },
      { id: 2, code: 'new', order_id: 1 },
    ])
    expect(await pairs('groupBy=category.name')).toEqual([
      ['Lamps', 2],
      [null, 2],
    ])
    expect(await pairs('groupBy=category.name', root)).toEqual([
      ['Lamps', 2],
      ['hidden', 1],
      [null, 1],
    ])
    expect(await pairs('groupBy=category.code', root)).toEqual([
      ['H', 1],
      ['L', 2],
      [null, 1],
    ])
    expect(await pairs('groupBy=first.code')).toEqual([
      ['new', 1],
      [null, 3],
    ])
    expect(await data('select=countDistinct(category.name)')).toEqual([
      { group: {}, countDistinct: { 'category.name': 1 } },
    ])
    expect(await pairs('groupBy=category.name,first.code&sort=-count')).toEqual([
      [null, null, 2], ['Lamps', 'new', 1], ['Lamps', null, 1],
    ]) // prettier-ignore
  })

  it('what a gate hides is unknown, wherever it is named', async () => {
    await fill([{ secret: '1.00' }])
    const queries = [
      'groupBy=X',
      'groupBy=X:day',
      'select=sum(X)',
      'select=min(X)',
      'select=countDistinct(X)',
      'groupBy=status&sort=X',
      'sort=-sum(X)',
    ]
    for (const query of queries) {
      // As far from what there is as the other.
      for (const [hidden, nosuch] of [
        ['secret', 'nosuch'],
        ['category.code', 'category.cide'],
      ] as const) {
        const told = await message(query.replace('X', hidden))
        expect(told.replaceAll(hidden, nosuch)).toBe(await message(query.replace('X', nosuch)))
      }
    }
    expect(await data('groupBy=secret&select=min(secret)', root)).toHaveLength(1)
    expect(await message('groupBy=statsu')).toMatch(
      /^There is no 'statsu' to group orders by. 'status' is one. They have status, /,
    )
    expect(await message('select=sum(totl)')).toBe(
      "There is no 'sum(totl)' to select of orders. 'sum(total)' is one. They have count; sum, avg, min, max, countDistinct of total, quantity, bytes, weight, fine; min, max, countDistinct of due_on, paid_at; countDistinct of note, user_id, status, is_gift, category.name, first.code.",
    )
  })

  it('data that differs in what is hidden gives the same answers, byte for byte', async () => {
    const queries = [
      'select=count,sum(total),avg(total),max(paid_at)', 'groupBy=status&select=count,sum(bytes)&sort=-sum(bytes)',
      'groupBy=category.name,paid_at:month&tz=Europe/Rome&perPage=1', 'groupBy=secret', 'select=min(secret)',
      'groupBy=total&select=countDistinct(category.name)', 'secret=1', 'sort=count', 'groupBy=first.code',
    ] // prettier-ignore
    const graphql =
      '{ orderAggregate(groupBy: ["status", "category.name"]) { group { status category_name } count sum { total } } }'
    const answers = async () => {
      const all = [
        ...(await Promise.all(queries.map((query) => ask(query)))),
        await project.post('/graphql', { query: graphql }, ann),
      ]
      return all.map(({ status, body }) => [status, JSON.stringify(body)])
    }
    const seen = [
      { status: 'open', total: '1.50', bytes: '3', category_id: 1 },
      { status: 'paid', paid_at: '2026-03-29T00:30:00.000Z' },
    ]
    const categories = [
      { id: 1, name: 'Lamps' },
      { id: 2, name: 'hidden' },
    ]
    await fill(seen, categories)
    const plain = await answers()
    const gone = '2026-01-01T00:00:00.000Z'
    await fill(
      [
        ...seen.map((row, at) => ({ ...row, secret: `${at}.00`, category_id: at + 1 })),
        ...['open', 'sent'].map((status) => ({
          status,
          note: 'hidden',
          total: '9.00',
          bytes: '9',
        })),
        { status: 'sent', total: '7.77', deleted_at: gone },
      ],
      categories.map((row) => ({ ...row, code: 'c' })),
    )
    expect(await answers()).toEqual(plain)
  })
}

function sortsAndPagesGroups(): void {
  it('are sorted and paged as lists are', async () => {
    await fill([
      ...Array.from({ length: 3 }, () => ({
        note: 'B',
        total: '10.00',
        paid_at: '2026-01-05T00:00:00.000Z',
      })),
      ...Array.from({ length: 2 }, () => ({
        note: 'a',
        total: '-9.50',
        paid_at: '2026-02-05T00:00:00.000Z',
      })),
      ...['é', '😀', '\uffee'].map((note) => ({ note, total: '2.00' })),
    ])
    const notes = async (query: string) =>
      (await pairs(`groupBy=note&select=count,sum(total)&${query}`)).map(([note]: string[]) => note)
    expect(await notes('')).toEqual(['B', 'a', 'é', '\uffee', '😀'])
    expect(await notes('sort=-note')).toEqual(['😀', '\uffee', 'é', 'a', 'B'])
    expect(await notes('sort=-count')).toEqual(['B', 'a', 'é', '\uffee', '😀'])
    expect(await notes('sort=sum(total),-note')).toEqual(['a', '😀', '\uffee', 'é', 'B'])
    expect(await notes('sort=-count&perPage=2&page=2')).toEqual(['é', '\uffee'])
    const { body } = await ask('groupBy=note&sort=-count&perPage=2&page=2')
    expect(body.meta).toMatchObject({ current_page: 2, last_page: 3, from: 3, to: 4, total: 5 })
    expect(body.links.next).toBe(
      `${api}/orders/aggregate?page=3&groupBy=note&sort=-count&perPage=2`,
    )
    expect(await pairs('groupBy=paid_at:month&sort=-paid_at')).toEqual([
      ['2026-02-01', 2],
      ['2026-01-01', 3],
      [null, 3],
    ])
    expect(await pairs('groupBy=paid_at:month&sort=-paid_at:month&page=9')).toEqual([])
    expect(await message('groupBy=note&sort=total')).toMatch(/They have note, count\.$/)
  })

  it('1,000 groups are answered, and one more is not', async () => {
    const row = (_: unknown, at: number) => ({ note: `n${at}` })
    await fill(Array.from({ length: 1_000 }, row))
    expect((await ask('groupBy=note')).body.meta.total).toBe(1_000)
    await fill(Array.from({ length: 1_001 }, row))
    const { sql = '' } = (await ask('groupBy=note')).statements.at(-1) ?? {}
    // The number of groups is bounded in the database: one more than are answered.
    expect(sql).toMatch(/ group by "g0" limit (\?|\$\d)$/)
    expect(await message('groupBy=note')).toBe(
      'There are more than 1000 groups by note: filter them, or group by less.',
    )
    expect(await data('groupBy=status')).toHaveLength(1)
  })

  it('cost one statement, however many records and groups there are', async () => {
    const counts: number[] = []
    for (const size of [0, 1, 100]) {
      await fill(Array.from({ length: size }, (_, at) => ({ note: `n${at}`, total: '1.00' })))
      const queries = [
        '',
        'groupBy=note,paid_at:week,category.name&tz=Europe/Rome&select=count,avg(total),countDistinct(note)',
      ]
      for (const query of queries) counts.push((await ask(query)).statements.length)
    }
    const plain = await project.get(`${api}/categories/999`, ann)
    expect(new Set(counts)).toEqual(new Set([plain.statements.length]))
  })
}

function answersGraphqlAlike(): void {
  it('GraphQL answers the same, and refuses the same', async () => {
    await fill(
      [{ status: 'open', total: '1.10', category_id: 1, paid_at: '2026-03-28T23:30:00.000Z' }, { status: 'open', total: '2.20', bytes: '9' }, {}],
      [{ id: 1, name: 'Lamps' }],
    ) // prettier-ignore
    const graphql = async (args: string, members: string, as = ann) =>
      (await project.post('/graphql', { query: `{ orderAggregate${args} { ${members} } }` }, as))
        .body
    const members =
      'group { status paid_at category_name } count sum { total bytes } avg { total } max { paid_at } countDistinct { category_name }'
    const args =
      '(groupBy: ["status", "paid_at:day", "category.name"], tz: "Europe/Rome", sort: ["-count"], match: { note: "n" })'
    const { data: found } = await graphql(args, members)
    const rest = await data(
      'groupBy=status,paid_at:day,category.name&tz=Europe/Rome&sort=-count&note=n&select=count,sum(total),sum(bytes),avg(total),max(paid_at),countDistinct(category.name)',
    )
    expect(found.orderAggregate).toEqual(
      JSON.parse(JSON.stringify(rest).replaceAll('category.name', 'category_name')),
    )
    expect(await graphql('', 'count')).toEqual({ data: { orderAggregate: [{ count: 3 }] } })
    expect(await graphql('', 'count sum { __typename total @skip(if: true) }')).toEqual({
      data: { orderAggregate: [{ count: 3, sum: { __typename: 'OrderAggregateSum' } }] },
    })
    expect(await graphql('(where: { total: { gt: 2 } })', 'count')).toEqual({
      data: { orderAggregate: [{ count: 1 }] },
    })
    expect(await graphql('(trashed: only)', 'count', root)).toEqual({
      data: { orderAggregate: [{ count: 0 }] },
    })
    for (const [wrong, inside] of [
      ['(groupBy: ["secret"])', 'count'],
      ['(groupBy: ["status:day"])', 'count'],
      ['(tz: "x")', 'count'],
      ['(sort: ["total"])', 'count'],
      ['(groupBy: ["constructor"])', 'count'],
      ['', 'min { secret }'],
      [`(groupBy: ["${'a'.repeat(100_000)}"])`, 'count'],
      ['(groupBy: ["\\u0000"])', 'count'],
      ['(first: -1)', 'count'],
    ] as const) {
      const { errors } = await graphql(wrong, inside)
      expect([wrong.slice(0, 40), errors?.[0]?.extensions?.code]).toEqual([
        wrong.slice(0, 40),
        'BAD_USER_INPUT',
      ])
    }
  })

  it('of a public repository need no token, by REST and by GraphQL', async () => {
    const { status, body } = await project.get(`${api}/sealed/aggregate`)
    expect([status, body.data]).toEqual([200, [{ group: {}, count: 0 }]])
    const typed = await project.post('/graphql', { query: '{ sealedAggregate { count } }' })
    expect(typed.body).toEqual({ data: { sealedAggregate: [{ count: 0 }] } })
    const closed = await project.post('/graphql', { query: '{ orderAggregate { count } }' })
    expect(closed.body.errors[0].extensions.code).toBe('UNAUTHENTICATED')
  })

  it('costs in GraphQL what reads a whole table does', async () => {
    const asked = (times: number) => {
      const fields = Array.from({ length: times }, (_, at) => `a${at}: orderAggregate { count }`)
      return project.post('/graphql', { query: `{ ${fields.join(' ')} }` }, ann)
    }
    expect((await asked(9)).body.errors).toBeUndefined()
    expect((await asked(10)).body.errors?.[0]?.message).toMatch(/10000/)
  })

  it('no text makes it fail', async () => {
    await fill([{ status: 'open' }])
    const values = ['*', '__proto__', 'constructor', "';--", 'status,status', 'status:', ':day', 'paid_at:day:day', 'paid_at:day,paid_at:month', 'sum()', 'sum(sum(total))', 'count()', 'COUNT', '(', '\0', '%', 'é'.repeat(900), 'a.b.c', 'category.', '.name', 'category.name.x', '-status', 'UTC', '+01:00', 'Europe/Rome\n', '../../etc'] // prettier-ignore
    const names = [
      ...['groupBy', 'groupBy[]', 'groupBy[x]', 'select', 'tz', 'sort'],
      ...['page', 'cursor', 'include', 'trashed'],
    ]
    const failed: unknown[] = []
    for (const parameter of names) {
      for (const value of values) {
        const { status } = await ask(
          `${encodeURIComponent(parameter)}=${encodeURIComponent(value)}`,
          root,
        )
        if (![200, 400].includes(status)) failed.push([parameter, value, status])
      }
    }
    expect(failed).toEqual([])
    expect((await ask('tz=UTC&tz=UTC')).status).toBe(400)
    expect(await message('groupBy=paid_at:day,paid_at:month')).toMatch(
      /must not name paid_at more than once/,
    )
  })
}

it('a wrong parameter is told what was probably meant, where queries are strict', async () => {
  const strict = (text: string) => text.replace('strict_queries: false', 'strict_queries: true')
  const project = await openProject('features/aggregates', 'sqlite', { 'config/svc.ts': strict })
  const ann = await project.user('Ann')
  const message = async (query: string) =>
    (await project.get(`${api}/orders/aggregate?${query}`, ann)).body.message
  expect(await message('gruopBy=status')).toMatch(
    /^The gruopBy parameter is not known: 'groupBy' is\. For a list of orders there are page, /,
  )
  expect(await message('satus=open')).toMatch(/^The satus parameter is not known: 'status' is\./)
  expect(await message('include=user')).toBe(
    'The include parameter cannot be answered: groups are no records.',
  )
  expect(await message('groupBy=status')).toBe(undefined)
  await project.close()
})
