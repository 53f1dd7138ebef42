/** `searchable: fullText([…])`: words that an index of the database finds, on both databases alike. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { DatabaseName } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'
import { runsOn } from '../../support/runs.js'
import { found, letters, searchText, type Text } from './model.js'

const manifest = {
  manifest: 'tests/features/full-text/manifests/http.ts',
  policies: {
    File: {
      show: '() => true,\n  canSee: { secret: (user) => user?.is_admin === true, diary: (user) => user?.is_admin === true }',
    },
  },
  files: {
    'app/Policies/PostPolicy.ts': `import type { PolicyFor, PostModel } from '#app/Models.js'
import { any } from '#runtime/policy/condition.js'

export const PostPolicy: PolicyFor<PostModel> = {
  canSee: { note: (user) => user?.is_admin === true },
  show: () => any({ place: { isNull: true }, { place: { lt: 100 } }),
  store: () => true,
  update: () => true,
  delete: () => true,
}
`.replace('any({ place: { isNull: true }, { place', 'any({ place: { isNull: true } }, { place'),
  },
}

const wordsOfTheirOwn = (count: number) =>
  Array.from({ length: count }, (_, at) => (at + 1_296).toString(36)).join(' ')

let project: Project
let admin: number
let ann: number

const post = async (path: string, body: object) => {
  const answer = await project.post(`/api/svc/${path}`, body, ann)
  expect(answer.status).toBe(201)
  return answer.body.data.id as string
}
const list = (query: string, as?: number, path = 'posts') =>
  project.get(`/api/svc/${path}?${query}`, as)
const ids = async (search: string, as?: number, more = '') => {
  const { status, body } = await list(`search=${encodeURIComponent(search)}${more}`, as)
  expect([search, status]).toEqual([search, 200])
  expect(body.meta.total).toBe(body.data.length)
  return body.data.map(({ id }: { id: string }) => Number(id))
}
const set = async (search: string, as?: number) =>
  (await ids(search, as)).toSorted((a: number, b: number) => a - b)

/** What is typed into a search, and the keys of the posts that it finds. */
const searches: readonly (readonly [string, readonly number[]])[] = [
  // Inflected, in any case, in any column, all of them.
  ['lamp', [1, 2, 3, 5, 7]],
  ['LAMPS', [1, 2, 3, 5, 7]],
  ['run', [3]],
  ['red lamp', [1, 2, 7]],
  ['cushions desks', []],
  // In a row, and in one column.
  ['"red lamp"', [1]],
  ['"lamps red"', []],
  ['"red chairs"', []],
  ['"red cushion on it"', [2]],
  // Without.
  ['lamp -red', [3, 5]],
  ['lamp -"red lamp"', [2, 3, 5, 7]],
  ['-lamp', [4, 6]],
  ['-lamp -nothing', [6]],
  // The beginning of a word.
  ['cush*', [2]],
  ['lam', []],
  // It is the beginning of the word as it is written, whatever its stem is.
  ['ru*', [3]],
  ['run*', [3]],
  ['runn*', [3]],
  ['runnin*', [3]],
  ['RUNNING*', [3]],
  ['runne*', []],
  ['runnings*', []],
  ['lamps*', [1, 7]],
  ['lampe*', []],
  ['cushio* -lampe*', [2]],
  ['-lamps* lamp', [2, 3, 5]],
  ['"red lamp"*', [1]],
  ['"red lamps"*', [1]],
  ['"red lampe"*', []],
  ['exampl* foo*', [5]],
  [Array.from({ length: 14 }, (_, at) => `runningly${at}*`).join(' '), []],
  ['stra*', [6]],
  ['STRAß*', [6]],
  ['"red cush*"', []],
  ['"red cush"*', [2]],
  ['noth* -lam*', [4]],
  // What is no letter separates words, there as in a search.
  ['lamp desk', [1, 5]],
  ['desk/lamp', [5]],
  ['example', [5]],
  ['ask@example.org', [5]],
  ['foo_bar', [5]],
  ['bar', [5]],
  ['3.5kg', [5]],
  ['STRAßE', [6]],
  ['Ελλάδα', [6]],
  ['ελλά*', [6]],
  // By a record that it belongs to, inside of a name.
  ['Mason', [4]],
  // What stands everywhere says nothing, but in a row.
  ['the lamp and a chair', [1, 2, 7]],
  ['-the lamp', [1, 2, 3, 5, 7]],
  ['the', []],
  ['"a chair"', [1, 2, 7]],
  ['"beside a lamp"', [2]],
  ['-the', [1, 2, 3, 4, 5, 6, 7]],
  ["it's", []],
  // Broken, and never an error.
  ['"red lamp', [1]],
  ['lamp" -', [1, 2, 3, 5, 7]],
  ['lamp & | ! ( ) : * <-> \\ \' "', [1, 2, 3, 5, 7]],
  ['lamp AND', [1, 2, 3, 5, 7]],
  ['NOT lamp', [1, 2, 3, 5, 7]],
  ['lamp:*A', [1, 2, 3, 5, 7]],
  ['title : lamp', []],
  ['{a} : lamp', [1, 2, 3, 5, 7]],
  ['^lamp', [1, 2, 3, 5, 7]],
  ['--lamp', [4, 6]],
  ['* lamp', [1, 2, 3, 5, 7]],
  ['"" lamp', [1, 2, 3, 5, 7]],
  ['!!!', []],
  ['-', []],
  ['"', []],
  ['😀', []],
  // An emoji with a mark behind it separates, too.
  ['❤️ lamp', [1, 2, 3, 5, 7]],
  ['lamp -❤️', [1, 2, 3, 5, 7]],
  ['❤️', []],
]

