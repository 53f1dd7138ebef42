/** How often a plain request waits for PostgreSQL: the token is read in one packet with what is asked for, and is seen as it is now. */
import { Agent, request as send } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCounter, type Counter } from '../../bench/compare/statements.js'
import { emitManifest } from '../../support/own-manifest.js'
import { freshDatabase } from '../../support/postgres.js'
import { load, openOn, type Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/core/http/manifests/direct-way.ts',
  policies: {
    Note: {
      show: '(user) => any({ is_open: true }, { owner_id: user?.id })',
      update: '(user) => user?.is_admin === true',
    },
    Task: { store: '(user) => user?.is_admin === true' },
    Shelf: { show: '(user) => user?.is_admin === true' },
    Mistake: { show: "() => { throw new Error('a mistake of mine') }" },
    Wait: { show: 'async (user) => user?.is_admin === true' },
  },
}

interface Body {
  readonly message?: string
  readonly meta?: { readonly total?: number }
  readonly data?: readonly { readonly attributes: Readonly<Record<string, unknown>> }[]
}

describe('requests on PostgreSQL', () => {
  let counter: Counter
  let project: Project
  let running: { readonly port: number; close(): Promise<void> }
  let ann: number
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  beforeAll(async () => {
    counter = await startCounter(await freshDatabase())
    const folder = await emitManifest(manifest, 'postgresql')
    project = await openOn(counter.url, folder, 'postgresql')
    const { serve } = await load(folder, 'runtime/http/serve.ts')
    const { createApp } = await load(folder, 'app/app.ts')
    const { log } = await load(folder, 'app/log.ts')
    running = await serve(createApp(), { host: '127.0.0.1', port: 0, log, graceMs: 0 })
    ann = await project.user('Ann', { is_admin: true })
    for (let at = 0; at < 5; at += 1) {
      await project.insert('notes', { title: `Note ${at}`, likes: at, owner_id: ann })
    }
    for (const table of ['shelves', 'mistakes', 'waits', 'editions'])
      await project.insert(table, { label: 'one' })
  })
  afterAll(async () => {
    agent.destroy()
    await running.close()
    await project.close()
    counter.stop()
  })

  const execute = (sql: string) => project.database.query({ sql, access: 'write' }, [])

  const get = (path: string, as = ann, through = agent) => ask('GET', path, { as, through })

  interface Asked {
    readonly as?: number
    readonly through?: Agent
    readonly body?: object
  }

  const ask = (method: string, path: string, { as = ann, through = agent, body }: Asked = {}) =>
    new Promise<{ status: number | undefined; body: Body }>((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body)
      const headers = {
        authorization: `Bearer ${project.token(as)}`,
        ...(body && { 'content-type': 'application/json', 'content-length': `${text.length}` }),
      }
      const to = { host: '127.0.0.1', port: running.port, agent: through, headers }
      const sent = send({ ...to, method, path: `/api/svc/${path}` }, (answer) => {
        let text = ''
        answer.on('data', (piece: Buffer) => (text += String(piece)))
        answer.on('end', () =>
          resolve({ status: answer.statusCode, body: JSON.parse(text) as Body }),
        )
      })
      sent.on('error', reject).end(text)
    })

  /** The second of two requests: the first one prepares statements, and makes the plan. */
  async function counted(path: string) {
    await get(path)
    await get(path)
    await counter.take({} as never)
    const { status } = await get(path)
    return { status, ...(await counter.take({} as never)) }
  }

  test.each([
    ['a record', 'notes/1'],
    ['a record that is not there', 'notes/999'],
    ['a page', 'notes?perPage=2'],
    ['a page with an order', 'notes?perPage=2&page=2&sort=-likes'],
    ['a record with a version', 'editions/1'],
    ['a record whose policy promises', 'waits/1'],
  ])('%s takes two statements and one round trip', async (_, path) => {
    const { status, ...counts } = await counted(path)
    expect([status, counts]).toEqual([
      path === 'notes/999' ? 404 : 200,
      { statements: 2, roundTrips: 1 },
    ])
  })

  test('a list that is filtered, and one with related records, reads the token beside its first statement', async () => {
    expect(await counted('notes?likes[gte]=2')).toMatchObject({ statements: 2, roundTrips: 1 })
    expect(await counted('notes?include=owner')).toMatchObject({ statements: 3, roundTrips: 2 })
  })

  test('what asks the database for nothing still reads the token', async () => {
    expect(await counted('notes/x')).toEqual({ status: 404, statements: 1, roundTrips: 1 })
    expect(await counted('mistakes/1')).toMatchObject({ status: 500, statements: 1 })
  })

  test('a record that is made takes two round trips, also where it points at another one', async () => {
    const store = async (path: string, body: object) => {
      for (let at = 0; at < 2; at += 1) await ask('POST', path, { body })
      await counter.take({} as never)
      const { status } = await ask('POST', path, { body })
      return { status, ...(await counter.take({} as never)) }
    }
    expect(await store('shelves', { label: 'two' })).toEqual({
      ...{ status: 201, statements: 2, roundTrips: 2 },
    })
    const task = { label: 'a task', owner_id: ann }
    expect(await store('tasks', task)).toEqual({ status: 201, statements: 3, roundTrips: 2 })
    // Of a repository with extensions, the token is read first.
    const note = { title: 'x', likes: 1, owner_id: ann }
    expect(await store('notes', note)).toMatchObject({ status: 201, statements: 3 })
  })

  test('a record that points at nothing is 422 for a valid token, and 401 for one that is revoked', async () => {
    const user = await project.user('Pat', { is_admin: true })
    const store = (owner_id: number) =>
      ask('POST', 'tasks', { as: user, body: { label: 'of Pat', owner_id } })
    expect([(await store(user)).status, (await store(999)).status]).toEqual([201, 422])
    await execute(`delete from personal_access_tokens where user_id = ${user}`)
    expect([(await store(999)).status, (await store(user)).status]).toEqual([401, 401])
    const [row] = await project.database.query(
      { sql: `select count(*)::int from tasks where label = 'of Pat'`, access: 'read' },
      [],
    )
    expect(row).toEqual([1])
  })

  test('a user who may no longer make records makes none', async () => {
    const user = await project.user('Ned', { is_admin: true })
    const store = () => ask('POST', 'tasks', { as: user, body: { label: 'of Ned', owner_id: ann } })
    expect([(await store()).status, (await store()).status]).toEqual([201, 201])
    await execute(`update users set is_admin = false where id = ${user}`)
    expect((await store()).status).toBe(403)
    await execute(`update users set is_admin = true where id = ${user}`)
    expect((await store()).status).toBe(201)
  })

  test.each(['notes/1', 'notes?perPage=2', 'notes/x', 'shelves', 'waits', 'mistakes/1'])(
    'a token that is revoked is refused by the next request of %s',
    async (path) => {
      const user = await project.user(`Rev ${path.replaceAll(/\W/g, '')}`, { is_admin: true })
      await get(path, user)
      expect((await get(path, user)).status).not.toBe(401)
      await execute(`delete from personal_access_tokens where user_id = ${user}`)
      expect(await get(path, user)).toEqual({ status: 401, body: { message: 'Unauthenticated.' } })
    },
  )

  test('a user who is changed, a token of another user and one that has ended are seen by the next request', async () => {
    const ben = await project.user('Ben', { is_admin: true })
    const isAdmin = async () => (await get('shelves', ben)).body.meta?.total !== 0
    expect([await isAdmin(), await isAdmin()]).toEqual([true, true])
    await execute(`update users set is_admin = false where id = ${ben}`)
    expect([await isAdmin(), await isAdmin()]).toEqual([false, false])
    await execute(`update users set is_admin = true where id = ${ben}`)
    expect([await isAdmin(), await isAdmin()]).toEqual([true, true])
    const own = async () => (await get('notes', ben)).body.meta?.total
    expect([await own(), await own()]).toEqual([0, 0])
    await execute(`update personal_access_tokens set user_id = ${ann} where user_id = ${ben}`)
    expect(await own()).toBe((await get('notes')).body.meta?.total)
    const token = Number(project.token(ben).split('|')[0])
    const ends = (time: string) =>
      execute(`update personal_access_tokens set expires_at = ${time} where id = ${token}`)
    await ends("now() + interval '1 hour'")
    expect((await get('notes', ben)).status).toBe(200)
    await ends("now() - interval '1 second'")
    expect((await get('notes', ben)).status).toBe(401)
  })

  test('a user who is another one with each request is read first, and assumed again later', async () => {
    const cid = await project.user('Cid')
    const change = (at: number) => execute(`update users set name = 'Cid ${at}' where id = ${cid}`)
    const countOf = async () => {
      await counter.take({} as never)
      await get('notes/1', cid)
      return (await counter.take({} as never)).roundTrips
    }
    for (let at = 0; at < 5; at += 1) {
      await change(at)
      await get('notes/1', cid)
    }
    await change(9)
    expect(await countOf()).toBe(2)
    for (let at = 0; at < 9; at += 1) await get('notes/1', cid)
    expect(await countOf()).toBe(1)
  })

  test('requests at once have their own users', async () => {
    const people = await Promise.all(
      ['Dan', 'Eve', 'Fay'].map(async (name) => {
        const id = await project.user(name)
        await project.insert('notes', { title: name, likes: 0, owner_id: id })
        return { id, name }
      }),
    )
    const own = new Agent({ keepAlive: true, maxSockets: 12 })
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(people.map(({ id }) => get('notes', id, own)))
      const titles = answers.map(({ body }) =>
        body.data?.map(({ attributes }) => attributes['title']),
      )
      expect(titles).toEqual(people.map(({ name }) => [name]))
    }
    own.destroy()
  })
})
