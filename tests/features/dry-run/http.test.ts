/** `?dryRun=true`: a write that is done, counted, and rolled back; `Prefer: max-affected`: one that is, where it is too much. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DatabaseName } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, load, type Answer, type Project } from '../../support/project.js'
import { served } from '../client/served.js'

const orderHooks = `
import { db } from '#app/database.js'
import { HttpError } from '#runtime/errors.js'

export const told: string[] = []

export const OrderHooks = {
  beforeStore: async ({ isDryRun }, values) => {
    told.push('before ' + isDryRun)
    if (values.title === 'refused') throw new HttpError(409, 'Not this one.')
    if (values.title === 'with tag') await db.updateTable('tags').set({ name: 'of a hook' }).execute()
  },
  afterStore: ({ isDryRun }) => void told.push('after ' + isDryRun),
  afterUpdate: () => void told.push('after update'),
  afterDelete: () => void told.push('after delete'),
}
`

const lineHooks = `
import { told } from './OrderHooks.js'
export const LineHooks = {
  insideStore: async ({ isDryRun, db }) => {
    told.push('inside ' + isDryRun)
    await db.updateTable('users').set({ name: 'has lines' }).execute()
  },
  afterStore: () => void told.push('after line'),
}
`

const manifest = {
  manifest: 'tests/features/dry-run/manifest.ts',
  files: { 'app/Hooks/OrderHooks.ts': orderHooks, 'app/Hooks/LineHooks.ts': lineHooks },
}

let project: Project
let ann: number
let told: string[]

const tables = [
  'notes',
  'files',
  'lines',
  'order_tag',
  'orders',
  'tags',
  'users',
  'idempotency_keys',
]
const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])
const all = async () => {
  const found: Record<string, unknown> = {}
  for (const table of tables) found[table] = await run(`select * from ${table} order by 1, 2`)
  return found
}
const send = (method: string, path: string, body: unknown = null, headers = {}): Promise<Answer> =>
  project.request(method, path, {
    as: ann,
    ...(body === null ? {} : { body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', ...headers },
  })
/** Tries it: nothing is there afterwards that was not before. */
const tried = async (...[method, path, ...rest]: Parameters<typeof send>): Promise<Answer> => {
  const before = await all()
  const answer = await send(method, `${path}${path.includes('?') ? '&' : '?'}dryRun=true`, ...rest)
  expect(await all()).toEqual(before)
  return answer
}
const made = async (title: string, more = {}) => {
  const { body } = await send('POST', '/api/svc/orders', { title, ...more })
  return `/api/svc/orders/${body.data.id}`
}

describe.each(databases)('dry runs on %s', (name) => {
  beforeAll(async () => {
    process.env['THROTTLE_STORE'] = 'database'
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    ;({ told } = await load(project.folder, 'app/Hooks/OrderHooks.ts'))
  })
  afterAll(() => project.close())

  beforeEach(async () => {
    for (const table of tables.filter((each) => each !== 'users')) await run(`delete from ${table}`)
    told.length = 0
  })
  triesAnyWrite()
  readsTheParameter()
  workOnOtherSurfaces()
  boundsAffectedRows(name)
})

