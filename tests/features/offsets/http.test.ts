/** `reads: ['offsets']`: lists from any record on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { indexQuery } from '../../../runtime/query/in-code.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, load, type Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/features/offsets/manifests/http.ts',
  policies: { Book: { show: '() => ({ is_hidden: false })' } },
}

describe.each(databases)('lists from any record on, on %s', (name) => {
  let project: Project
  let ann: number
  let shelf: number

  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    shelf = await project.insert('shelves', { name: 'a' })
    for (const title of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      await project.insert('books', { title, is_hidden: title === 'c', shelf_id: shelf })
    }
    for (const offset of [1, 2]) await project.insert('plains', { offset })
  })
  afterAll(() => project.close())

  const get = (path: string) => project.get(`/api/svc/${path}`, ann)
  const titles = ({ body }: Awaited<ReturnType<typeof get>>) =>
    body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)

  it('has these records, and says which they are', async () => {
    const found = await get('books?sort=title&offset=1&limit=2')
    expect(titles(found)).toEqual(['b', 'd'])
    expect(found.body.meta).toEqual({
      ...{ current_page: 1, from: 2, last_page: 3, path: '/api/svc/books' },
      ...{ per_page: 2, to: 3, total: 6 },
    })
    const at = (offset: number) => `/api/svc/books?sort=title&offset=${offset}&limit=2`
    expect(found.body.links).toEqual({
      ...{ first: at(0), last: at(4), next: at(3), path: '/api/svc/books', prev: at(0) },
    })
    const next = await get(found.body.links.next.slice('/api/svc/'.length))
    expect(titles(next)).toEqual(['e', 'f'])
    const last = await get(next.body.links.next.slice('/api/svc/'.length))
    expect([titles(last), last.body.links.next]).toEqual([['g'], null])
  })

  it('takes either alone, and says nothing of records behind the last', async () => {
    expect(titles(await get('books?sort=-title&offset=4'))).toEqual(['b', 'a'])
    expect(titles(await get('books?sort=-title&limit=2'))).toEqual(['g', 'f'])
    const behind = await get('books?offset=99&limit=2')
    expect([titles(behind), behind.body.meta.total]).toEqual([[], 6])
    const { next, prev } = behind.body.links
    expect([next, prev]).toEqual([null, '/api/svc/books?offset=4&limit=2'])
    const many = await get('books?limit=100000')
    expect([many.status, many.body.meta.per_page]).toEqual([200, 100])
    const little = await get('books?title=a&offset=3&limit=5')
    expect([titles(little), little.body.meta.total]).toEqual([[], 1])
    const rest = await get('books?title=a&offset=0&limit=1')
    expect([titles(rest), rest.body.meta.total]).toEqual([['a'], 1])
  })

  it('is 400 for what is no number, and beside pages and cursors', async () => {
    const problems: [query: string, name: string, text: string][] = [
      ['offset=-1', 'offset', 'must be a whole number from 0'],
      ['offset=x', 'offset', 'must be a whole number from 0'],
      ['offset=1.5', 'offset', 'must be a whole number from 0'],
      ['offset=99999999999999999999', 'offset', 'must be a whole number from 0'],
      ['limit=0', 'limit', 'must be a whole number from 1'],
      ['limit=', 'limit', 'must be a whole number from 1'],
      ['limit=1&limit=2', 'limit', 'must not be sent more than once'],
      ['limit[a]=1', 'limit[a]', 'is not known'],
      ['offset=1&page=2', 'offset', 'cannot stand beside page: ask for pages, or from a record on'],
      [
        'limit=1&perPage=2',
        'limit',
        'cannot stand beside perPage: ask for pages, or from a record on',
      ],
      ['offset=1&cursor=', 'cursor', 'cannot stand beside offset and limit'],
      ['offset=1&withTotal=false', 'withTotal', 'cannot stand beside offset and limit'],
    ]
    for (const [query, parameter, text] of problems) {
      const { status, body } = await get(`books?${query}`)
      expect([query, status, body.message]).toEqual([
        query,
        400,
        `The ${parameter} parameter ${text}.`,
      ])
    }
    expect((await get(`shelves?include=books&include[books][offset]=1`)).status).toBe(400)
    const csv = await project.request('GET', '/api/svc/books?limit=1', {
      as: ann,
      headers: { accept: 'text/csv' },
    })
    expect([csv.status, csv.body.message]).toEqual([
      400,
      'The offset parameter is not taken by an export, which has no pages.',
    ])
    const far = await get('books?offset=9007199254740991')
    expect([far.status, far.body.data]).toEqual([200, []])
  })

  it('holds below a record, in the body of a search, and in code', async () => {
    const below = await get(`shelves/${shelf}/books?sort=title&offset=3&limit=1`)
    expect([titles(below), below.body.meta.total]).toEqual([['e'], 6])
    const search = { where: { title: { not: 'a' } }, sort: 'title', offset: 1, limit: 2 }
    expect(titles(await project.post('/api/svc/books/search', search, ann))).toEqual(['d', 'e'])
    const { BookRepository } = await load(project.folder, 'app/Repositories/BookRepository.ts')
    const query = indexQuery({ sort: 'title', offset: 4, limit: 1 })
    for (const read of ['index', 'list']) {
      const found = await BookRepository[read]({ id: ann }, query)
      expect(titles({ body: { data: found.data ?? found } } as never)).toEqual(['f'])
    }
  })

  it('is a column where lists have none', async () => {
    expect((await get('plains?offset=2')).body.meta.total).toBe(1)
  })
})
