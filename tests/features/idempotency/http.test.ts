/** `Idempotency-Key`: a request that is sent again is not done again, and gets the first answer. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DatabaseName } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, load, type Answer, type Project } from '../../support/project.js'
import { served } from '../client/served.js'

const hooks = `
import { sql } from 'kysely'
import { db } from '#app/database.js'
import type { HooksFor, OrderModel } from '#app/Models.js'

export const seen: string[] = []
/** Until it is opened, the orders of this title wait. */
export const gate: { isReached: () => void; wait: Promise<void> } = {
  isReached: () => {},
  wait: Promise.resolve(),
}

export const OrderHooks: HooksFor<OrderModel> = {
  beforeStore: async (_, values) => {
    if (values.title === 'slow') {
      gate.isReached()
      await gate.wait
    }
    if (values.title === 'bug') throw new Error('a bug')
    if (values.title === 'over') await sql\`update idempotency_keys set attempt = 'another'\`.execute(db)
  },
  afterStore: (_, row) => {
    seen.push(row.title)
    if (row.title === 'after') throw new Error('not reached')
  },
}
`

const manifest = {
  manifest: 'tests/features/idempotency/manifests/http.ts',
  files: { 'app/Hooks/OrderHooks.ts': hooks },
}

let project: Project
let ann: number
let bob: number
let seen: string[]
let gate: { isReached: () => void; wait: Promise<void> }

const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])
const count = async (table: string) => Number((await run(`select count(*) from ${table}`))[0]?.[0])
const kept = async () => (await run('select status from idempotency_keys')).flat()
const send = (
  key: string,
  body: unknown,
  { method = 'POST', path = '/api/svc/orders', as = ann as number | null, more = {} } = {},
): Promise<Answer> =>
  project.request(method, path, {
    as: as ?? undefined,
    ...(body === null ? {} : { body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...more },
  })
const said = ({ status, headers, body }: Answer) => ({
  status,
  body,
  location: headers.get('location'),
  etag: headers.get('etag'),
  type: headers.get('content-type'),
})
const isReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true'
/** Sends it twice: the second answer is the first one. */
const twice = async (...given: Parameters<typeof send>): Promise<Answer> => {
  const first = await send(...given)
  expect(isReplayed(first)).toBe(false)
  const second = await send(...given)
  expect([isReplayed(second), said(second)]).toEqual([true, said(first)])
  return first
}

describe.each(databases)('requests with a key on %s', (name) => {
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    bob = await project.user('Bob')
    ;({ seen, gate } = await load(project.folder, 'app/Hooks/OrderHooks.ts'))
  })
  afterAll(() => project.close())
  beforeEach(async () => {
    for (const table of ['lines', 'orders', 'tags', 'idempotency_keys'])
      await run(`delete from ${table}`)
    seen.length = 0
  })
  answersOnce()
  retriesAfterFailure(name)
  checksKeys()
  worksOnOtherSurfaces(name)
})