function triesAnyWrite(): void {
  it('answer 200 with what would be answered, and what would be written', async () => {
    const { status, body, headers } = await tried('POST', '/api/svc/orders', { title: 'a' })
    expect(status).toBe(200)
    expect(body.meta).toEqual({ dryRun: true, affected: { orders: 1 } })
    expect(body.data.attributes.title).toBe('a')
    expect([headers.get('location'), headers.get('etag')]).toEqual([null, null])
    expect(headers.get('content-type')).toBe('application/json')
    expect(told).toEqual(['before true'])
  })

  it('are any write: PUT, PATCH, DELETE, below a parent, of pivots, from the trash', async () => {
    const path = await made('a')
    for (const [method, body] of [
      ['PUT', { title: 'b' }],
      ['PATCH', { title: 'b' }],
    ] as const) {
      const answer = await tried(method, path, body, { 'if-match': '"1"' })
      expect([answer.status, answer.body.data.attributes.title]).toEqual([200, 'b'])
      expect(answer.body.meta.affected).toEqual({ orders: 1 })
      expect(answer.headers.get('etag')).toBeNull()
    }
    const line = await tried('POST', `${path}/lines`, { title: 'l' })
    expect(line.body.meta.affected).toEqual({ lines: 1, users: 1 })
    expect(told.slice(-1)).toEqual(['inside true'])
    const tags = [
      await project.insert('tags', { name: 'x' }),
      await project.insert('tags', { name: 'y' }),
    ]
    const attached = await tried('POST', `${path}/attach/tags`, { tags })
    expect([attached.status, attached.body.data.length]).toEqual([200, 2])
    expect(attached.body.meta.affected).toEqual({ order_tag: 2 })
    await send('POST', `${path}/attach/tags`, { tags })
    const synced = await tried('POST', `${path}/sync/tags`, { tags: tags.slice(1) })
    expect(synced.body.meta.affected).toEqual({ order_tag: 2 })
    const detached = await tried('POST', `${path}/detach/tags`, { tags })
    expect([detached.status, detached.body]).toEqual([
      200,
      { meta: { dryRun: true, affected: { order_tag: 2 } } },
    ])
    const file = await send('POST', `${path}/files`, { title: 'f' })
    const at = `/api/svc/files/${file.body.data.id}`
    expect((await tried('DELETE', at)).body).toEqual({
      meta: { dryRun: true, affected: { files: 1 } },
    })
    await send('DELETE', at)
    expect((await tried('POST', `${at}/restore`)).body.meta.affected).toEqual({ files: 1 })
    expect((await tried('DELETE', `${at}/force`)).body.meta.affected).toEqual({ files: 1 })
  })

  it('count what goes along, at any depth, and what hooks write', async () => {
    const path = await made('top')
    const id = Number(path.split('/').at(-1))
    let above = id
    for (const title of ['one', 'two', 'three']) {
      above = await project.insert('orders', { title, above_id: above, version: 1 })
      await project.insert('lines', { title, order_id: above })
      const file = await project.insert('files', { title, order_id: above })
      await project.insert('notes', { title, file_id: file })
      await project.insert('notes', { title, file_id: file })
    }
    const tag = await project.insert('tags', { name: 'x' })
    await project.link('order_tag', { order_id: id, tag_id: tag })
    const { body } = await tried('DELETE', path)
    expect(body.meta.affected).toEqual({ files: 3, lines: 3, notes: 6, order_tag: 1, orders: 4 })
    const hooked = await tried('POST', '/api/svc/orders', { title: 'with tag' })
    expect(hooked.body.meta.affected).toEqual({ orders: 1, tags: 1 })
    // And once more: nothing stays of the counting.
    expect((await tried('DELETE', path)).body.meta.affected.notes).toBe(6)
    expect((await send('DELETE', path)).status).toBe(204)
    expect((await run('select count(*) from notes')).flat().map(Number)).toEqual([0])
  })

  it('answer the errors that the write would have', async () => {
    const path = await made('a', { code: 'c' })
    const errors = async (answer: Promise<Answer>) => {
      const { status, body, headers } = await answer
      expect(body.meta).toBeUndefined()
      return [status, headers.get('etag')]
    }
    expect(await errors(tried('POST', '/api/svc/orders', {}))).toEqual([422, null])
    expect(await errors(tried('POST', '/api/svc/orders', { title: 'b', code: 'c' }))).toEqual([
      422,
      null,
    ])
    expect(await errors(tried('POST', '/api/svc/orders', { title: 'refused' }))).toEqual([
      409,
      null,
    ])
    expect(await errors(tried('PATCH', '/api/svc/orders/999', { title: 'b' }))).toEqual([404, null])
    expect(await errors(tried('PATCH', path, { title: 'b' }, { 'if-match': '"9"' }))).toEqual([
      412,
      '"1"',
    ])
    const guest = await project.request('DELETE', `${path}?dryRun=true`)
    expect(guest.status).toBe(401)
  })

  it('call no after-hook', async () => {
    const path = await made('a')
    told.length = 0
    await tried('PATCH', path, { title: 'b' })
    await tried('POST', `${path}/lines`, { title: 'l' })
    await tried('DELETE', path)
    expect(told).toEqual(['inside true'])
    await send('PATCH', `${path}?dryRun=false`, { title: 'b' })
    expect(told).toEqual(['inside true', 'after update'])
  })

  it('keep no key, and are not answered by one', async () => {
    const key = { 'idempotency-key': 'k' }
    expect((await tried('POST', '/api/svc/orders', { title: 'a' }, key)).status).toBe(200)
    const { status, headers } = await send('POST', '/api/svc/orders', { title: 'a' }, key)
    expect([status, headers.get('idempotency-replayed')]).toEqual([201, null])
    const after = await tried('POST', '/api/svc/orders', { title: 'a' }, key)
    expect([after.status, after.body.meta.dryRun]).toEqual([200, true])
  })

  it('count e-mails of users that are tried', async () => {
    await project.user('Taken')
    const email = 'taken@example.test'
    const other = await project.user('Other')
    const rename = () => tried('PATCH', `/api/svc/users/${other}`, { email })
    expect((await rename()).status).toBe(422)
    const statuses: number[] = []
    for (let n = 0; n < 70; n += 1) statuses.push((await rename()).status)
    expect(statuses.at(-1)).toBe(429)
    expect(await run('select points from rate_limits')).not.toEqual([])
  })
}

