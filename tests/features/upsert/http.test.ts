/** `upsertBy`: makes a record, or changes the one that has its key. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, longTransactions, type Answer, type Project } from '../../support/project.js'

const called: unknown[][] = []
/** What somebody else does between the look and the write. */
let meanwhile: (moment: 'store' | 'update') => Promise<unknown> = async () => null
Object.assign(globalThis, {
  calledInUpsert: called,
  meanwhileInUpsert: (moment: 'store' | 'update') => meanwhile(moment),
})

const manifest = {
  manifest: 'tests/features/upsert/manifests/http.ts',
  edits: longTransactions,
  files: {
    'app/Policies/CouponPolicy.ts': `import type { CouponModel, PolicyFor } from '#app/Models.js'

export const CouponPolicy: PolicyFor<CouponModel> = {
  show: () => true,
  store: () => true,
  update: () => true,
  delete: () => true,
  canSee: { code: (user) => user?.name === 'Ann' },
}
`,
    'app/Hooks/ProductHooks.ts': `import type { HooksFor, ProductModel } from '#app/Models.js'
import { invalid } from '#runtime/errors.js'

const meanwhile = (moment: string) =>
  (globalThis as unknown as { meanwhileInUpsert: (moment: string) => Promise<void> }).meanwhileInUpsert(moment)
const say = (...what: unknown[]) => void (globalThis as unknown as { calledInUpsert: unknown[][] }).calledInUpsert.push(what)

export const ProductHooks: HooksFor<ProductModel> = {
  beforeStore: async ({ origin, isMany }, values) => {
    await meanwhile('store')
    if (values.title === 'refused') throw invalid({ title: ['The title is refused.'] })
    say('beforeStore', values.title, origin, isMany)
  },
  insideStore: (_, row) => say('insideStore', row.title),
  afterStore: (_, row) => say('afterStore', row.title),
  beforeUpdate: async (_, row, values) => {
    await meanwhile('update')
    say('beforeUpdate', row.title, values.title)
  },
  insideUpdate: (_, row, before) => say('insideUpdate', before.title, row.title),
  afterUpdate: (_, row) => say('afterUpdate', row.title),
  afterBulk: (_, rows, operation) => say('afterBulk', operation, rows.map(({ title }) => title)),
}
`,
  },
  policies: {
    User: { update: '() => true' },
    Product: {
      show: '(user) => any({ owner_id: user?.id }, { is_live: true })',
      store: "(user) => user?.name === 'Cyd' ? false : ({ qty: { lt: 1000 } })",
      update: '(user) => ({ owner_id: user?.id, qty: { lt: 1000 } })',
    },
    Draft: { show: '() => true', update: '(user) => ({ owner_id: user?.id })' },
  },
}

const api = '/api/svc'

let project: Project
let ann: number
let bob: number

const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])
const tables = [
  'lines',
  'orders',
  'products',
  'companies',
  'pages',
  'locks',
  'drafts',
  'rates',
  'coupons',
  'badges',
  'pairs',
]