describe.each(databases)('full text, on %s', (name) => {
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    admin = await project.user('Admin', { is_admin: true })
    ann = await project.user('Ann Mason')
    const posts = [
      { id: 1, title: 'Red lamps', body: 'For the desk, and a chair', note: 'broken', place: 1 },
      { id: 2, title: 'A chair', body: 'A red cushion on it, beside a lamp', place: 1 },
      { id: 3, title: 'Running', body: 'lamp lamp lamp, lamp', place: 2 },
      { id: 4, title: 'Nothing', body: null, place: 2, writer_id: ann },
      { id: 5, title: 'desk/lamp', body: "ask@example.org - 3.5kg, it's foo_bar", place: null },
      { id: 6, title: 'Ãœbergrößen', body: 'straße Ελλάδα', place: null },
      { id: 7, title: 'last red', body: 'chairs and lamps', place: null },
      { id: 90, title: 'lamp lamp lamp', body: 'hidden', place: 500 },
    ]
    for (const post of posts) await project.insert('posts', post)
    await post('remarks', { text: 'a red lamp', rank: 'first', post_id: '1' })
    await post('remarks', { text: 'a lamp that is red', post_id: '1' })
    await post('remarks', { text: 'blue lamps', rank: 'lamp', post_id: '2' })
  })
  afterAll(() => project.close())
  findsAndRanks()
  hidesColumnsAndRecords()
  keepsItsIndex(name)
  worksOnEverySurface(name)
})

function findsAndRanks(): void {
  it.each(searches)('finds by %s', async (search, expected) => {
    expect(await set(search, ann)).toEqual(expected)
  })

  it('begins with what fits best, and asks for another order', async () => {
    // In the title, then more often in the body; of the same, the newest.
    expect(await ids('lamp')).toEqual([5, 1, 3, 7, 2])
    expect(await ids('red lamp')).toEqual([1, 7, 2])
    expect(await ids('lamp', undefined, '&sort=title')).toEqual(
      (await ids('lamp', undefined, '&sort=-title')).toReversed(),
    )
  })

  it('begins with what fits best where the beginning of a word is longer than its stem', async () => {
    for (const id of [50, 51]) {
      const title = id === 50 ? 'Swimming swimming' : 'Other'
      await project.insert('posts', { id, title, body: 'a red swimming suit' })
    }
    expect(await ids('swimmin*')).toEqual([50, 51])
    expect(await ids('red swimmin*')).toEqual([50, 51])
    for (const id of [50, 51]) await project.delete(`/api/svc/posts/${id}`, ann)
  })
}

