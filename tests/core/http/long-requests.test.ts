/** Requests that take long: other requests are served meanwhile, and an answer names a hundred errors. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { speaking } from '../../../runtime/input/messages.js'
import { openManifest } from '../../support/own-manifest.js'
import { type Answer, databases, type Project } from '../../support/project.js'

const columns = Array.from({ length: 10 }, (_, at) => `c${at}: text().nullable()`).join(', ')
const manifest = {
  repositories: `users: repository({
      fields: { name: text(), email: email().unique(), password: password().nullable(), is_admin: boolean().default(false) },
    }),
    orders: repository({
      bulk: true,
      fields: { title: text(), code: text().nullable().unique(), facts: json().nullable(), ${columns} },
      related: { lines: hasMany({ writable: true }) },
    }),
    lines: repository({ fields: { name: text() }, related: { order: belongsTo('orders') } }),`,
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

  /** Counts the turns of the event loop until the work is done. */
  async function countTurns<Done>(work: () => Promise<Done>) {
    let turns = 0
    let isOver = false
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const done = await work()
    isOver = true
    return { done, turns }
  }

  const send = (method: string, path: string, body: unknown): Promise<Answer> =>
    project.request(method, `/api/svc/orders${path}`, {
      as: ann,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })

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
    const members = Object.fromEntries(many(60_000, (at) => [`member${at}`, 1]))
    const body = {
      query: 'mutation ($input: OrderInput!) { createOrder(input: $input) { id } }',
      variables: { input: members },
    }
    const { body: answer } = await project.request('POST', '/graphql', {
      as: ann,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.errors).toHaveLength(21)
    expect(answer.errors[20].message).toBe('The variables have more than 20 errors.')
    expect(answer.errors[19].message).toContain('Variable "$input" is wrong: Field "member')
  })
})