const send = (
  path: string,
  body: unknown,
  { as = ann, headers = {} }: { as?: number; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  project.request('POST', `${api}/${path}`, {
    ...{ as, body: JSON.stringify(body) },
    headers: { 'Content-Type': 'application/json', ...headers },
  })
const put = (body: unknown, as = ann) => send('products?upsertBy=sku', body, { as })
const ask = async (query: string, as = ann) => {
  return (await project.post('/graphql', { query }, as)).body
}
const rows = async (sql: string) => (await run(sql)).map((row) => [...row])
const everything = async () => {
  const all = [...tables, 'users'].map((table) => run(`select * from "${table}" order by id`))
  return JSON.stringify(await Promise.all(all))
}
const product = (more: Record<string, unknown>) =>
  project.insert('products', {
    ...{ title: 'old', qty: 1, is_live: false, owner_id: ann },
    ...more,
  })

describe.each(databases)('a record that is made or changed by its key, on %s', (name) => {
  beforeAll(async () => void (project = await openManifest(manifest, name)))
  afterAll(() => project.close())
  beforeEach(async () => {
    for (const table of [...tables, 'notes', 'personal_access_tokens', 'users']) {
      await run(`delete from "${table}"`)
    }
    ann = await project.user('Ann')
    bob = await project.user('Bob')
    called.length = 0
    meanwhile = async () => null
  })

  describe('made or changed', () => {
    madeOrChanged()
  })
  describe('what its user may do and see', () => {
    policies()
  })

  describe('found by its key', () => {
    keys()
  })
  describe('many at once', () => {
    many()
  })

  describe('in other requests', () => {
    elsewhere()
  })
  describe('with others at the same time', () => {
    together()
  })
})

function madeOrChanged(): void {
  it('is made where there is none, as by POST', async () => {
    const made = await put({ title: 'Lamp', sku: 'a-1', price: '9.90' })
    expect(made).toMatchObject({
      status: 201,
      body: { data: { attributes: { title: 'Lamp', sku: 'a-1', price: '9.90', qty: 1 } } },
    })
    expect(made.body.meta).toEqual({ created: true })
    expect(made.headers.get('location')).toBe(`${api}/products/${made.body.data.id}`)
    expect(called).toEqual([
      ['beforeStore', 'Lamp', 'rest', false],
      ['insideStore', 'Lamp'],
      ['afterStore', 'Lamp'],
    ])
  })

  it('is changed where there is one, as by PATCH: what the body has', async () => {
    const id = await product({ sku: 'a-1', qty: 7, price: 5 })
    const changed = await put({ sku: 'a-1', title: 'new' })
    expect(changed).toMatchObject({
      status: 200,
      body: { data: { id: String(id), attributes: { title: 'new', sku: 'a-1', qty: 7 } } },
    })
    expect(changed.body.meta).toEqual({ created: false })
    expect(changed.headers.get('location')).toBeNull()
    expect(called).toEqual([
      ['beforeUpdate', 'old', 'new'],
      ['insideUpdate', 'old', 'new'],
      ['afterUpdate', 'new'],
    ])
    const alone = await project.patch(`${api}/products/${id}`, { title: 'new' }, ann)
    expect(changed.body.data.meta).toEqual(alone.body.data.meta)
  })

  it('is validated as what happens to it', async () => {
    await product({ sku: 'a-1' })
    const before = await everything()
    const made = await put({ sku: 'b-1', qty: 'x' })
    expect([made.status, Object.keys(made.body.errors)]).toEqual([422, ['title', 'qty']])
    const changed = await put({ sku: 'a-1', qty: 'x' })
    expect([changed.status, Object.keys(changed.body.errors)]).toEqual([422, ['qty']])
    expect(await put({ sku: 'c-1', title: 'refused' })).toMatchObject({ status: 422 })
    expect(await everything()).toBe(before)
  })

  it.each([
    [{ title: 'a' }, ['sku']],
    [{ title: 'a', sku: null }, ['sku']],
    [{ title: 'a', sku: 7, qty: 'x' }, ['qty', 'sku']],
    [{ sku: 'x'.repeat(41) }, ['sku']],
  ])('needs its key: %j', async (body, named) => {
    await product({ sku: null })
    const { status, body: answer } = await put(body)
    expect([status, Object.keys(answer.errors).toSorted()]).toEqual([422, named])
  })

  it.each([
    ['products?upsertBy=title', 'must be one of: sku · company_id,code'],
    ['products?upsertBy=', 'must be one of: sku · company_id,code'],
    ['products?upsertBy=sku,code', 'must be one of: sku · company_id,code'],
    ['products?upsertBy=id', 'must be one of: sku · company_id,code'],
    ['products?upsertBy=sku&upsertBy=sku', 'is given more than once'],
    ['pages?upsertBy=id', 'must be slug'],
    ['notes?upsertBy=name', 'is not known'],
    ['products/bulk?upsertBy=ean', 'must be one of: sku · company_id,code'],
    ['notes/bulk?upsertBy=name', 'is not known'],
    ['companies/1/products?upsertBy=sku', 'is not known'],
    ['products/bulk?upsertBy=sku&more=1', 'is not known'],
  ])('%s is 400', async (path, text) => {
    await project.insert('companies', { id: 1, name: 'c' })
    const answer = await send(path, { title: 'a', sku: 'a', name: 'a' })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body.errors)).toContain(text)
    expect(await rows('select count(*) from products')).toEqual(
      await rows('select 0 from companies'),
    )
  })

  it('means nothing to other writes', async () => {
    const id = await product({ sku: 'a-1' })
    const path = `${api}/products/${id}?upsertBy=sku`
    expect((await project.patch(path, { title: 'b' }, ann)).status).toBe(400)
    expect((await project.delete(path, ann)).status).toBe(400)
  })
}