function hidesColumnsAndRecords(): void {
  it('finds nothing by what one may not see, and orders by nothing of it', async () => {
    expect(await ids('broken')).toEqual([])
    expect(await ids('broken', admin)).toEqual([1])
    expect(await ids('-broken lamp')).toEqual(await ids('lamp'))
    expect(await set('-broken lamp', admin)).toEqual([2, 3, 5, 7])
    const before = await ids('lamp')
    const change = (note: string | null) => project.patch('/api/svc/posts/2', { note }, admin)
    expect((await change('lamp lamp lamp lamp')).status).toBe(200)
    expect(await ids('lamp')).toEqual(before)
    const { body } = await list('search=lamp')
    expect((await change(null)).status).toBe(200)
    const without = (await list('search=lamp')).body
    const plain = (text: unknown) => JSON.stringify(text).replaceAll(/"updated_at":"[^"]*"/g, '')
    expect(plain(without)).toBe(plain(body))
  })

  it('orders by nothing of a hidden column between two others, its length neither', async () => {
    const secrets = ['short', 'a word of many '.repeat(40)]
    const orders = await Promise.all(
      [secrets, secrets.toReversed()].map(async (pair, at) => {
        const title = `lamp${at}`
        for (const secret of pair) await project.insert('files', { title, secret, body: 'red' })
        const { body } = await list(`search=${title}+red`, ann, 'files')
        return body.data.map(({ id }: { id: string }) => Number(id))
      }),
    )
    // Of the same, the newest.
    for (const order of orders)
      expect(order).toEqual(order.toSorted((a: number, b: number) => b - a))
    expect(orders.map(({ length }) => length)).toEqual([2, 2])
  })

  it.each([
    ['a word', 'lamp', 'lamp', 'lamp '.repeat(300)],
    ['words in a row', '"lamp desk"', 'lamp desk', 'lamp desk '.repeat(300)],
    ['words in a row', '"lamp desk"', 'lamp desk', wordsOfTheirOwn(9_000)],
  ])('finds %s behind many others that are hidden', async (_, search, body, hidden) => {
    const file = { title: 'only this', secret: hidden, diary: hidden, body }
    await project.insert('files', { id: 600, ...file })
    const find = async (as?: number) => {
      const words = encodeURIComponent(`only this ${search}`)
      const { data, meta } = (await list(`search=${words}`, as, 'files')).body
      return [data.map(({ id }: { id: string }) => id), meta.total]
    }
    expect([await find(ann), await find(admin)]).toEqual([
      [['600'], 1],
      [['600'], 1],
    ])
    expect((await project.delete('/api/svc/files/600', admin)).status).toBe(204)
  })

  it('answers what differs only in hidden records to the byte', async () => {
    const before = JSON.stringify((await list('search=lamp')).body)
    for (let id = 91; id < 96; id += 1) {
      await project.insert('posts', { id, title: 'lamp lamp', body: 'lamp', place: 600 })
    }
    expect(JSON.stringify((await list('search=lamp')).body)).toBe(before)
  })
}