function readsTheParameter(): void {
  it.each(['', 'yes', '1', 'TRUE', 'true&dryRun=true', 'true&dryRun=false'])(
    'are 400 with ?dryRun=%s',
    async (text) => {
      const before = await all()
      const { status, body } = await send('POST', `/api/svc/orders?dryRun=${text}`, { title: 'a' })
      expect([status, Object.keys(body.errors)]).toEqual([400, ['dryRun']])
      expect(await all()).toEqual(before)
    },
  )

  it('are also what a parameter says whose letters are escaped', async () => {
    const before = await all()
    const answer = await send('POST', '/api/svc/orders?dry%52un=true', { title: 'a' })
    expect([answer.status, answer.body.meta.dryRun]).toEqual([200, true])
    expect(await all()).toEqual(before)
  })

  it.each([
    ['POST', '/api/login'],
    ['POST', '/api/register'],
    ['POST', '/api/svc/forgotPassword'],
    ['PUT', '/api/svc/profile'],
    ['POST', '/api/logout'],
  ])('are 400 where it cannot be taken back: %s %s', async (method, path) => {
    const { status, body } = await tried(method, path, {})
    expect([status, body.errors.dryRun]).toEqual([
      400,
      ['The dryRun parameter cannot be honoured: what is done here cannot be taken back.'],
    ])
  })

  it('mean nothing to who reads', async () => {
    const path = await made('a')
    const { status, body } = await tried('GET', path)
    expect([status, body.meta]).toEqual([200, undefined])
  })
}