function policies(): void {
  it('asks the policy of what happens, before and after', async () => {
    await product({ sku: 'theirs', owner_id: bob, is_live: true })
    await product({ sku: 'mine' })
    const cyd = await project.user('Cyd')
    await product({ sku: 'hers', owner_id: cyd })
    const before = await everything()
    expect((await put({ sku: 'theirs', title: 'a' })).status).toBe(403)
    expect((await put({ sku: 'new', title: 'a', qty: 1000 })).status).toBe(403)
    expect((await put({ sku: 'mine', qty: 1000 })).status).toBe(403)
    expect((await put({ sku: 'new', title: 'a' }, cyd)).status).toBe(403)
    expect((await put({ sku: 'mine', title: 'a' }, cyd)).status).toBe(403)
    expect(await everything()).toBe(before)
    expect((await put({ sku: 'hers', title: 'hers' }, cyd)).status).toBe(200)
  })

  it('answers a record that is not seen as POST does a value that is taken', async () => {
    await product({ sku: 'hidden', ean: 'e', owner_id: bob })
    const before = await everything()
    const plain = await send('products', { sku: 'hidden', title: 'a' })
    const asked = await put({ sku: 'hidden', title: 'a' })
    expect(plain.status).toBe(422)
    expect(told(asked)).toEqual(told(plain))
    // Nor is it validated as PATCH would.
    const short = [await send('products', { sku: 'hidden' }), await put({ sku: 'hidden' })]
    expect(short[1]?.body).toEqual(short[0]?.body)
    const many = [
      await send('products/bulk', [{ sku: 'hidden', title: 'a' }]),
      await send('products/bulk?upsertBy=sku', [{ sku: 'hidden', title: 'a' }]),
    ]
    expect(many[0]?.status).toBe(422)
    expect(many[1] && told(many[1])).toEqual(many[0] && told(many[0]))
    expect(await everything()).toBe(before)
  })

  it('does not tell which record has a value that a gate hides', async () => {
    await project.insert('coupons', { code: 'c', note: 'old' })
    const plain = await send('coupons', { code: 'c', note: 'new' }, { as: bob })
    const asked = await send('coupons?upsertBy=code', { code: 'c', note: 'new' }, { as: bob })
    expect(plain.status).toBe(422)
    expect(asked.body).toEqual(plain.body)
    const many = await send('coupons/bulk?upsertBy=code', [{ code: 'c' }], { as: bob })
    expect(many.status).toBe(422)
    expect(await rows('select note from coupons')).toEqual([['old']])
    expect((await send('coupons?upsertBy=code', { code: 'c', note: 'new' })).status).toBe(200)
  })
}