function keepsItsIndex(name: DatabaseName): void {
  it('is kept for every writer', async () => {
    const write = (sql: string) => project.database.query({ sql, access: 'write' }, [])
    await project.insert('posts', { id: 20, title: 'zebra', body: null })
    expect(await ids('zebra')).toEqual([20])
    await write(`update posts set body = 'a giraffe', title = 'no more' where id = 20`)
    expect([await ids('zebra'), await ids('giraffe')]).toEqual([[], [20]])
    await write(`update posts set id = 21 where id = 20`)
    expect(await ids('giraffe')).toEqual([21])
    if (name === 'sqlite') {
      const columns = '(id, title, created_at, updated_at)'
      await write(`insert or replace into posts ${columns} values (21, 'an okapi', 'x', 'x')`)
      await write(
        `insert into posts ${columns} values (21, 'a lion', '2026-01-01T00:00:00.000+00:00', '2026-01-01T00:00:00.000+00:00') on conflict (id) do update set title = excluded.title, created_at = excluded.created_at, updated_at = excluded.updated_at`,
      )
      expect([await ids('giraffe'), await ids('okapi'), await ids('lion')]).toEqual([[], [], [21]])
      await write('vacuum')
    } else {
      await write(`update posts set title = 'a lion', body = null where id = 21`)
    }
    const { status } = await project.patch('/api/svc/posts/21', { title: 'a tiger' }, ann)
    expect([status, await ids('lion'), await ids('tiger')]).toEqual([200, [], [21]])
    expect((await project.delete('/api/svc/posts/21', ann)).status).toBe(204)
    expect(await ids('tiger')).toEqual([])
  })

  it('takes texts with more words than a tsvector holds, and finds those at the beginning', async () => {
    const body = Array.from({ length: 120_000 }, (_, at) => `wort${at}`).join(' ')
    await project.insert('posts', { id: 30, title: 'a long one', body, note: body })
    expect(await ids('wort77 "a long"')).toEqual([30])
    expect(await ids('wort119999')).toEqual(name === 'sqlite' ? [30] : [])
    expect((await project.delete('/api/svc/posts/30', ann)).status).toBe(204)
  })

  it('takes words of every script as a search does', async () => {
    const texts = [
      '⚠️oak 1️⃣',
      'पानी',
      'पान',
      'می\u200Cخواهم',
      'el\u00ADm \u200Bash\u200B',
      '“fir”—yew…',
    ]
    for (const title of texts) await project.insert('files', { title, body: 'tree' })
    const titles = async (search: string) => {
      const { body } = await list(`search=${encodeURIComponent(`tree ${search}`)}`, ann, 'files')
      return body.data.map(({ attributes }: { attributes: { title: string } }) =>
        texts.indexOf(attributes.title),
      )
    }
    const asked = [
      'oak',
      '⚠️oak',
      '1',
      'पान',
      'पानी',
      'पा*',
      'خواهم',
      'می\u200Cخواهم',
      'ash',
      'el\u00ADm',
      'fir yew',
    ]
    const found = await Promise.all(asked.map(async (search) => [search, await titles(search)]))
    expect(Object.fromEntries(found)).toEqual({
      ...{ oak: [0], '⚠️oak': [0], 1: [0], पान: [2], पानी: [1], 'पा*': [2, 1] },
      ...{ خواهم: [3], 'می\u200Cخواهم': [3], ash: [4], 'el\u00ADm': [4], 'fir yew': [5] },
    })
  })
}

