/** `bulk`: many records in one request, all or none. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DatabaseName } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, openProject, type Project } from '../../support/project.js'

interface Shown {
  readonly id: string
  readonly attributes: {
    readonly title: string
    readonly qty: number
    readonly code: string
    readonly path: string
  }
  readonly meta: { readonly version: number }
}

const called: unknown[] = []
Object.assign(globalThis, { calledInBulk: called })

const manifest = {
  manifest: 'tests/features/bulk/manifests/http.ts',
  files: {
    'app/Policies/LockPolicy.ts': `import type { LockModel, PolicyFor } from '#app/Models.js'

export const LockPolicy: PolicyFor<LockModel> = {
  show: () => true,
  store: () => true,
  update: () => true,
  delete: () => true,
  bulk: (user) => user?.name === 'Ann',
}
`,
    'app/Hooks/SafeHooks.ts': `import type { HooksFor, SafeModel } from '#app/Models.js'

export const SafeHooks: HooksFor<SafeModel> = { fillOnStore: { code: () => 'of the house' } }
`,
    'app/Hooks/PostHooks.ts': `import type { HooksFor, PostModel } from '#app/Models.js'
import { invalid } from '#runtime/errors.js'

const say = (...what: unknown[]) => void (globalThis as unknown as { calledInBulk: unknown[] }).calledInBulk.push(what)

export const PostHooks: HooksFor<PostModel> = {
  beforeStore: (_, values) => {
    if (values.title === 'refused') throw invalid({ title: ['The title is refused.'] })
    say('beforeStore', values.title)
    return values.title === 'renamed' ? { title: 'by a hook' } : undefined
  },
  afterStore: (_, row) => say('afterStore', row.title),
  beforeUpdate: (_, row, values) => say('beforeUpdate', row.title, values.title),
  afterUpdate: (_, row) => say('afterUpdate', row.title),
  beforeDelete: (_, row) => say('beforeDelete', row.title),
  afterDelete: (_, row) => say('afterDelete', row.title),
  afterBulk: (_, rows, operation) => say('afterBulk', operation, rows.map(({ title }) => title)),
}
`,
  },
  policies: {
    User: { update: '() => true' },
    Post: {
      show: '(user) => any({ owner_id: user?.id }, { is_live: true })',
      store: '() => ({ qty: { lt: 1000 } })',
      update: '(user) => ({ owner_id: user?.id, qty: { lt: 1000 } })',
      delete: '(user) => ({ owner_id: user?.id })',
    },
    Category: { show: "() => ({ name: { not: 'hidden' } })" },
  },
}

const api = '/api/svc'

let project: Project
let ann: number
let bob: number

const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])

const post = (path: string, body: unknown, as = ann) => project.post(`${api}/${path}`, body, as)
const patch = (path: string, body: unknown, as = ann) => project.patch(`${api}/${path}`, body, as)
const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  project.request(method, `${api}/${path}`, {
    as: ann,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  })
const rows = async (sql: string) => (await run(sql)).map(([value]) => value)
const titles = () => rows('select title from posts order by id')
const make = (id: number, more: Record<string, unknown> = {}) =>
  project.insert('posts', {
    ...{
      id,
      title: `t${id}`,
      slug: `s${id}`,
      qty: 1,
      is_live: false,
      status: 'new',
      owner_id: ann,
    },
    ...more,
  })
const everything = async () => {
  const tables = ['users', 'posts', 'categories', 'codes', 'locks', 'files', 'folders']
  const all = tables.map((table) => run(`select * from "${table}" order by id`))
  return JSON.stringify(await Promise.all(all))
}

describe.each(databases)('many records at once, on %s', (name) => {
  beforeAll(async () => void (project = await openManifest(manifest, name)))
  afterAll(() => project.close())
  beforeEach(async () => {
    for (const table of ['posts', 'categories', 'codes', 'locks', 'files', 'folders', 'notes']) {
      await run(`delete from "${table}"`)
    }
    await run('delete from personal_access_tokens')
    await run('delete from users')
    ann = await project.user('Ann')
    bob = await project.user('Bob')
    called.length = 0
  })
  writesAll()
  namesWhatIsWrong()
  exchangesUniqueValues(name)
  boundsRequests()
  keepsVersions()
  actsOnOtherFeatures()
  answersGraphql()
})

function writesAll(): void {
  it('a record that others make meanwhile is none that the policy refuses', async () => {
    const { database } = project
    const query = database.query.bind(database)
    const patched = async (more: Record<string, unknown>) => {
      await run('delete from posts')
      database.query = async (statement, parameters) => {
        const rows = await query(statement, parameters)
        if (!/ from "posts"/.test(statement.sql)) return rows
        database.query = query
        await make(77, more)
        return rows
      }
      const { status, body } = await patch('posts/bulk', [{ id: 77, title: 'new' }])
      return [status, body.errors]
    }
    const changed = { '0.id': ['The record was changed meanwhile.'] }
    expect(await patched({})).toEqual([409, changed])
    expect((await patched({ owner_id: bob, is_live: true }))[0]).toBe(403)
    expect((await patched({ owner_id: bob }))[0]).toBe(404)
    expect(await titles()).toEqual(['t77'])
  })

  it('makes them in the order of the body, with the values that one alone would have', async () => {
    const category = await project.insert('categories', { name: 'c' })
    const full = {
      ...{ title: 'a', slug: 'a', price: '12.50', qty: 7, is_live: true, day: '2026-02-03' },
      ...{ at: '2026-02-03T04:05:06.789Z', data: { b: [1, null, 'x\n"é'] }, status: 'old' },
      ...{ place: 1, category_id: String(category) },
    }
    const { status, body } = await post('posts/bulk', [
      full,
      { title: 'renamed', slug: 'b' },
      { title: 'c', slug: 'c', kept: 'ignored' },
    ])
    expect(status).toBe(201)
    const alone = await post('posts', { ...full, slug: 'd', place: 2 })
    const {
      slug: _,
      place: __,
      created_at: ___,
      updated_at: ____,
      ...same
    } = body.data[0].attributes
    expect(alone.body.data.attributes).toMatchObject(same)
    expect(body.data[0].meta).toEqual(alone.body.data.meta)
    expect(body.data.map((each: Shown) => each.attributes.title)).toEqual(['a', 'by a hook', 'c'])
    const ids = body.data.map(({ id }: Shown) => Number(id))
    expect(ids).toEqual([ids[0], ids[0] + 1, ids[0] + 2])
    for (const { id, attributes } of body.data) {
      const shown = await project.get(`${api}/posts/${id}`, ann)
      expect(shown.body.data.attributes).toEqual(attributes)
    }
    expect(called.slice(0, 8)).toEqual([
      ['beforeStore', 'a'],
      ['beforeStore', 'renamed'],
      ['beforeStore', 'c'],
      ['afterStore', 'a'],
      ['afterStore', 'by a hook'],
      ['afterStore', 'c'],
      ['afterBulk', 'store', ['a', 'by a hook', 'c']],
      ['beforeStore', 'a'],
    ])
  })

  it('changes what each body has, of the record that it names', async () => {
    for (const id of [1, 2, 3]) await make(id)
    const { status, body } = await patch('posts/bulk', [
      { id: '3', title: 'three' },
      { id: 1, title: 'one', price: '1.00' },
      { id: '2', qty: 5 },
    ])
    expect(status).toBe(200)
    expect(
      body.data.map(({ id, attributes }: Shown) => [id, attributes.title, attributes.qty]),
    ).toEqual([
      ['3', 'three', 1],
      ['1', 'one', 1],
      ['2', 't2', 5],
    ])
    expect(await titles()).toEqual(['one', 't2', 'three'])
    expect(called.slice(0, 3)).toEqual([
      ['beforeUpdate', 't3', 'three'],
      ['beforeUpdate', 't1', 'one'],
      ['beforeUpdate', 't2', undefined],
    ])
    expect(called.at(-1)).toEqual(['afterBulk', 'update', ['three', 'one', 't2']])
    expect(await send('POST', 'posts/bulk/update', [{ id: '2', title: 'two' }])).toMatchObject({
      status: 200,
      body: { data: [{ id: '2', attributes: { title: 'two' } }] },
    })
  })

  it('deletes those that are named', async () => {
    for (const id of [1, 2, 3, 4]) await make(id)
    expect(await post('posts/bulk/delete', { ids: ['3', 1] })).toMatchObject({ status: 204 })
    expect(await titles()).toEqual(['t2', 't4'])
    expect(called).toEqual([
      ['beforeDelete', 't3'],
      ['beforeDelete', 't1'],
      ['afterDelete', 't3'],
      ['afterDelete', 't1'],
      ['afterBulk', 'delete', ['t3', 't1']],
    ])
    expect(await send('DELETE', 'posts/bulk/delete', ['2'])).toMatchObject({ status: 204 })
    expect(await titles()).toEqual(['t4'])
  })
}

function namesWhatIsWrong(): void {
  it('validates all before anything is written, and names the place of each', async () => {
    await make(1)
    await make(2)
    await project.insert('categories', { id: 8, name: 'hidden' })
    const before = await everything()
    const store = await post('posts/bulk', [
      { slug: 'a' },
      { title: 'b', slug: 'b', category_id: '77', qty: 'x' },
      { title: 'c', slug: 'c', category_id: '8', titel: 'c' },
    ])
    expect(store).toMatchObject({
      status: 422,
      body: {
        errors: {
          '0.title': ['The title field is required.'],
          '1.category_id': [expect.stringContaining('exists')],
          '1.qty': [expect.any(String)],
          '2.category_id': [expect.stringContaining('exists')],
          '2.titel': [expect.stringContaining("'title' is")],
        },
      },
    })
    const update = await patch('posts/bulk', [
      { id: '2', title: null },
      { id: '1', qty: 'x' },
    ])
    expect(Object.keys(update.body.errors)).toEqual(['0.title', '1.qty'])
    const hook = await post('posts/bulk', [
      { title: 'fine', slug: 'a' },
      { title: 'refused', slug: 'b' },
    ])
    expect(hook.body.errors).toEqual({ '1.title': ['The title is refused.'] })
    expect(await everything()).toBe(before)
  })

  it.each([
    ['POST', [], ['body']],
    ['PATCH', [], ['body']],
    ['POST', {}, ['body']],
    ['POST', [1, { title: 'a', slug: 'a' }, null, []], ['0', '2', '3']],
    ['PATCH', [{ title: 'a' }, { id: null }, { id: {} }], ['0.id', '1.id', '2.id']],
    ['PATCH', [{ id: '1' }, { id: '2' }, { id: 1 }], ['2.id']],
  ])('%s refuses %j', async (method, body, named) => {
    await make(1)
    await make(2)
    const { status, body: answer } = await send(method, 'posts/bulk', body)
    expect([status, Object.keys(answer.errors)]).toEqual([422, named])
  })

  it.each([
    [{ ids: [] }, ['ids']],
    [{}, ['ids']],
    [{ ids: ['1', '2', '1'] }, ['ids.2']],
    [{ ids: [null, '1'] }, ['ids.0']],
    [{ ids: ['1'], more: 1 }, ['more']],
    [{ ids: [{ id: '1', title: 'x' }] }, ['ids.0']],
  ])('deletes nothing of %j', async (body, named) => {
    await make(1)
    await make(2)
    const answer = await post('posts/bulk/delete', body)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, named])
    expect(await titles()).toEqual(['t1', 't2'])
  })

  it('names what is not there and what is refused, and nothing is written', async () => {
    await make(1)
    await make(2, { owner_id: bob })
    await make(3, { owner_id: bob, is_live: true })
    const before = await everything()
    const missing = await patch('posts/bulk', [
      { id: '1' },
      { id: '3' },
      { id: '2' },
      { id: '99' },
      { id: 'x' },
    ])
    expect(missing).toMatchObject({ status: 404, body: { message: 'Not found.' } })
    expect(Object.keys(missing.body.errors)).toEqual(['2.id', '3.id', '4.id'])
    const refused = await patch('posts/bulk', [
      { id: '1', title: '' },
      { id: '3', title: '' },
    ])
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([403, ['1.id']])
    const gone = await post('posts/bulk/delete', { ids: ['1', '2'] })
    expect([gone.status, Object.keys(gone.body.errors)]).toEqual([404, ['ids.1']])
    const kept = await post('posts/bulk/delete', { ids: ['1', '3'] })
    expect([kept.status, Object.keys(kept.body.errors)]).toEqual([403, ['ids.1']])
    // A policy's condition holds for the row afterwards as well.
    const stored = await post('posts/bulk', [
      { title: 'a', slug: 'a' },
      { title: 'b', slug: 'b', qty: 1000 },
    ])
    expect([stored.status, Object.keys(stored.body.errors)]).toEqual([403, ['1.id']])
    await make(4)
    const now = await everything()
    const after = await patch('posts/bulk', [
      { id: '1', qty: 2 },
      { id: '4', qty: 1000 },
    ])
    expect([after.status, Object.keys(after.body.errors)]).toEqual([403, ['1.id']])
    expect(await everything()).toBe(now)
    expect(before).not.toBe(now)
  })

  it('tells what is taken, of the later one inside the request', async () => {
    await make(1)
    const before = await everything()
    const { status, body } = await post('posts/bulk', [
      { title: 'a', slug: 'a' },
      { title: 'b', slug: 's1' },
      { title: 'c', slug: 'c' },
      { title: 'd', slug: 'a' },
    ])
    expect([status, body.errors]).toEqual([
      422,
      {
        '1.slug': ['The slug has already been taken.'],
        '3.slug': ['The slug has already been taken.'],
      },
    ])
    expect(await everything()).toBe(before)
    await make(2)
    await make(3)
    const same = await patch('posts/bulk', [
      { id: '1', slug: 'new' },
      { id: '2', slug: 'new' },
      { id: '3', title: 'x' },
    ])
    expect([same.status, Object.keys(same.body.errors)]).toEqual([422, ['1.slug']])
    await make(4)
    const other = await patch('posts/bulk', [
      { id: '3', slug: 's4' },
      { id: '2', title: 'y' },
    ])
    expect([other.status, Object.keys(other.body.errors)]).toEqual([422, ['0.slug']])
  })
}

function exchangesUniqueValues(name: DatabaseName): void {
  it('lets a value go from one to another, and refuses an exchange', async () => {
    for (const id of [1, 2, 3]) await make(id)
    const moved = await patch('posts/bulk', [
      { id: '1', slug: 's2' },
      { id: '2', slug: 's3' },
      { id: '3', slug: 's4' },
    ])
    expect(moved.status).toBe(200)
    expect(await rows('select slug from posts order by id')).toEqual(['s2', 's3', 's4'])
    const exchanged = await patch('posts/bulk', [
      { id: '1', slug: 's3' },
      { id: '2', slug: 's2' },
    ])
    expect([exchanged.status, Object.keys(exchanged.body.errors)]).toEqual([
      409,
      ['0.id', '1.id'].map((each) => each.replace('.id', '')),
    ])
    expect(await rows('select slug from posts order by id')).toEqual(['s2', 's3', 's4'])
  })

  it.each([100, 101, 250])('refuses an exchange among %i records', async (count) => {
    const many = Array.from({ length: count }, (_, at) => ({ title: 't', slug: `s${at}` }))
    const { body } = await post('posts/bulk', many)
    const ids = body.data.map(({ id }: Shown) => id)
    const around = ids.map((id: string, at: number) => ({ id, slug: `s${(at + 1) % count}` }))
    const answer = await patch('posts/bulk', around)
    expect(answer.status).toBe(409)
    const slugs = many.map(({ slug }) => slug)
    expect(await rows('select slug from posts order by id')).toEqual(slugs)
  })

  it('shifts many values in as many statements as few', async () => {
    const shift = async (count: number) => {
      await run('delete from posts')
      const many = Array.from({ length: count }, (_, at) => ({ title: 't', slug: `s${at}` }))
      const { body } = await post('posts/bulk', many)
      const ids = body.data.map(({ id }: Shown) => id)
      // PostgreSQL may have noticed the table when it was empty, and plans as if it still were.
      await run('analyze posts')
      const up = ids.map((id: string, at: number) => ({ id, slug: `s${at + 1}` }))
      const { status, body: said, statements } = await patch('posts/bulk', up)
      expect(status).toBe(200)
      expect(said.data.map(({ id }: Shown) => id)).toEqual(ids)
      const slugs = up.map(({ slug }: { slug: string }) => slug)
      expect(await rows('select slug from posts order by id')).toEqual(slugs)
      const down = ids.map((id: string, at: number) => ({ id, slug: `s${at}`, title: 'down' }))
      expect((await patch('posts/bulk', down.toReversed())).status).toBe(200)
      expect(await rows('select slug from posts order by id')).toEqual(
        down.map(({ slug }: { slug: string }) => slug),
      )
      return statements.length
    }
    const most = await shift(200)
    expect(await shift(400)).toBe(most)
    expect(most).toBeLessThan(40)
    if (name === 'sqlite') expect(await run('select name from temp.sqlite_master')).toEqual([])
  })

  it('looks for what is refused in a bounded number of statements', async () => {
    const many = Array.from({ length: 300 }, (_, at) => ({ title: `m${at}`, slug: `m${at}` }))
    const made = await post('posts/bulk', many)
    const ids = made.body.data.map(({ id }: Shown) => id)
    const again = await post('posts/bulk', many)
    expect([again.status, Object.keys(again.body.errors).length]).toEqual([422, 100])
    expect(again.statements.length).toBeLessThan(2_000)
    const last = await post('posts/bulk', [
      ...many.map(({ slug, ...rest }) => ({ ...rest, slug: `n${slug}` })),
      { title: 'last', slug: 'm7' },
    ])
    expect([last.status, Object.keys(last.body.errors)]).toEqual([422, ['300.slug']])
    expect(last.statements.length).toBeLessThan(120)
    const to = (by: number) =>
      patch(
        'posts/bulk',
        ids.map((id: string, at: number) => ({ id, slug: `m${at + by}` })),
      )
    // Each takes what the next one has, and then what the one before has.
    for (const by of [1, 2, 1, 0]) {
      const moved = await to(by)
      expect([by, moved.status]).toEqual([by, 200])
      expect(moved.statements.length).toBeLessThan(5_000)
    }
  })
}

function boundsRequests(): void {
  it('takes as many as the repository or the config says, and no larger body', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `c${at}` }))
    expect(await post('categories/bulk', many(3))).toMatchObject({ status: 201 })
    expect(await post('categories/bulk', many(4))).toMatchObject({ status: 413 })
    const ids = { ids: ['1', '2', '3', '4'] }
    expect(await post('categories/bulk/delete', ids)).toMatchObject({ status: 413 })
    expect(await post('posts/bulk', many(1001))).toMatchObject({ status: 413 })
    const half = { title: 'x'.repeat(600_000), slug: 'a' }
    expect((await post('posts/bulk', [half, half])).body.errors).toHaveProperty(['0.title'])
    const whole = [
      { title: 'a', slug: 'a' },
      { title: 'x'.repeat(1_100_000), slug: 'b' },
    ]
    expect(await post('posts/bulk', whole)).toMatchObject({
      status: 413,
      body: { message: 'A record of the request body is larger than 1048576 bytes.' },
    })
    expect(await post('posts/bulk', [{ title: 'x'.repeat(8_400_000) }])).toMatchObject({
      status: 413,
    })
  })

  it('is 400 for parameters and for headers about one record', async () => {
    expect(await post('posts/bulk?x=1', [{}])).toMatchObject({ status: 400 })
    const headers = { 'If-Match': '"1"' }
    expect(await send('PATCH', 'codes/bulk', [{ id: 'x' }], headers)).toMatchObject({ status: 400 })
  })

  it('answers ids alone where that is wanted', async () => {
    const headers = { Prefer: 'return=minimal' }
    const made = await send('POST', 'posts/bulk', [{ title: 'a', slug: 'a' }], headers)
    expect(made.status).toBe(201)
    expect(made.body).toEqual({ data: [{ id: expect.any(String), type: 'posts' }] })
    expect(made.headers.get('Preference-Applied')).toBe('return=minimal')
    const [{ id }] = made.body.data
    const changed = await send('PATCH', 'posts/bulk', [{ id, title: 'b' }], headers)
    expect([changed.status, changed.body]).toEqual([200, { data: [{ id, type: 'posts' }] }])
    expect(called.at(-1)).toEqual(['afterBulk', 'update', ['b']])
  })

  it('says what is no object together with what is wrong with the others', async () => {
    const all = await post('posts/bulk', [7, { slug: 'a' }, null, { title: 'b', qty: 'x' }])
    const object = ['Each record must be an object.']
    expect([all.status, all.body.errors]).toEqual([
      422,
      {
        0: object,
        '1.title': ['The title field is required.'],
        2: object,
        '3.slug': ['The slug field is required.'],
        '3.qty': ['The qty must be a number.'],
      },
    ])
    await make(1)
    const some = await patch('posts/bulk', [{ id: '1', title: 'x' }, [], { title: 'y' }, 'z'])
    expect([some.status, some.body.errors]).toEqual([
      422,
      { 1: object, '2.id': ['The id field is required.'], 3: object },
    ])
    expect(await titles()).toEqual(['t1'])
  })
}

function keepsVersions(): void {
  it('changes the version of each, or is 409 of those that are older', async () => {
    const made = await post('codes/bulk', [{ code: 'a' }, { code: 'b' }, { code: 'c' }])
    const ids = made.body.data.map(({ id }: Shown) => id)
    expect(
      made.body.data.map(({ attributes, meta }: Shown) => [attributes.code, meta.version]),
    ).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ])
    const changed = await patch('codes/bulk', [
      { id: ids[2], code: 'c2', version: 1 },
      { id: ids[0], code: 'a2' },
    ])
    expect(changed.body.data.map(({ meta }: Shown) => meta.version)).toEqual([2, 2])
    const old = await patch('codes/bulk', [
      { id: ids[0], code: 'a3', version: 2 },
      { id: ids[1], code: 'b3', version: 1 },
      { id: ids[2], code: 'c3', version: 1 },
    ])
    expect([old.status, Object.keys(old.body.errors)]).toEqual([409, ['2.version']])
    expect(await rows('select code from codes order by code')).toEqual(['a2', 'b', 'c2'])
    const wrong = await patch('codes/bulk', [{ id: ids[0], version: '1' }])
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['0.version']])
    const [first, second] = [
      { id: ids[0], version: 1 },
      { id: ids[1], version: 1 },
    ]
    expect((await post('codes/bulk/delete', { ids: [second, first] })).status).toBe(409)
    expect((await post('codes/bulk/delete', { ids: [second, ids[0]] })).status).toBe(204)
  })

  it('names a version that is required, by its column where a field is called so', async () => {
    const made = await post('locks/bulk', [{ version: 'text' }])
    const [{ id, meta }] = made.body.data
    expect(meta.version).toBe(1)
    const without = await patch('locks/bulk', [{ id, version: 'more' }])
    const why = 'Say which version you change: lock_version beside the id of each record.'
    expect([without.status, without.body]).toEqual([
      428,
      { message: why, errors: { '0.lock_version': [why] } },
    ])
    const named = await patch('locks/bulk', [{ id, version: 'more', lock_version: 1 }])
    expect([named.status, named.body.data[0].meta.version]).toEqual([200, 2])
  })
}

function actsOnOtherFeatures(): void {
  it('puts what is deleted into the trash, each with what goes along', async () => {
    const { body } = await post('folders/bulk', [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
    const [a, b] = body.data.map(({ id }: Shown) => id)
    for (const folder of [a, b]) {
      await project.insert('files', { path: `of ${folder}`, folder_id: Number(folder) })
    }
    expect((await post('folders/bulk/delete', { ids: [b, a] })).status).toBe(204)
    expect((await project.get(`${api}/folders`, ann)).body.meta.total).toBe(1)
    expect((await project.get(`${api}/files`, ann)).body.meta.total).toBe(0)
    expect((await post('folders/bulk/delete', { ids: [b] })).status).toBe(404)
    expect((await post(`folders/${a}/restore`, {})).status).toBe(200)
    const files = await project.get(`${api}/files`, ann)
    expect(files.body.data.map(({ attributes }: Shown) => attributes.path)).toEqual([`of ${a}`])
    expect((await post('folders/bulk', [{ name: 'b' }])).status).toBe(201)
  })

  it('counts e-mails of users as attempts, and sets no password', async () => {
    const secret = await post('users/bulk', [
      { name: 'x', email: 'x@x.test', password: 'correct horse' },
    ])
    expect([secret.status, Object.keys(secret.body.errors)]).toEqual([422, ['0.password']])
    const two = await post('users/bulk', [
      { name: 'x', email: 'x@x.test' },
      { name: 'y', email: 'Y@x.test' },
    ])
    expect(two.status).toBe(201)
    const form = { email: 'x@x.test', password: 'null' }
    expect((await project.post('/api/login', form)).status).toBe(401)
    const taken = { name: 'z', email: 'x@x.test' }
    const statuses: number[] = []
    for (let at = 0; at < 62; at++) {
      statuses.push((await post('users/bulk', [taken])).status)
      if (statuses.at(-1) === 429) break
    }
    expect(new Set(statuses)).toEqual(new Set([422, 429]))
    const [x, y] = two.body.data.map(({ id }: Shown) => id)
    const changed = await patch(
      'users/bulk',
      [
        { id: x, email: 'x2@x.test' },
        { id: y, email: 'y@x.test' },
      ],
      bob,
    )
    expect(changed.status).toBe(200)
    expect(await rows("select email from users where email like '%x.test' order by id")).toEqual([
      'x2@x.test',
      'y@x.test',
    ])
  })

  it('stores what requires a password where a hook fills it', async () => {
    const answer = await post('safes/bulk', [{ name: 'a' }, { name: 'b' }])
    expect(answer.status).toBe(201)
    const codes = await rows('select code from safes order by id')
    expect(codes.map((code) => String(code).startsWith('$argon2id$'))).toEqual([true, true])
  })

  it('sends as many statements for a hundred records as for two', async () => {
    const many = (count: number, start: number) =>
      Array.from({ length: count }, (_, at) => ({
        title: `m${start + at}`,
        slug: `m${start + at}`,
      }))
    const few = await post('posts/bulk', many(2, 0))
    const more = await post('posts/bulk', many(100, 10))
    expect(more.status).toBe(201)
    expect(more.statements.length).toBe(few.statements.length)
    const ids = (answer: typeof few) => answer.body.data.map(({ id }: Shown) => id)
    const change = (some: string[]) =>
      patch(
        'posts/bulk',
        some.map((id) => ({ id, title: `x${id}` })),
      )
    const [one, other] = [await change(ids(few)), await change(ids(more))]
    expect(other.body.data).toHaveLength(100)
    expect(other.statements.length).toBe(one.statements.length)
    const remove = (some: string[]) => post('posts/bulk/delete', { ids: some })
    const [first, second] = [await remove(ids(few)), await remove(ids(more))]
    expect(second.status).toBe(204)
    expect(second.statements.length).toBe(first.statements.length)
  })

  it('is for those alone whom the policy lets send so many', async () => {
    const made = await post('locks/bulk', [{ version: 'a' }])
    const [{ id }] = made.body.data
    expect(made.status).toBe(201)
    expect((await post('locks/bulk', [{ version: 'b' }], bob)).status).toBe(403)
    expect((await patch('locks/bulk', [{ id, version: 'b', lock_version: 1 }], bob)).status).toBe(
      403,
    )
    expect((await post('locks/bulk/delete', { ids: [id] }, bob)).status).toBe(403)
    expect((await project.post(`${api}/locks`, { version: 'c' }, bob)).status).toBe(201)
    const guest = await project.request('POST', `${api}/posts/bulk`, { body: '[]' })
    expect(guest.status).toBe(401)
  })
}

function answersGraphql(): void {
  const graphql = async (query: string, variables: object, as = ann) =>
    (await project.post('/graphql', { query, variables }, as)).body
  const related = '{ id title category { id name } owner { name } }'

  it('makes, changes and deletes them over GraphQL', async () => {
    const category = await project.insert('categories', { name: 'c' })
    const create = `mutation ($input: [PostInput!]!) { createPostList(input: $input) ${related} }`
    const input = [
      { title: 'a', slug: 'a', category_id: String(category) },
      { title: 'b', slug: 'b' },
    ]
    const { data } = await graphql(create, { input })
    const [first, second] = data.createPostList
    expect([first, second]).toEqual([
      {
        ...{ id: first.id, title: 'a', owner: { name: 'Ann' } },
        category: { id: String(category), name: 'c' },
      },
      { id: second.id, title: 'b', category: null, owner: { name: 'Ann' } },
    ])
    const update = `mutation ($input: [PostListInput!]!) { updatePostList(input: $input) { id title } }`
    const changes = [
      { id: second.id, title: 'bb' },
      { id: first.id, qty: 3 },
    ]
    expect((await graphql(update, { input: changes })).data.updatePostList).toEqual([
      { id: second.id, title: 'bb' },
      { id: first.id, title: 'a' },
    ])
    expect(called.at(-1)).toEqual(['afterBulk', 'update', ['bb', 'a']])
    const wrong = await graphql(create, { input: [{ title: 'c', slug: 'c' }, { slug: 'a' }] })
    expect(wrong.errors[0].extensions).toEqual({
      code: 'VALIDATION_FAILED',
      errors: { '1.title': ['The title field is required.'] },
    })
    const remove = `mutation ($ids: [ID!]!) { deletePostList(ids: $ids) }`
    const missing = await graphql(remove, { ids: [first.id, '99'] })
    expect(missing.errors[0].extensions).toMatchObject({ code: 'NOT_FOUND' })
    expect((await graphql(remove, { ids: [first.id, second.id] })).data.deletePostList).toBe(true)
    expect(await titles()).toEqual([])
    const four = { ids: ['1', '2', '3', '4'] }
    const many = `mutation ($ids: [ID!]!) { deleteCategoryList(ids: $ids) }`
    expect((await graphql(many, four)).errors[0].extensions.code).toBe('CONTENT_TOO_LARGE')
  })

  it('takes the version of each over GraphQL', async () => {
    const create = `mutation { createCodeList(input: [{ code: "a" }, { code: "b" }]) { id version } }`
    const made = (await graphql(create, {})).data.createCodeList
    expect(made.map(({ version }: { version: number }) => version)).toEqual([1, 1])
    const update = `mutation ($input: [CodeListInput!]!) { updateCodeList(input: $input) { version } }`
    const [one, two] = made
    const changed = await graphql(update, { input: [{ ...one, code: 'c' }] })
    expect(changed.data.updateCodeList).toEqual([{ version: 2 }])
    const old = await graphql(update, {
      input: [
        { ...two, code: 'd' },
        { ...one, code: 'e' },
      ],
    })
    expect(old.errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      errors: { '1.version': [expect.any(String)] },
    })
    const remove = `mutation ($input: [CodeListKey!]!) { deleteCodeList(input: $input) }`
    const conflict = await graphql(remove, { input: [one, two] })
    expect(conflict.errors[0].extensions.code).toBe('CONFLICT')
    const gone = await graphql(remove, { input: [{ id: one.id }, two] })
    expect(gone.data.deleteCodeList).toBe(true)
  })

  it('is there only where it is asked for', async () => {
    // A POST to the path of a record is refused.
    expect(await post('notes/bulk', [{ name: 'x' }])).toMatchObject({ status: 405 })
    const { status, body } = await patch('notes/bulk', [{ id: 1, name: 'x' }])
    expect([status, body.message]).toEqual([
      400,
      'The request body must be a JSON object: no list is taken at this address.',
    ])
  })
}

describe.each(databases)('limits of many records, on %s', (name) => {
  let project: Project
  let ann: number

  beforeAll(async () => {
    project = await openProject('features/bulk', name, {
      'config/svc.ts': (text) =>
        text
          .replace('response_bytes: 16_777_216', 'response_bytes: 2_000')
          .replace('bulk_rows: 1_000', 'bulk_rows: 30'),
    })
    ann = await project.user('Ann')
  })
  afterAll(() => project.close())

  const many = (count: number, start = 0) =>
    Array.from({ length: count }, (_, at) => ({ title: `t${start + at}`, slug: `s-${start + at}` }))

  it('answers ids where the records would be more than an answer may be', async () => {
    const few = await project.post('/api/svc/posts/bulk', many(2), ann)
    expect(Object.keys(few.body)).toEqual(['data'])
    const { status, body } = await project.post('/api/svc/posts/bulk', many(30, 10), ann)
    expect([status, body.meta]).toEqual([201, { shortened: true }])
    expect(body.data).toHaveLength(30)
    const { id } = body.data[29]
    expect(body.data[29]).toEqual({ id, type: 'posts' })
    const last = await project.get(`/api/svc/posts/${id}`, ann)
    expect(last.body.data.attributes.title).toBe('t39')
    const changed = await project.patch(
      '/api/svc/posts/bulk',
      body.data.map(({ id: each }: Shown) => ({ id: each, place: 1 })),
      ann,
    )
    expect([changed.status, changed.body.meta]).toEqual([200, { shortened: true }])
  })

  it('takes no more than the config says', async () => {
    expect((await project.post('/api/svc/posts/bulk', many(31, 50), ann)).status).toBe(413)
  })
})