function keys(): void {
  it('takes several columns together, in any order, and none of them empty', async () => {
    const company = await project.insert('companies', { name: 'c' })
    const body = { company_id: String(company), code: 'x', title: 'one' }
    const made = await send('products?upsertBy=company_id,code', body)
    expect(made.status).toBe(201)
    const changed = await send('products?upsertBy=code,company_id', { ...body, title: 'two' })
    expect([changed.status, changed.body.data.id]).toEqual([200, made.body.data.id])
    const none = await send('products?upsertBy=company_id,code', { ...body, company_id: null })
    expect([none.status, Object.keys(none.body.errors)]).toEqual([422, ['company_id']])
    const other = await send('products?upsertBy=company_id,code', { ...body, company_id: '99' })
    expect([other.status, Object.keys(other.body.errors)]).toEqual([422, ['company_id']])
  })

  it('knows a value however it is written', async () => {
    const body = { day: '2026-02-03', price: '1.5', kind: 'a' }
    expect((await send('rates?upsertBy=day,price,kind', body)).status).toBe(201)
    const again = { ...body, price: 1.5, note: 'n' }
    expect(await send('rates?upsertBy=day,price,kind', again)).toMatchObject({
      status: 200,
      body: { data: { attributes: { note: 'n', price: '1.50' } } },
    })
    const large = '9007199254740993'
    expect((await send('badges?upsertBy=code', { code: large })).status).toBe(201)
    expect(await send('badges?upsertBy=code', { code: large, note: 'n' })).toMatchObject({
      status: 200,
      body: { data: { attributes: { code: large, note: 'n' } } },
    })
    expect((await send('badges?upsertBy=code', { code: '9007199254740992' })).status).toBe(201)
  })

  it('finds people by their e-mail in any case, whoever wrote it', async () => {
    const cyd = await project.insert('users', {
      ...{ name: 'Cyd', email: 'Cyd@X.org', is_admin: false },
    })
    const changed = await send('users?upsertBy=email', { email: 'cYd@x.org', name: 'Cyd' })
    expect([changed.status, changed.body.data?.id]).toEqual([200, String(cyd)])
    const many = await send('users/bulk?upsertBy=email', [
      { email: 'new@x.org', name: 'New' },
      { email: 'CYD@x.org', name: 'C' },
    ])
    expect([many.status, many.body.meta.created]).toEqual([200, [true, false]])
  })

  it('is not there while it is in the trash', async () => {
    const path = 'drafts?upsertBy=owner_id,slug'
    const first = await send(path, { slug: 's', body: 'one' })
    expect(first.status).toBe(201)
    expect((await send(path, { slug: 's', body: 'two' })).status).toBe(200)
    // The owner is who asks, and not in the body.
    expect((await send(path, { slug: 's' }, { as: bob })).status).toBe(201)
    await project.delete(`${api}/drafts/${first.body.data.id}`, ann)
    const second = await send(path, { slug: 's', body: 'three' })
    expect(second.status).toBe(201)
    expect(second.body.data.id).not.toBe(first.body.data.id)
    const many = await send('drafts/bulk?upsertBy=slug,owner_id', [{ slug: 's' }, { slug: 't' }])
    expect([many.status, many.body.meta.created]).toEqual([200, [false, true]])
  })

  it('counts versions, and changes the one that is named or none', async () => {
    const path = 'pages?upsertBy=slug'
    const made = await send(path, { slug: 's' })
    expect([made.status, made.headers.get('etag')]).toEqual([201, '"1"'])
    const changed = await send(path, { slug: 's', body: 'b' }, { headers: { 'If-Match': '"1"' } })
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"'])
    const stale = await send(path, { slug: 's', body: 'c' }, { headers: { 'If-Match': '"1"' } })
    expect([stale.status, stale.headers.get('etag')]).toEqual([412, '"2"'])
    for (const tag of ['"1"', '*']) {
      const none = await send(path, { slug: 'n' }, { headers: { 'If-Match': tag } })
      expect([none.status, none.headers.get('etag')]).toEqual([412, null])
    }
    expect((await send(path, { slug: 's' }, { headers: { 'If-Match': 'x' } })).status).toBe(400)
    expect(await rows('select slug, body, version from pages')).toEqual([['s', 'b', 2]])
    expect((await send('products?upsertBy=sku', {}, { headers: { 'If-Match': '*' } })).status).toBe(
      400,
    )
  })

  it('needs a version of what is there, where the repository does', async () => {
    expect((await send('locks?upsertBy=slug', { slug: 's' })).status).toBe(201)
    expect((await send('locks?upsertBy=slug', { slug: 's', body: 'b' })).status).toBe(428)
    const headers = { 'If-Match': '"1"' }
    expect((await send('locks?upsertBy=slug', { slug: 's', body: 'b' }, { headers })).status).toBe(
      200,
    )
    const unmatched = { headers: { 'If-None-Match': '*' } }
    expect((await send('locks?upsertBy=slug', { slug: 'new' }, unmatched)).status).toBe(400)
    const many = await send('locks/bulk?upsertBy=slug', [{ slug: 'n' }, { slug: 's' }])
    expect([many.status, Object.keys(many.body.errors)]).toEqual([428, ['1.version']])
    const stale = await send('locks/bulk?upsertBy=slug', [{ slug: 's', version: 1 }])
    expect([stale.status, Object.keys(stale.body.errors)]).toEqual([409, ['0.version']])
    const gone = await send('locks/bulk?upsertBy=slug', [{ slug: 'n', version: 1 }])
    expect([gone.status, Object.keys(gone.body.errors)]).toEqual([409, ['0.version']])
    const fine = await send('locks/bulk?upsertBy=slug', [{ slug: 's', version: 2 }, { slug: 'n' }])
    expect([fine.status, fine.body.data.map((each: Shown) => each.meta.version)]).toEqual([
      200,
      [3, 1],
    ])
    expect(
      await ask('mutation { upsertLock(by: slug, input: { slug: "s" }) { id } }'),
    ).toMatchObject({ errors: [{ extensions: { code: 'PRECONDITION_REQUIRED' } }] })
    expect(
      await ask('mutation { upsertLock(by: slug, input: { slug: "s", version: 3 }) { version } }'),
    ).toEqual({ data: { upsertLock: { version: 4 } } })
  })
}