function worksOnEverySurface(name: DatabaseName): void {
  const remarks = async (search: string, more = '') =>
    (await list(`search=${encodeURIComponent(search)}${more}`, undefined, 'remarks')).body.data.map(
      ({ attributes }: { attributes: { text: string } }) => attributes.text,
    )

  it('knows rows by keys of any kind, and words as they are written', async () => {
    expect(await remarks('"red lamp"')).toEqual(['a red lamp'])
    expect(await remarks('lamp')).toEqual(expect.arrayContaining(['a red lamp', 'blue lamps']))
    expect(await remarks('lamps')).toEqual(['blue lamps'])
    expect(await remarks('lamps lamp')).toEqual(['blue lamps'])
    expect(await remarks('first')).toEqual(['a red lamp'])
    const id = await post('remarks', { text: 'to be changed', post_id: '1' })
    expect(await remarks('changed')).toEqual(['to be changed'])
    await project.patch(`/api/svc/remarks/${id}`, { text: 'was other' }, ann)
    expect([await remarks('changed'), await remarks('other')]).toEqual([[], ['was other']])
    if (name === 'sqlite') await project.database.query({ sql: 'vacuum', access: 'write' }, [])
    expect(await remarks('other')).toEqual(['was other'])
    await project.delete(`/api/svc/remarks/${id}`, ann)
    expect(await remarks('other')).toEqual([])
  })

  it('is the search of every surface', async () => {
    const ranked = await ids('lamp')
    const tree = await project.post('/api/svc/posts/search', { search: 'lamp' })
    expect(tree.body.data.map(({ id }: { id: string }) => Number(id))).toEqual(ranked)
    const narrowed = await project.post('/api/svc/posts/search', {
      ...{ search: 'lamp -red', where: { place: 2 } },
    })
    expect(narrowed.body.data.map(({ id }: { id: string }) => id)).toEqual(['3'])
    const csv = await project.request('GET', '/api/svc/posts?search=lamp', {
      headers: { accept: 'text/csv' },
    })
    const rows = String(csv.body).trim().split(/\r?\n/).slice(1)
    // A file has them as a list without a search would.
    const newest = ranked.toSorted((one: number, other: number) => other - one)
    expect(rows.map((row) => Number(row.split(',')[0]))).toEqual(newest)
    const global = await project.get('/api/svc/search?search=lamp&perPage=3')
    expect(global.body.data.map(({ id }: { id: string }) => Number(id))).toEqual(ranked.slice(0, 3))
    const groups = await list(
      'groupBy=place&select=count&search=lamp',
      undefined,
      'posts/aggregate',
    )
    expect(
      groups.body.data.reduce((sum: number, each: { count: number }) => sum + each.count, 0),
    ).toBe(ranked.length)
    const included = await list(
      'include[remarks][search]=%22red+lamp%22&sort=title',
      undefined,
      'posts',
    )
    const first = included.body.data.find(({ id }: { id: string }) => id === '1')
    expect(first.relationships.remarks).toHaveLength(1)
    const filters = await project.get('/api/svc/posts/filters?only=searchables')
    expect(filters.body.data.searchables).toEqual([
      { key: 'title', label: 'Title', type: 'fullText' },
      { key: 'body', label: 'Body', type: 'fullText' },
      { key: 'writer.name', label: 'Writer name' },
    ])
    const query = '{ postList(search: "lamp") { id } }'
    const graphql = await project.post('/graphql', { query }, ann)
    expect(graphql.body.data.postList.map(({ id }: { id: string }) => Number(id))).toEqual(ranked)
  })

  it('refuses a text that is too long before it looks for words in it', async () => {
    const text = 'lamp '.repeat(120_000)
    const fields = Array.from({ length: 8 }, (_, at) => `f${at}: postList(search: $text) { id }`)
    const query = `query ($text: String) { ${fields.join(' ')} }`
    const taken = vi.spyOn(String.prototype, 'matchAll')
    const answers = [
      await project.post('/graphql', { query, variables: { text } }, ann),
      await project.post('/api/svc/posts/search', { search: text }),
    ]
    const texts = taken.mock.contexts.filter((each) => String(each).startsWith('lamp lamp'))
    taken.mockRestore()
    expect(texts).toEqual([])
    const messages = answers[0]?.body.errors.map(({ message }: { message: string }) => message)
    const tooLong = 'must not be longer than 200 characters'
    expect(messages).toHaveLength(8)
    expect([...new Set(messages)].join()).toContain(tooLong)
    expect(answers[1]?.status).toBe(400)
    expect(answers[1]?.body.message).toMatch(/^The search parameter must not be longer than /)
  })

  it('is walked by cursors, in its order', async () => {
    const ranked = await ids('lamp')
    const walked: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const {
        status,
        body,
      }: {
        status: number
        body: { data: { id: string }[]; meta: { next_cursor: string | null } }
      } = await list(`search=lamp&perPage=2&cursor=${encodeURIComponent(cursor)}`)
      expect(status).toBe(200)
      walked.push(...body.data.map(({ id }) => Number(id)))
      cursor = body.meta.next_cursor
    }
    expect(walked).toEqual(ranked)
  })

  it('asks as many statements as any list', async () => {
    const asked = async (query: string) => (await list(query)).statements.length
    expect(await asked('search=lamp')).toBe(await asked('sort=title'))
  })

  it('finds what a model in memory finds, whatever is written and asked', async () => {
    const texts = fc.array(letters, { minLength: 1, maxLength: 12 })
    const cases = fc.tuple(
      fc.array(texts, { minLength: 1, maxLength: 8 }),
      fc.array(searchText, { minLength: 1, maxLength: 12 }),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([rows, searches]) => {
        await project.database.query({ sql: 'delete from remarks', access: 'write' }, [])
        const written: Text[] = []
        for (const [at, words] of rows.entries()) {
          const middle = Math.floor(words.length / 2)
          const row = {
            text: words.slice(0, middle).join(' ') || 'zz',
            rank: words.slice(middle).join('.'),
          }
          await post('remarks', { ...row, post_id: '1' })
          written.push({ at, columns: [row.text, row.rank] })
        }
        for (const search of searches) {
          const got = await remarks(search, '&perPage=100')
          const expected = written
            .filter((each) => found(each, search))
            .map(({ columns: [text = ''] }) => text)
          expect([search, got.toSorted()]).toEqual([search, expected.toSorted()])
        }
      }),
      { numRuns: runsOn(name, 12) },
    )
  })
}