function answersOnce(): void {
  it('are done once, and get status, body, Location and ETag of the first answer', async () => {
    const made = await twice('one', { title: 'a' })
    expect(said(made)).toMatchObject({
      status: 201,
      etag: '"1"',
      location: `/api/svc/orders/${made.body.data.id}`,
    })
    expect([await count('orders'), seen]).toEqual([1, ['a']])
    // It is the answer of then, whatever became of the record.
    await project.delete(`/api/svc/orders/${made.body.data.id}`, ann)
    const again = await send('one', { title: 'a' })
    expect([isReplayed(again), said(again)]).toEqual([true, said(made)])
  })

  it('are any write: PUT, PATCH, DELETE, restore, below a parent, and of pivots', async () => {
    const { body } = await project.post('/api/svc/orders', { title: 'a' }, ann)
    const path = `/api/svc/orders/${body.data.id}`
    const version = { more: { 'if-match': '"1"' } }
    await twice('put', { title: 'b' }, { method: 'PUT', path, ...version })
    await twice('patch', { title: 'c' }, { method: 'PATCH', path })
    expect((await project.get(path, ann)).body.data.meta.version).toBe(3)
    expect((await twice('line', { title: 'l' }, { path: `${path}/lines` })).status).toBe(201)
    expect(await count('lines')).toBe(1)
    const tags = [
      await project.insert('tags', { name: 'x' }),
      await project.insert('tags', { name: 'y' }),
    ]
    expect((await twice('attach', { tags }, { path: `${path}/attach/tags` })).status).toBe(201)
    expect(
      (await twice('sync', { tags: tags.slice(1) }, { path: `${path}/sync/tags` })).status,
    ).toBe(200)
    expect(
      (await twice('detach', { tags: tags.slice(1) }, { path: `${path}/detach/tags` })).status,
    ).toBe(204)
    expect((await twice('delete', null, { method: 'DELETE', path })).status).toBe(204)
    expect((await twice('restore', null, { path: `${path}/restore` })).status).toBe(200)
    expect((await project.get(path, ann)).status).toBe(200)
  })

  it('are 422 with another body, path or method, and the first answer stays', async () => {
    const first = await send('one', { title: 'a' })
    for (const answer of [
      await send('one', { title: 'b' }),
      await send('one', { title: 'a' }, { path: '/api/svc/orders?x=1' }),
      await send('one', { title: 'a' }, { path: '/api/svc/tags' }),
      await send(
        'one',
        { title: 'a' },
        { method: 'PUT', path: `/api/svc/orders/${first.body.data.id}` },
      ),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.body.message).toBe(
        'This Idempotency-Key belongs to another request: take a new one.',
      )
    }
    expect(await count('orders')).toBe(1)
    expect(isReplayed(await send('one', { title: 'a' }))).toBe(true)
  })

  it('are 422 with another condition, and the same one is replayed', async () => {
    const { body } = await send('made', { title: 'a' })
    const change = (headers: Record<string, string>) =>
      send(
        'changed',
        { title: 'b' },
        { method: 'PATCH', path: `/api/svc/orders/${body.data.id}`, more: headers },
      )
    expect((await change({ 'if-match': '"1"' })).status).toBe(200)
    for (const headers of [{}, { 'if-match': '"2"' }, { 'if-match': '"1"', prefer: 'wait=1' }]) {
      expect((await change(headers)).status).toBe(422)
    }
    const again = await change({ 'if-match': '"1"' })
    expect([again.status, isReplayed(again)]).toEqual([200, true])
  })

  it('are 409 while the first is running, which is told when to ask again', async () => {
    let open = () => {}
    gate.wait = new Promise((resolve) => (open = resolve))
    const reached = new Promise<void>((resolve) => (gate.isReached = resolve))
    const first = send('slow', { title: 'slow' })
    await reached
    const { status, headers, body } = await send('slow', { title: 'slow' })
    expect([status, headers.get('retry-after')]).toEqual([409, '1'])
    expect(body.message).toBe('The request with this Idempotency-Key is still running.')
    expect((await send('slow', { title: 'other' })).status).toBe(422)
    open()
    expect((await first).status).toBe(201)
    const third = await send('slow', { title: 'slow' })
    expect([isReplayed(third), said(third)]).toEqual([true, said(await first)])
    expect(await count('orders')).toBe(1)
  })

  it('of which many come at once are done once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => send('many', { title: 'm' })),
    )
    expect(await count('orders')).toBe(1)
    const done = answers.filter(({ status }) => status === 201)
    expect(done.filter((each) => !isReplayed(each))).toHaveLength(1)
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
  })
}

function retriesAfterFailure(name: DatabaseName): void {
  it('may be tried again when nothing was done: denied, invalid, or failed', async () => {
    await project.post('/api/svc/orders', { title: 'first', code: 'c' }, ann)
    expect((await send('a', { title: 'second', code: 'c' })).status).toBe(422)
    expect((await send('b', { title: 'bug' })).status).toBe(500)
    expect(
      (await send('c', { title: 'x' }, { method: 'PATCH', path: '/api/svc/orders/999' })).status,
    ).toBe(404)
    const stale = {
      method: 'PATCH',
      path: `/api/svc/orders/${String((await run('select id from orders'))[0]?.[0])}`,
    }
    expect(
      (await send('d', { title: 'x' }, { ...stale, more: { 'if-match': '"7"' } })).status,
    ).toBe(412)
    expect((await send('e', '{')).status).toBe(400)
    expect(await kept()).toEqual([])
    await run("update orders set code = 'd'")
    const again = await send('a', { title: 'second', code: 'c' })
    expect([again.status, isReplayed(again)]).toEqual([201, false])
  })

  it('are taken over when a crash left them running and their end has come', async () => {
    await send('crashed', { title: 'a' })
    // As it was before the crash: the work and the answer are one transaction.
    await run('delete from orders')
    await run('update idempotency_keys set status = null, headers = null, body = null')
    expect((await send('crashed', { title: 'a' })).status).toBe(409)
    const past = name === 'sqlite' ? "'2020-01-01T00:00:00.000+00:00'" : "'2020-01-01'"
    await run(`update idempotency_keys set running_until = ${past}`)
    expect((await send('crashed', { title: 'b' })).status).toBe(422)
    await twice('crashed', { title: 'a' })
    expect(await count('orders')).toBe(1)
  })

  it('that were taken over meanwhile are rolled back', async () => {
    const answer = await send('over', { title: 'over' })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '1'])
    expect([answer.headers.get('location'), answer.headers.get('etag')]).toEqual([null, null])
    expect([await count('orders'), seen]).toEqual([0, []])
  })
}