function many(): void {
  it('makes and changes many, in the order of the body', async () => {
    const id = await product({ sku: 'b', qty: 7 })
    const { status, body } = await send('products/bulk?upsertBy=sku', [
      { sku: 'a', title: 'A' },
      { sku: 'b', title: 'B' },
      { sku: 'c', title: 'C', qty: 3 },
    ])
    expect([status, body.meta]).toEqual([200, { created: [true, false, true] }])
    expect(body.data.map((each: Shown) => [each.attributes.title, each.attributes.qty])).toEqual([
      ['A', 1],
      ['B', 7],
      ['C', 3],
    ])
    expect(body.data[1].id).toBe(String(id))
    expect(called).toEqual([
      ['beforeUpdate', 'old', 'B'],
      ['beforeStore', 'A', 'rest', true],
      ['beforeStore', 'C', 'rest', true],
      ['insideUpdate', 'old', 'B'],
      ['insideStore', 'A'],
      ['insideStore', 'C'],
      ['afterUpdate', 'B'],
      ['afterBulk', 'update', ['B']],
      ['afterStore', 'A'],
      ['afterStore', 'C'],
      ['afterBulk', 'store', ['A', 'C']],
    ])
    const all = await send('products/bulk?upsertBy=sku', [{ sku: 'd', title: 'D' }])
    expect([all.status, all.body.meta]).toEqual([201, { created: [true] }])
    const minimal = await send('products/bulk?upsertBy=sku', [{ sku: 'd' }], {
      headers: { Prefer: 'return=minimal' },
    })
    expect(minimal.body).toEqual({
      data: [{ id: all.body.data[0].id, type: 'products' }],
      meta: { created: [false] },
    })
  })

  it('validates all of many before anything is written', async () => {
    await product({ sku: 'b' })
    await product({ sku: 'theirs', owner_id: bob, is_live: true })
    await product({ sku: 'taken', ean: 'e' })
    const before = await everything()
    const wrong = await send('products/bulk?upsertBy=sku', [
      { sku: 'a', titel: 'A' },
      { sku: 'b', qty: 'x' },
      { sku: 'c', title: 'C' },
    ])
    expect(wrong.status).toBe(422)
    expect(Object.keys(wrong.body.errors).toSorted()).toEqual(['0.titel', '0.title', '1.qty'])
    const keys = await send('products/bulk?upsertBy=sku', [
      { sku: 'a', title: 'A' },
      { title: 'B' },
      { sku: 'a', title: 'C' },
      { sku: null },
      'a',
    ])
    expect(keys.body.errors).toEqual({
      4: ['Each record must be an object.'],
      '1.sku': ['The sku field is required.'],
      '2.sku': ['The sku field is in the list already.'],
      '3.sku': ['The sku must not be null.'],
    })
    const denied = await send('products/bulk?upsertBy=sku', [{ sku: 'x' }, { sku: 'theirs' }])
    expect([denied.status, Object.keys(denied.body.errors)]).toEqual([403, ['1.id']])
    const taken = await send('products/bulk?upsertBy=sku', [
      { sku: 'b', title: 'B' },
      { sku: 'new', title: 'N', ean: 'e' },
    ])
    expect([taken.status, Object.keys(taken.body.errors)]).toEqual([422, ['1.ean']])
    expect((await send('rates/bulk?upsertBy=day,price,kind', [{}, {}, {}, {}])).status).toBe(413)
    expect((await send('products/bulk?upsertBy=sku', [])).status).toBe(422)
    expect(await everything()).toBe(before)
  })

  it('is made with what is below it, and changed without', async () => {
    const lines = [{ what: 'a' }, { what: 'b' }]
    const made = await send('orders?upsertBy=number', { number: '1', lines })
    expect(made.status).toBe(201)
    const changed = await send('orders?upsertBy=number', { number: '1', lines })
    expect([changed.status, Object.keys(changed.body.errors)]).toEqual([422, ['lines']])
    const many = await send('orders/bulk?upsertBy=number', [
      { number: '1', note: 'n' },
      { number: '2', lines },
      { number: '3', lines: [{ what: 'c' }] },
    ])
    expect([many.status, many.body.meta.created]).toEqual([200, [false, true, true]])
    expect(await rows('select what from lines order by id')).toEqual(
      ['a', 'b', 'a', 'b', 'c'].map((what) => [what]),
    )
    const wrong = await send('orders/bulk?upsertBy=number', [
      { number: '1', note: 'n' },
      { number: '4', lines: [{ what: 'd' }, { what: null }] },
    ])
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['1.lines.1.what']])
  })
}

