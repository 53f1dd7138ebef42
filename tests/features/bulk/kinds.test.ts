/** Many records at once: of every kind of value and key, through columns of other names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Answer, type Project } from '../../support/project.js'

const manifest = { manifest: 'tests/features/bulk/manifests/kinds.ts' }

const api = '/api/svc'

describe.each(databases)('many records of each kind, on %s', (name) => {
  let project: Project
  let ann: number
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
  })
  afterAll(() => project.close())

  const post = (path: string, body: unknown) => project.post(`${api}/${path}`, body, ann)
  const patch = (path: string, body: unknown) => project.patch(`${api}/${path}`, body, ann)
  const ids = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id)

  const odd = {
    ...{
      title: `'"\\ \u2028 é 😀`,
      pages: '9007199254740993',
      price: '123456789.125',
      weight: 0.1,
    },
    data: { a: [1, 'two', null, { b: true }], c: '"\\' },
    ...{ tags: ['b', 'a'], born: '1999-12-31', at: '2026-02-03T04:05:06.7Z', is_new: false },
    ...{ ref: '0190a2b4-0000-7000-8000-0000000000ab', shelf: 'y', note: 'x\ny\t' },
  }

  it('stores and changes the values that one alone would have', async () => {
    const alone = await post('books', odd)
    expect(alone.status).toBe(201)
    const { created_at: _, updated_at: __, ...same } = alone.body.data.attributes
    const made = await post('books/bulk', [{ title: 'plain' }, odd, { ...odd, data: null }])
    expect(made.status).toBe(201)
    expect(made.body.data[1].attributes).toMatchObject(same)
    expect(made.body.data[2].attributes.data).toBeNull()
    expect(made.body.data[0].attributes.created_by_id).toBe(String(ann))
    const [plain] = ids(made)
    const changed = await patch('books/bulk', [{ ...odd, id: plain }])
    expect(changed.body.data[0].attributes).toMatchObject(same)
    const shown = await project.get(`${api}/books/${plain}`, ann)
    expect(shown.body.data.attributes).toMatchObject(same)
    const nothing = Object.fromEntries(
      ['pages', 'price', 'weight', 'data', 'born', 'at', 'ref', 'shelf', 'note'].map((each) => [
        each,
        null,
      ]),
    )
    const emptied = await patch('books/bulk', [{ id: plain, ...nothing }])
    expect(emptied.body.data[0].attributes).toMatchObject(nothing)
    expect((await project.get(`${api}/books?search=plain`, ann)).body.meta.total).toBe(0)
  })

  it('takes keys that bodies name, and refuses one that is taken or there twice', async () => {
    const made = await post('pages/bulk', [
      { id: 'b', title: 'B', mail: 'b@x.test' },
      { id: 'a', title: 'A' },
    ])
    expect([made.status, ids(made)]).toEqual([201, ['b', 'a']])
    const again = await post('pages/bulk', [
      { id: 'c', title: 'C' },
      { id: 'a', title: 'A' },
    ])
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['1.id']])
    const twice = await post('pages/bulk', [
      { id: 'd', title: 'C' },
      { id: 'd', title: 'A' },
    ])
    expect([twice.status, Object.keys(twice.body.errors)]).toEqual([422, ['1.id']])
    const without = await post('pages/bulk', [{ title: 'C' }])
    expect([without.status, Object.keys(without.body.errors)]).toEqual([422, ['0.id']])
    const mails = await post('pages/bulk', [
      { id: 'e', title: 'E', mail: 'e@x.test' },
      { id: 'f', title: 'F', mail: 'e@x.test' },
      { id: 'g', title: 'G', mail: 'b@x.test' },
    ])
    expect([mails.status, Object.keys(mails.body.errors)]).toEqual([422, ['1.mail', '2.mail']])
    const changed = await patch('pages/bulk', [
      { id: 'a', mail: 'a@x.test', parent_id: 'b' },
      { id: 'b', parent_id: 'zzz' },
    ])
    expect(changed.body.errors).toEqual({ '1.parent_id': [expect.any(String)] })
    expect((await patch('pages/bulk', [{ id: 'a', parent_id: 'b' }])).status).toBe(200)
    expect((await post('pages/bulk/delete', { ids: ['a', 'b'] })).status).toBe(204)
  })

  it('answers in the order of the body where the server makes the keys', async () => {
    const made = await post('words/bulk', [{ text: 'z' }, { text: 'a' }, { text: 'm' }])
    expect(
      made.body.data.map(({ attributes }: { attributes: { text: string } }) => attributes.text),
    ).toEqual(['z', 'a', 'm'])
    expect((await post('words/bulk/delete', { ids: ids(made).toReversed() })).status).toBe(204)
  })

  it('points at records of several repositories, that are there', async () => {
    const [book] = ids(await post('books/bulk', [{ title: 'of images' }]))
    const to = (type: string, id: string | undefined) => ({
      ...{ path: 'p', imageable_type: type, imageable_id: id },
    })
    const made = await post('images/bulk', [to('books', book), to('books', book)])
    expect(made.status).toBe(201)
    const dangling = await post('images/bulk', [to('books', book), to('books', '77777')])
    const alone = await post('images', to('books', '77777'))
    expect(dangling.status).toBe(alone.status)
  })
})