function checksKeys(): void {
  it('are each user’s own, and each token’s', async () => {
    await send('mine', { title: 'a' })
    const other = await send('mine', { title: 'a' }, { as: bob })
    expect([other.status, isReplayed(other)]).toEqual([201, false])
    expect(await count('orders')).toBe(2)
  })

  it.each(['a b', 'ä', 'x'.repeat(256), 'a\tb', ''])('are 400 with the key %j', async (key) => {
    const { status, body } = await send(key, { title: 'a' })
    expect([status, body.message]).toEqual([
      400,
      'The Idempotency-Key header must be 1 to 255 letters, digits and signs, without spaces.',
    ])
    expect(await count('orders')).toBe(0)
  })

  it('have no limit in what signs are, and the table has the key of none', async () => {
    const key = `"~!${'x'.repeat(252)}`
    await twice(key, { title: 'a' })
    const [row] = await run('select key, fingerprint from idempotency_keys')
    expect(row).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ])
  })

  it('need somebody who signed in', async () => {
    expect((await send('guest', { title: 'a' }, { as: null })).status).toBe(401)
    const mutation = { query: 'mutation { createOrder(input: { title: "a" }) { id } }' }
    const { status, body } = await send('guest', mutation, { path: '/graphql', as: null })
    expect([status, body.errors[0].message]).toEqual([
      400,
      'The Idempotency-Key header needs a signed-in user, to whom the answer is kept. Nothing was done.',
    ])
  })

  it.each([
    ['POST', '/api/login'],
    ['POST', '/api/register'],
    ['POST', '/api/tokens'],
    ['POST', '/api/svc/forgotPassword'],
    ['POST', '/api/svc/resetPassword'],
    ['POST', '/api/password'],
    ['PUT', '/api/svc/profile'],
  ])('are refused where answers may hold secrets: %s %s', async (method, path) => {
    const { status, body } = await send('secret', {}, { method, path })
    expect([status, body.message]).toEqual([
      400,
      'The Idempotency-Key header cannot be honoured: requests are not remembered here, and a repetition would be done again. Nothing was done.',
    ])
    expect(await kept()).toEqual([])
  })
}