function workOnOtherSurfaces(): void {
  it('are one mutation of GraphQL, with extensions in its answer', async () => {
    const query = 'mutation { createOrder(input: { title: "g" }) { title } }'
    const { status, body } = await tried('POST', '/graphql', { query })
    expect([status, body]).toEqual([
      200,
      {
        data: { createOrder: { title: 'g' } },
        extensions: { dryRun: true, affected: { orders: 1 } },
      },
    ])
    const failed = 'mutation { updateOrder(id: "999", input: { title: "g" }) { title } }'
    const answer = await tried('POST', '/graphql', { query: failed })
    expect([answer.body.errors[0].extensions.code, answer.body.extensions]).toEqual([
      'NOT_FOUND',
      undefined,
    ])
    const two = 'mutation { a: deleteOrder(id: "1") b: deleteOrder(id: "2") }'
    expect((await tried('POST', '/graphql', { query: two })).status).toBe(400)
  })

  it('say nothing of a record through a socket, where Node sends headers', async () => {
    const { baseUrl, close } = await served((request, bindings) => project.fetch(request, bindings))
    const answer = await fetch(`${baseUrl}/api/svc/orders?dryRun=true`, {
      method: 'POST',
      body: JSON.stringify({ title: 'socket' }),
      headers: {
        authorization: `Bearer ${project.token(ann)}`,
        'content-type': 'application/json',
      },
    })
    const { status, headers } = answer
    expect([status, headers.get('location'), headers.get('etag')]).toEqual([200, null, null])
    expect((await answer.json()) as object).toMatchObject({
      data: { attributes: { title: 'socket' } },
      meta: { dryRun: true, affected: { orders: 1 } },
    })
    await close()
  })

  it('leave others write meanwhile and afterwards', async () => {
    const path = await made('a')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0
          ? send('PATCH', `${path}?dryRun=true`, { title: `dry ${n}` })
          : send('POST', `${path}/files`, { title: `${n}` }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(
      answers.map((_, n) => (n % 2 === 0 ? 200 : 201)),
    )
    expect((await run('select count(*) from files')).flat().map(Number)).toEqual([10])
    const counts = answers.filter((_, n) => n % 2 === 0).map(({ body }) => body.meta.affected)
    expect(counts).toEqual(counts.map(() => ({ orders: 1 })))
  })
}

function boundsAffectedRows(name: DatabaseName): void {
  describe('max-affected', () => {
    const bounded = (most: number | string, more = {}) => ({
      prefer: `max-affected=${most}`,
      ...more,
    })
    /** An order with two lines below one that is below it: five rows. */
    const family = async () => {
      const path = await made('top')
      const above_id = Number(path.split('/').at(-1))
      const id = await project.insert('orders', { title: 'below', above_id, version: 1 })
      for (const title of ['l', 'm']) await project.insert('lines', { title, order_id: id })
      told.length = 0
      return { path, id: String(above_id), below: String(id) }
    }
    const applied = ({ headers }: Answer) => headers.get('preference-applied')

    it('lets a write do what it does up to so many rows, with what goes along', async () => {
      const { path } = await family()
      const answer = await send('DELETE', path, null, bounded(4))
      expect([answer.status, applied(answer), told]).toEqual([
        204,
        'max-affected=4',
        ['after delete'],
      ])
      expect((await run('select count(*) from lines')).flat().map(Number)).toEqual([0])
      const one = await send('POST', '/api/svc/orders', { title: 'a' }, bounded(1))
      expect([one.status, one.headers.get('etag')]).toEqual([201, '"1"'])
      const hooked = { title: 'with tag' }
      await project.insert('tags', { name: 'x' })
      expect((await send('POST', '/api/svc/orders', hooked, bounded(2))).status).toBe(201)
      expect((await send('POST', '/api/svc/orders', hooked, bounded(1))).status).toBe(409)
    })

    it('is 409 with the number where it is more, and nothing is done', async () => {
      const { path, id, below } = await family()
      const before = await all()
      for (const [method, at, body] of [
        ['DELETE', path, null],
        ['POST', '/api/svc/orders/bulk/delete', { ids: [id] }],
      ] as const) {
        const { status, body: said, headers } = await send(method, at, body, bounded(3))
        expect([status, said.message]).toEqual([
          409,
          'This writes 4 rows, and max-affected is 3. Nothing was done.',
        ])
        expect(said.errors).toEqual({ 'max-affected': ['4: lines 2, orders 2.'] })
        expect([headers.get('etag'), headers.get('location')]).toEqual([null, null])
        expect(headers.get('preference-applied')).toBeNull()
      }
      const both = [
        { id, title: 'x' },
        { id: below, title: 'y' },
      ]
      const changed = await send('PATCH', '/api/svc/orders/bulk', both, bounded(1))
      const stored = await send('POST', '/api/svc/orders/bulk', [{ title: 'x' }], bounded(0))
      expect([changed.status, stored.status]).toEqual([409, 409])
      const minimal = bounded(0, { prefer: 'return=minimal, max-affected=0' })
      for (const at of ['/api/svc/orders/bulk', '/api/svc/orders/bulk?dryRun=true']) {
        const refused = await send('POST', at, [{ title: 'x' }], minimal)
        expect([refused.status, applied(refused)]).toEqual([409, null])
      }
      const wrong = await send('POST', '/api/svc/orders/bulk', [{ title: 1 }], minimal)
      expect([wrong.status, applied(wrong)]).toEqual([422, null])
      const tried = await send('POST', '/api/svc/orders?dryRun=true', { title: 'x' }, bounded(1))
      expect([tried.status, applied(tried)]).toEqual([200, 'max-affected=1'])
      expect([await all(), told.filter((text) => text.startsWith('after'))]).toEqual([before, []])
    })

    it('is of many records, beside what else they prefer', async () => {
      const { id, below } = await family()
      const prefer = 'return=minimal, max-affected=2'
      const both = [
        { id, title: 'x' },
        { id: below, title: 'y' },
      ]
      const answer = await send('PATCH', '/api/svc/orders/bulk', both, { prefer })
      expect([answer.status, answer.body.data]).toEqual([
        200,
        both.map((each) => ({ id: each.id, type: 'orders' })),
      ])
      expect(applied(answer)?.split(', ').toSorted()).toEqual(['max-affected=2', 'return=minimal'])
      const files = ['a', 'b'].map((title) => ({ title, order_id: id }))
      const { body } = await send('POST', '/api/svc/files/bulk', files, bounded(2))
      const ids = body.data.map((file: { id: string }) => file.id)
      expect((await send('POST', '/api/svc/files/bulk/delete', { ids }, bounded(1))).status).toBe(
        409,
      )
      expect((await send('POST', '/api/svc/files/bulk/delete', { ids }, bounded(2))).status).toBe(
        204,
      )
      expect(
        (await send('POST', `/api/svc/files/${ids[0]}/restore`, null, bounded(0))).status,
      ).toBe(409)
    })

    it('leaves a key unused where it is too much, and is replayed with one', async () => {
      const key = { 'idempotency-key': 'bounded' }
      const orders = [{ title: 'a' }, { title: 'b' }]
      const write = (most: number) =>
        send('POST', '/api/svc/orders/bulk', orders, bounded(most, key))
      expect((await write(1)).status).toBe(409)
      expect(await run('select * from idempotency_keys')).toEqual([])
      const answer = await write(2)
      const again = await write(2)
      expect([answer.status, again.status, applied(again)]).toEqual([201, 201, 'max-affected=2'])
      expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', answer.body])
      expect((await run('select count(*) from orders')).flat().map(Number)).toEqual([2])
    })

    it('is 409 of a dry run, too, and one that is within it says what it would write', async () => {
      const { path } = await family()
      expect((await tried('DELETE', path, null, bounded(3))).status).toBe(409)
      const { status, body } = await tried('DELETE', path, null, bounded(4))
      expect([status, body.meta.affected]).toEqual([200, { lines: 2, orders: 2 }])
    })

    it('leaves the errors of a write as they are', async () => {
      const path = await made('a')
      const statuses = [
        await send('PATCH', '/api/svc/orders/999', { title: 'b' }, bounded(0)),
        await send('PATCH', path, { title: 'b' }, bounded(0, { 'if-match': '"9"' })),
        await send('POST', '/api/svc/orders', {}, bounded(0)),
      ].map(({ status }) => status)
      expect(statuses).toEqual([404, 412, 422])
    })

    it('is one mutation of GraphQL', async () => {
      const { id } = await family()
      const query = `mutation { deleteOrderList(input: [{ id: "${id}" }]) }`
      const before = await all()
      expect((await send('POST', '/graphql', { query }, bounded(3))).status).toBe(409)
      expect(await all()).toEqual(before)
      const answer = await send('POST', '/graphql', { query }, bounded(4))
      expect([answer.status, answer.body]).toEqual([200, { data: { deleteOrderList: true } }])
      const failed = 'mutation { updateOrder(id: "999", input: { title: "g" }) { title } }'
      const none = await send('POST', '/graphql', { query: failed }, bounded(0))
      expect(none.body.errors[0].extensions.code).toBe('NOT_FOUND')
    })

    it.each(['', '-1', '1.5', '1e3', 'all', '0x10', '9999999999999999'])(
      'of %j is 400, and nothing is done',
      async (text) => {
        const before = await all()
        const { status, body } = await send(
          'POST',
          '/api/svc/orders',
          { title: 'a' },
          bounded(text),
        )
        expect([status, body.message]).toEqual([
          400,
          'The max-affected of the Prefer header must be a number of rows.',
        ])
        expect(await all()).toEqual(before)
      },
    )

    it.each([
      ['POST', '/api/login'],
      ['PUT', '/api/svc/profile'],
    ])('is 400 where nothing counts: %s %s', async (method, path) => {
      const { status, body } = await send(method, path, {}, bounded(1))
      expect([status, body.message]).toEqual([400, expect.stringMatching(/^The max-affected of/)])
    })

    it('leaves nothing behind: one after the other, and beside others', async () => {
      const path = await made('a')
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          send('PATCH', path, { title: `${n}` }, n % 3 === 0 ? {} : bounded(n % 3 === 1 ? 1 : 0)),
        ),
      )
      const expected = answers.map((_, n) => (n % 3 === 2 ? 409 : 200))
      expect(answers.map(({ status }) => status)).toEqual(expected)
      const { statements } = await send('PATCH', path, { title: 'b' })
      expect(statements.filter(({ sql }) => /affected|stat_xact|trigger/i.test(sql))).toEqual([])
      if (name === 'sqlite') expect(await run('select name from temp.sqlite_master')).toEqual([])
    })
  })

  it('cost those that do not ask nothing', async () => {
    const { statements } = await send('POST', '/api/svc/tags', { name: 'a' })
    expect(statements.filter(({ sql }) => /affected|stat_xact|trigger/i.test(sql))).toEqual([])
  })
}
