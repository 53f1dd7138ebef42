/** Requests that take long: other requests are served meanwhile, and an answer names a hundred errors. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { speaking } from '../../../runtime/input/messages.js'
import { countTurns, inLongTurns } from '../../support/long-turns.js'
import { openManifest } from '../../support/own-manifest.js'
import { type Answer, databases, longTransactions, type Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/core/http/manifests/long-requests.ts',
  edits: longTransactions,
}

const many = <Made>(count: number, make: (at: number) => Made): Made[] =>
  Array.from({ length: count }, (_, at) => make(at))

describe.each(databases)('a request that takes long on %s', (name) => {
  let project: Project
  let ann: number
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
  })
  afterAll(() => project.close())

  const { current } = speaking
  afterEach(() => {
    speaking.current = current
  })

  /** Counts the sentences that the server writes from now on. */
  function countSentences() {
    const counted = { sentences: 0 }
    const say = () => void (counted.sentences += 1)
    speaking.current = () => ({ remember: () => {}, say })
    return counted
  }

  const send = (method: string, path: string, body: unknown): Promise<Answer> =>
    project.request(method, `/api/svc/orders${path}`, {
      as: ann,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })

  const createOrder = 'mutation ($input: OrderInput!) { createOrder(input: $input) { id } }'

  const query = (text: string, variables: object): Promise<Answer> =>
    project.post('/graphql', { query: text, variables }, ann)

  const names = (at: number, count: number) =>
    Object.fromEntries(many(count, (n) => [`n${at}_${n}`, n]))

  const strangers = (at: number) => Object.fromEntries(many(20, (n) => [`titel_${at}_${n}`, n]))

  it.each<[string, (at: number) => object, number]>([
    ['unknown keys', (at: number) => ({ title: 'x', ...strangers(at) }), 19_999],
    ['wrong values', () => Object.fromEntries(many(10, (n) => [`c${n}`, n])), 10_999],
    [
      'an empty list below each',
      (at: number) => ({ title: 'x', lines: [], ...strangers(at) }),
      19_999,
    ],
  ])('names a hundred errors of a thousand records with %s', async (_, row, others) => {
    const body = JSON.stringify(many(1_000, row))
    const counted = countSentences()
    const { done, turns } = await countTurns(() => send('POST', '/bulk', body))
    expect(done.status).toBe(422)
    expect(done.body.message).toContain(`(and ${others} more errors)`)
    expect(Object.keys(done.body.errors)).toHaveLength(100)
    expect(counted.sentences).toBeLessThan(200)
    expect(turns).toBeGreaterThan(3)
  })

  it('names a hundred errors of records below new ones', async () => {
    const lines = many(18, (n) => strangers(n))
    const body = JSON.stringify(many(50, () => ({ title: 'x', lines })))
    const counted = countSentences()
    const { done, turns } = await countTurns(() => send('POST', '/bulk', body))
    expect(done.status).toBe(422)
    expect(done.body.message).toContain('(and 18899 more errors)')
    expect(Object.keys(done.body.errors)).toHaveLength(100)
    expect(counted.sentences).toBeLessThan(400)
    expect(turns).toBeGreaterThan(3)
  })

  it('names a hundred records that are not there, and counts the others', async () => {
    const answer = await send('POST', '/bulk/delete', { ids: many(1_000, (at) => 900_000 + at) })
    expect([answer.status, answer.body.message]).toEqual([404, 'Not found. (and 999 more errors)'])
    expect(Object.keys(answer.body.errors)).toHaveLength(100)
    const few = await send('POST', '/bulk/delete', { ids: [900_000, 900_001] })
    expect(few.body).toEqual({
      message: 'Not found.',
      errors: { 'ids.0': ['Not found.'], 'ids.1': ['Not found.'] },
    })
  })

  it('looks for values that are taken, and lets others go on', async () => {
    const rows = many(1_000, (at) => ({ title: `Order ${at}`, code: `C${at}` }))
    const stored = await send('POST', '/bulk', rows)
    expect(stored.status).toBe(201)
    const again = await countTurns(() => send('POST', '/bulk', rows))
    expect(again.done.status).toBe(422)
    expect(Object.keys(again.done.body.errors)).toHaveLength(100)
    expect(again.turns).toBeGreaterThan(10)

    const ids = stored.body.data.map(({ id }: { readonly id: string }) => id)
    expect((await send('POST', '', { title: 'Other', code: 'X' })).status).toBe(201)
    const taken = ids.map((id: string) => ({ id, code: 'X' }))
    const changed = await countTurns(() => send('PATCH', '/bulk', taken))
    expect(changed.done.status).toBe(422)
    expect(changed.turns).toBeGreaterThan(10)
  })

  it('changes a thousand records with a thousand sets of columns, and lets others go on', async () => {
    const made = await send(
      'POST',
      '/bulk',
      many(1_000, () => ({ title: 'Plain' })),
    )
    const rows = made.body.data.map(({ id }: { readonly id: string }, at: number) => {
      const set = many(10, (n) => n).filter((n) => ((at + 1) >> n) & 1)
      return { id, ...Object.fromEntries(set.map((n) => [`c${n}`, 'set'])) }
    })
    const { done, turns } = await countTurns(() => send('PATCH', '/bulk', rows))
    expect(done.status).toBe(200)
    expect(done.body.data[2].attributes).toMatchObject({ c0: 'set', c1: 'set', c2: null })
    expect(turns).toBeGreaterThan(10)
  })

  it('reads one large body in each turn, and a very large one in several', async () => {
    const list = (rows: number, end: string) =>
      JSON.stringify(many(rows, () => ({ c0: 'x'.repeat(8_000) }))).slice(0, -1) + end
    const bodies = many(10, () => list(12, '}'))
    const wrong = await countTurns(() =>
      Promise.all(bodies.map((each) => send('POST', '/bulk', each))),
    )
    expect(wrong.done.map(({ status }) => status)).toEqual(bodies.map(() => 400))
    expect(wrong.turns).toBeGreaterThanOrEqual(10)

    const { done, turns } = await countTurns(() => send('POST', '/bulk', list(1_000, ']')))
    expect([done.status, Object.keys(done.body.errors)[0]]).toEqual([422, '0.title'])
    expect(turns).toBeGreaterThan(5)
  })

  it('does not repeat the value of a GraphQL variable for each of its errors', async () => {
    const members = Object.fromEntries(many(9_000, (at) => [`member${at}`, 1]))
    const { body: answer } = await query(createOrder, { input: members })
    expect(answer.errors).toHaveLength(21)
    expect(answer.errors[20].message).toBe('The variables have more than 20 errors.')
    expect(answer.errors[19].message).toContain('Variable "$input" is wrong: Field "member')
  })

  it('reads no body of more different names than records have', async () => {
    const members = Object.fromEntries(many(10_001, (at) => [`member${at}`, 1]))
    const message = 'The JSON holds more than 10000 different names in one record.'
    for (const facts of [members, many(1_001, (at) => ({ [`a${at}`]: 1, ...names(at, 9) }))]) {
      expect(await send('POST', '', { title: 'x', facts })).toMatchObject({
        status: 400,
        body: { message },
      })
    }
    expect((await query(createOrder, { input: members })).body.errors[0].message).toBe(message)
    // The names of many records are as many as they like, together.
    const rows = many(1_001, (at) => ({ title: 'x', facts: names(at, 11) })).slice(1)
    expect((await send('POST', '/bulk', rows)).status).toBe(201)
    // A name that is used again counts once.
    const points = many(20_000, () => ({ x: 1, y: 2 }))
    expect((await send('POST', '', { title: 'x', facts: points })).status).toBe(201)
  })

  it('writes many rows by statements that end soon', async () => {
    const writes = ({ statements }: Answer, verb: string) =>
      statements.filter(({ sql }) => sql.startsWith(verb)).length
    const isSqlite = name === 'sqlite'
    const rows = await send(
      'POST',
      '/bulk',
      many(1_000, () => ({ title: 'Row' })),
    )
    expect([rows.status, writes(rows, 'insert into "orders"')]).toEqual([201, isSqlite ? 5 : 1])
    const long = await send(
      'POST',
      '/bulk',
      many(10, () => ({ title: 'Row', facts: ['x'.repeat(100_000)] })),
    )
    expect([long.status, writes(long, 'insert into "orders"')]).toEqual([201, isSqlite ? 5 : 1])
    const changes = rows.body.data.map(({ id }: { id: string }) => ({ id, title: 'Changed' }))
    const changed = await send('PATCH', '/bulk', changes)
    expect([changed.status, writes(changed, 'update "orders"')]).toEqual([200, isSqlite ? 5 : 1])
    expect(changed.body.data.map(({ id }: { id: string }) => id)).toEqual(
      changes.map(({ id }: { id: string }) => id),
    )
  })

  it('looks for the fields of a bounded number of objects in GraphQL variables', async () => {
    const createMany = 'mutation ($i: [OrderInput!]!) { createOrderList(input: $i) { id } }'
    const orders = (count: number) => ({ i: many(count, () => ({ title: 'x' })) })
    const refused = await query(createMany, orders(20_000))
    expect(refused.body.errors[0]).toMatchObject({
      message:
        'The objects in the variables could have more than 250000 fields together: send fewer.',
      extensions: { code: 'QUERY_REFUSED', limit: 'variables' },
    })
    const taken = await query(createMany, orders(1_000))
    expect([taken.body.errors, taken.body.data.createOrderList.length]).toEqual([undefined, 1_000])
  })

  /** Runs a request about a hundred records, and answers how often it let others go on between two of them. */
  const passesOf = async (work: () => Promise<Answer>) => {
    const { done, turns } = await inLongTurns(work)
    expect(done.status).toBeLessThan(300)
    return Math.floor(turns / 100)
  }

  // While PostgreSQL answers, turns go by that nobody counts.
  it.runIf(name === 'sqlite')('lets others go on between two records, in each pass', async () => {
    const rows = many(100, (at) => ({
      code: `pass ${at}`,
      title: 'pass',
      facts: ['x'.repeat(12_000)],
    }))
    const list = '/api/svc/orders?sort=-id&perPage=100'
    const made = await passesOf(() => send('POST', '/bulk', rows))
    const again = await passesOf(() => send('POST', '/bulk?upsertBy=code', rows))
    const read = await passesOf(() => project.get(list, ann))
    const { body } = await project.get(list, ann)
    const changes = body.data.map(({ id }: { readonly id: string }) => ({ id, title: 'pass' }))
    const changed = await passesOf(() => send('PATCH', '/bulk', changes))
    const headers = { accept: 'text/csv' }
    const path = '/api/svc/orders?match[title]=pass'
    const exported = await passesOf(() => project.request('GET', path, { as: ann, headers }))
    const removed = await passesOf(() =>
      send('POST', '/bulk/delete', { ids: changes.map(({ id }: { readonly id: string }) => id) }),
    )
    const least = { made: 8, again: 14, changed: 11, removed: 8, read: 3, exported: 2 }
    const passes = { made, again, changed, removed, read, exported }
    const lost = Object.entries(least).filter(
      ([key, count]) => (passes[key as keyof typeof passes] ?? 0) < count,
    )
    expect({ lost, passes }).toEqual({ lost: [], passes })
  })

  it('hashes a large body in several turns', async () => {
    const rows = many(100, () => ({ title: 'Keyed', facts: ['x'.repeat(50_000)] }))
    const headers = { 'content-type': 'application/json', 'idempotency-key': `large-${name}` }
    const body = JSON.stringify(rows)
    const request = () =>
      project.request('POST', '/api/svc/orders/bulk', { as: ann, body, headers })
    const first = await request()
    expect(first.status).toBe(201)
    const again = await inLongTurns(request)
    expect(again.done.headers.get('idempotency-replayed')).toBe('true')
    expect(again.done.body).toEqual(first.body)
    expect(again.turns).toBeGreaterThanOrEqual(5)
  })

  it('sorts by a bounded number of keys', async () => {
    const sorted = 'query ($sort: [String!]) { orderList(first: 1, sort: $sort) { id } }'
    const message = 'The sort parameter must have at most 100 keys.'
    const { body } = await query(sorted, { sort: many(101, () => 'id') })
    expect(body.errors[0].message).toBe(message)
    expect((await query(sorted, { sort: many(100, () => 'id') })).body.errors).toBeUndefined()
    const path = `?sort=${many(101, () => 'id').join()}`
    const list = await project.request('GET', `/api/svc/orders${path}`, { as: ann })
    expect([list.status, list.body.message]).toEqual([400, message])
  })
})