function elsewhere(): void {
  it('is tried without being written', async () => {
    await product({ sku: 'b' })
    const before = await everything()
    const one = await send('products?upsertBy=sku&dryRun=true', { sku: 'a', title: 'A' })
    expect([one.status, one.body.meta]).toEqual([
      200,
      { created: true, dryRun: true, affected: { products: 1 } },
    ])
    const many = await send('products/bulk?dryRun=true&upsertBy=sku', [
      { sku: 'a', title: 'A' },
      { sku: 'b', title: 'B' },
    ])
    expect([many.status, many.body.meta]).toEqual([
      200,
      { created: [true, false], dryRun: true, affected: { products: 2 } },
    ])
    expect(await everything()).toBe(before)
  })

  it('is repeated with its key, and answered as it was', async () => {
    const headers = { 'Idempotency-Key': 'k' }
    const first = await send('products?upsertBy=sku', { sku: 'a', title: 'A' }, { headers })
    const again = await send('products?upsertBy=sku', { sku: 'a', title: 'A' }, { headers })
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    const other = await send('products', { sku: 'a', title: 'A' }, { headers })
    expect(other.status).toBe(422)
    expect(called.filter(([what]) => what === 'afterStore')).toHaveLength(1)
  })

  it('is the same through GraphQL', async () => {
    const one = (sku: string, title: string) =>
      ask(
        `mutation { upsertProduct(by: sku, input: { sku: "${sku}", title: "${title}" }) { sku title owner { id } } }`,
      )
    const made = await one('a', 'A')
    expect(made).toMatchObject({ data: { upsertProduct: { sku: 'a', title: 'A' } } })
    expect(await one('a', 'B')).toMatchObject({ data: { upsertProduct: { title: 'B' } } })
    expect(await rows('select sku, title from products')).toEqual([['a', 'B']])
    expect(
      await ask('mutation { upsertProduct(by: sku, input: { title: "x" }) { id } }'),
    ).toMatchObject({ errors: [{ extensions: { errors: { sku: [expect.any(String)] } } }] })
    const company = await project.insert('companies', { name: 'c' })
    const list = `[{ company_id: "${company}", code: "a", title: "A" }, { company_id: "${company}", code: "b", title: "B" }]`
    const many = () =>
      ask(`mutation { upsertProductList(by: company_id_code, input: ${list}) { id title } }`)
    const [first, second] = [await many(), await many()]
    expect(first.data.upsertProductList).toHaveLength(2)
    expect(second).toEqual(first)
  })
}

