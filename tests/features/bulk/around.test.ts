/** `bulk` beside what is around all writes: a list that is sent again is not made again, and one may be tried. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/features/bulk/manifests/around.ts',
  policies: { User: { update: '() => true' } },
}

describe.each(databases)('lists in one request on %s', (name) => {
  let project: Project
  let ann: number
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
  })
  afterAll(() => project.close())

  const send = (method: string, path: string, key: string, body: unknown) =>
    project.request(method, `/api/svc/orders${path}`, {
      as: ann,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    })
  const total = async () => {
    const rows = await project.database.query(
      { sql: 'select count(*) from orders where deleted_at is null', access: 'write' },
      [],
    )
    return Number(rows[0]?.[0])
  }
  /** Sends it twice: the second answer is the first one. */
  const twice = async (...given: Parameters<typeof send>) => {
    const first = await send(...given)
    const second = await send(...given)
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    return first
  }

  it('are made, changed and deleted once with a key', async () => {
    const made = await twice('POST', '/bulk', 'make', [{ title: 'One' }, { title: 'Two' }])
    expect(made.status).toBe(201)
    expect(await total()).toBe(2)
    const ids = made.body.data.map(({ id }: { readonly id: string }) => id)

    const rows = ids.map((id: string) => ({ id, title: 'Changed', version: 1 }))
    const changed = await twice('PATCH', '/bulk', 'change', rows)
    expect(changed.status).toBe(200)
    expect(changed.body.data[0].meta.version).toBe(2)

    expect((await twice('POST', '/bulk/delete', 'delete', { ids })).status).toBe(204)
    expect(await total()).toBe(0)
  })

  it('of which one was wrong are sent again with the same key', async () => {
    const clash = [
      { title: 'One', code: 'a' },
      { title: 'Two', code: 'a' },
    ]
    const refused = await send('POST', '/bulk', 'mended', clash)
    expect([refused.status, await total()]).toEqual([422, 0])
    expect((await twice('POST', '/bulk', 'mended', [{ title: 'One', code: 'a' }])).status).toBe(201)
    expect((await send('POST', '/bulk', 'mended', clash)).status).toBe(422)
    expect(await total()).toBe(1)
  })
  it('are tried, and nothing is done', async () => {
    await project.database.query({ sql: 'delete from orders', access: 'write' }, [])
    const list = [
      { title: 'One', code: 'b' },
      { title: 'Two', code: 'c' },
    ]
    const tried = await send('POST', '/bulk?dryRun=true', 'try', list)
    expect(tried.status).toBe(200)
    expect(tried.body.meta).toMatchObject({ dryRun: true, affected: { orders: 2 } })
    expect(await total()).toBe(0)
    const clash = await send('POST', '/bulk?dryRun=true', 'try', [list[0], list[0]])
    expect(Object.keys(clash.body.errors)).toEqual(['1.code'])

    const made = await send('POST', '/bulk', 'make-them', list)
    const ids = made.body.data.map(({ id }: { readonly id: string }) => id)
    const gone = await send('POST', '/bulk/delete?dryRun=true', 'try', { ids })
    expect([gone.status, gone.body.meta.affected, await total()]).toEqual([200, { orders: 2 }, 2])
    expect((await send('POST', '/bulk?dryrun=true', 'near', list)).status).toBe(400)
  })

  it('count each row once, however often it was sent until others gave up its value', async () => {
    await project.database.query({ sql: 'delete from orders', access: 'write' }, [])
    const list = ['d', 'e', 'f'].map((code) => ({ title: 'One', code }))
    const made = await send('POST', '/bulk', 'make-three', list)
    const ids: string[] = made.body.data.map(({ id }: { readonly id: string }) => id)
    const shifted = ids.map((id, at) => ({ id, code: ['e', 'f', 'g'][at] }))
    const tried = await send('PATCH', '/bulk?dryRun=true', 'try', shifted)
    expect([tried.status, tried.body.meta?.affected]).toEqual([200, { orders: 3 }])
    const bounded = (most: number) =>
      project.request('PATCH', '/api/svc/orders/bulk', {
        as: ann,
        body: JSON.stringify(shifted),
        headers: { 'content-type': 'application/json', prefer: `max-affected=${most}` },
      })
    expect((await bounded(2)).status).toBe(409)
    const changed = await bounded(3)
    expect([changed.status, changed.body.errors]).toEqual([200, undefined])
  })

  it('change each row once, where some set more than others', async () => {
    const [bea, cyd, dan] = [
      await project.user('Bea', { email: 'bea@example.org' }),
      await project.user('Cyd', { email: 'cyd@example.org' }),
      await project.user('Dan', { email: 'dan@example.org' }),
    ]
    const { status, body } = await project.patch(
      '/api/svc/users/bulk',
      [
        { id: String(dan), name: 'Dan the second' },
        { id: String(bea), email: 'cyd@example.org' },
        { id: String(cyd), email: 'new@example.org' },
      ],
      ann,
    )
    expect([status, body.errors]).toEqual([200, undefined])
    const versions = body.data.map(({ meta }: { meta: { version: number } }) => meta.version)
    expect(versions).toEqual([2, 2, 2])
  })
})