function worksOnOtherSurfaces(name: DatabaseName): void {
  it('keep nothing but the answer', async () => {
    await send(
      'user',
      { name: 'Eve', email: 'eve@example.test', password: 'a long password' },
      { path: '/api/svc/users' },
    )
    const [row] = await run('select * from idempotency_keys')
    expect(JSON.stringify(row)).not.toMatch(/password|long/)
    expect(JSON.stringify(row)).toMatch(/eve@example.test/)
  })

  it('mean nothing to who reads', async () => {
    expect((await send('read', null, { method: 'GET' })).status).toBe(200)
    const query = { query: '{ orderList { data { id } } }' }
    expect((await send('read', query, { path: '/graphql' })).status).toBe(200)
    expect(await kept()).toEqual([])
  })

  it('are one mutation of GraphQL, whose answer is kept whole', async () => {
    const one = 'a: createOrder(input: { title: "g" }) { id title }'
    const path = '/graphql'
    const first = await twice('g', { query: `mutation { ${one} }` }, { path })
    expect(first.body.data.a.title).toBe('g')
    expect(await count('orders')).toBe(1)
    const other = await send('g', { query: `mutation { ${one} b: ${one.slice(3)} }` }, { path })
    expect([other.status, other.body.errors[0].message]).toEqual([
      400,
      'Idempotency-Key goes with one mutation: send the others alone. Nothing was done.',
    ])
    const failed = { query: 'mutation { a: updateOrder(id: "999", input: { title: "g" }) { id } }' }
    expect((await send('f', failed, { path })).body.errors[0].extensions.code).toBe('NOT_FOUND')
    expect(await kept()).toEqual([200])
    expect(await count('orders')).toBe(1)
  })

  it('are 422 in GraphQL when the mutation is another one', async () => {
    const mutation = (title: string) => ({
      query: `mutation { createOrder(input: { title: "${title}" }) { id } }`,
    })
    await send('g', mutation('a'), { path: '/graphql' })
    const { body } = await send('g', mutation('b'), { path: '/graphql' })
    expect(body.errors[0].extensions.code).toBe('VALIDATION_FAILED')
    expect(await count('orders')).toBe(1)
  })

  it('may come in pieces, without a length', async () => {
    const body = () =>
      new ReadableStream({
        start: (stream) => {
          for (const part of ['{ "title":', ' "pieces" }'])
            stream.enqueue(new TextEncoder().encode(part))
          stream.close()
        },
      })
    const asked = () =>
      new Request('http://localhost/api/svc/orders', {
        method: 'POST',
        body: body(),
        duplex: 'half',
        headers: {
          authorization: `Bearer ${project.token(ann)}`,
          'content-type': 'application/json',
          'idempotency-key': 'pieces',
        },
      } as RequestInit)
    const [first, second] = [await project.fetch(asked()), await project.fetch(asked())]
    expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([
      201,
      201,
      'true',
    ])
    expect(await count('orders')).toBe(1)
  })

  it('have headers of their answers through a socket, where Node sends them', async () => {
    const { baseUrl, close } = await served((request, bindings) => project.fetch(request, bindings))
    const ask = async (title: string, key: string) => {
      const answer = await fetch(`${baseUrl}/api/svc/orders`, {
        method: 'POST',
        body: JSON.stringify({ title }),
        headers: {
          authorization: `Bearer ${project.token(ann)}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
      })
      const { status, headers } = answer
      const names = ['location', 'etag', 'content-type', 'idempotency-replayed', 'retry-after']
      return { status, headers: names.map((each) => headers.get(each)), body: await answer.text() }
    }
    const first = await ask('socket', 'socket')
    const [location, etag, type] = first.headers
    expect([first.status, etag, type]).toEqual([201, '"1"', 'application/json'])
    expect(location).toMatch(/^\/api\/svc\/orders\/\d+$/)
    const { status, headers, body } = await ask('socket', 'socket')
    expect([status, headers, body]).toEqual([201, [location, etag, type, 'true', null], first.body])
    const over = await ask('over', 'over')
    expect([over.status, over.headers]).toEqual([409, [null, null, type, null, '1']])
    await close()
  })

  it('are forgotten after their time, a bounded number of rows at once', async () => {
    const { KeptAnswers } = await load(
      project.folder,
      'runtime/features/idempotency/kept-answers.ts',
    )
    const [past, later] =
      name === 'sqlite'
        ? ["'2020-01-01T00:00:00.000+00:00'", "'2999-01-01T00:00:00.000+00:00'"]
        : ["'2020-01-01'", "'2999-01-01'"]
    const rows = (of: string, number: number, until: string) =>
      run(
        `insert into idempotency_keys (key, fingerprint, attempt, running_until, expires_at) values ${Array.from({ length: number }, (_, n) => `('${of}${n}', 'f', 'a', ${past}, ${until})`).join(', ')}`,
      )
    await rows('old', 450, past)
    await rows('new', 20, later)
    const answers = new KeptAnswers(project.database, { hours: 24, running_seconds: 10 })
    for (let n = 0; n < 50; n += 1) await answers.note({ key: `k${n}`, fingerprint: 'f' })
    expect(await count('idempotency_keys')).toBe(470 - 200 + 50)
    for (let n = 50; n < 101; n += 1) await answers.note({ key: `k${n}`, fingerprint: 'f' })
    expect(await count('idempotency_keys')).toBe(20 + 101)
    // One that is there still, though its time is over, is as good as none.
    await run(
      `update idempotency_keys set expires_at = ${past}, status = 201, headers = '{}', body = ''`,
    )
    expect(await answers.note({ key: 'k1', fingerprint: 'another' })).toMatchObject({ is: 'mine' })
  })

  it('cost those without a key nothing', async () => {
    const { statements } = await project.post('/api/svc/orders', { title: 'a' }, ann)
    expect(statements.filter(({ sql }) => /idempotency|begin|commit/i.test(sql))).toEqual([])
  })
}