function together(): void {
  it('is made once, whoever asks at the same time', async () => {
    const asked = Array.from({ length: 24 }, (_, at) => put({ sku: 'one', title: `t${at}` }))
    const answers = await Promise.all(asked)
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((each) => each === 201)).toHaveLength(1)
    expect(statuses.filter((each) => each === 200)).toHaveLength(23)
    expect(await rows('select count(*) from products')).toMatchObject([[expect.anything()]])
    expect((await project.get(`${api}/products`, ann)).body.meta.total).toBe(1)
  })

  it('is made once, whoever sends lists at the same time, and in whatever order', async () => {
    const skus = ['a', 'b', 'c', 'd', 'e']
    const asked = Array.from({ length: 12 }, (_, at) => {
      const list = skus.map((sku) => ({ sku, title: `t${at}` }))
      return send('products/bulk?upsertBy=sku', at % 2 === 0 ? list : list.toReversed())
    })
    const answers = await Promise.all(asked)
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].filter((each) => ![200, 201, 409].includes(each))).toEqual([])
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect((await project.get(`${api}/products`, ann)).body.meta.total).toBe(5)
  })

  it('asks anew what is there where somebody else was faster', async () => {
    const once = (work: () => Promise<unknown>) => {
      meanwhile = () => {
        meanwhile = async () => null
        return work()
      }
    }
    once(() => product({ sku: 'a', qty: 5 }))
    expect(await put({ sku: 'a', title: 'made by another' })).toMatchObject({
      status: 200,
      body: { data: { attributes: { qty: 5 } } },
    })
    once(() => run("update products set sku = 'b'"))
    expect(await put({ sku: 'a', title: 'renamed by another' })).toMatchObject({ status: 201 })
    once(() => run("delete from products where sku = 'a'"))
    expect(await put({ sku: 'a', title: 'deleted by another' })).toMatchObject({ status: 201 })
    once(() => product({ sku: 'c', owner_id: bob }))
    expect(await put({ sku: 'c', title: 'made and hidden' })).toMatchObject({ status: 422 })
    const both = [
      { sku: 'a', title: 'A' },
      { sku: 'd', title: 'D' },
    ]
    for (const work of [
      () => product({ sku: 'd', qty: 5 }),
      () => run("update products set sku = 'x' where sku = 'a'"),
      () => run("delete from products where sku = 'd'"),
    ]) {
      once(work)
      expect((await send('products/bulk?upsertBy=sku', both)).status).toBe(200)
    }
    expect(
      await rows("select sku, qty from products where sku in ('a', 'd') order by sku"),
    ).toEqual([
      ['a', 1],
      ['d', 1],
    ])
  })

  it('is 409 where it is something else each time', async () => {
    meanwhile = (moment) =>
      moment === 'store' ? product({ sku: 'a' }) : run("delete from products where sku = 'a'")
    const answer = await put({ sku: 'a', title: 'A' })
    expect([answer.status, called.map(([what]) => what)]).toEqual([
      409,
      ['beforeStore', 'beforeUpdate', 'beforeStore'],
    ])
    called.length = 0
    await run('delete from products')
    const many = await send('products/bulk?upsertBy=sku', [{ sku: 'a', title: 'A' }])
    expect([many.status, called.length]).toEqual([409, 3])
  })

  it('has a name in GraphQL for each of two keys that would read the same', async () => {
    const write = (by: string, input: string) =>
      ask(`mutation { upsertPair(by: ${by}, input: { ${input} }) { a b_c a_b c } }`)
    const pair = { a: 1, b_c: 2, a_b: 3, c: 4 }
    await write('a_b__c', 'a: 1, b_c: 2, a_b: 3, c: 4')
    expect(await write('a__b_c', 'a: 1, b_c: 2, c: 5')).toEqual({
      data: { upsertPair: { ...pair, c: 5 } },
    })
    expect(await write('a_b__c', 'a_b: 3, c: 5, a: 6')).toEqual({
      data: { upsertPair: { ...pair, c: 5, a: 6 } },
    })
    expect(await rows('select count(*) from pairs')).toHaveLength(1)
  })

  it('takes a fixed number of statements', async () => {
    const pages = (count: number) =>
      send(
        'pages/bulk?upsertBy=slug',
        Array.from({ length: count }, (_, at) => ({ slug: `s${at}` })),
      )
    const [few, more] = [await pages(2), await pages(100)]
    expect([few.status, more.status]).toEqual([201, 200])
    const again = await pages(100)
    expect(again.statements.length).toBe((await pages(2)).statements.length)
  })
}

/** All that a client gets, but for what each request has of its own. */
const told = ({ status, headers, body }: Answer) => {
  const own = ['x-request-id', 'date', 'server-timing']
  const named = [...headers].filter(([name]) => !own.includes(name))
  return [status, JSON.stringify(body), named]
}

interface Shown {
  readonly id: string
  readonly attributes: { readonly title: string; readonly qty: number }
  readonly meta: { readonly version: number }
}
