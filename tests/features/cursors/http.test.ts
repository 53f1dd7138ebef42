/** `reads: ['cursors']`: lists walked from where a page ended, whatever is written meanwhile; and how they are counted. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sealedCursors } from '../../../runtime/features/cursors/cursors.js'
import { readContract } from '../../../runtime/testing/contract/read-contract.js'
import type { DatabaseName } from '../../support/databases.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/features/cursors/manifests/http.ts',
  files: {
    'app/Policies/PostPolicy.ts': `import type { PolicyFor, PostModel } from '#app/Models.js'

export const PostPolicy: PolicyFor<PostModel> = {
  canSee: { secret: (user) => user?.is_admin === true },
  show: () => ({ is_hidden: false }),
  store: () => true,
  update: () => true,
  delete: () => true,
  restore: () => true,
  forceDelete: () => true,
  attachTags: () => true,
  detachTags: () => true,
  syncTags: () => true,
}
`,
  },
}

const api = '/api/svc'

interface Answered {
  readonly status: number
  readonly ids: readonly string[]
  readonly next: string | null
  readonly prev: string | null
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
  readonly statements: number
}

let project: Project
let ann: number
let ada: number
const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])

const post = (title: string, more: Record<string, unknown> = {}) =>
  project.insert('posts', { title, is_hidden: false, ...more })

async function list(path: string, as: number | undefined = ann): Promise<Answered> {
  const { status, body, statements } = await project.get(`${api}/${path}`, as)
  return {
    ...{ status, body },
    ids: (body.data ?? []).map((each: { id: string }) => each.id),
    next: body.meta?.next_cursor ?? null,
    prev: body.meta?.prev_cursor ?? null,
    // The token's are the same each time.
    statements: statements.filter(({ sql }) => !sql.includes('personal_access_tokens')).length,
  }
}
const from = (path: string, cursor: string | null, as?: number) =>
  list(`${path}${path.includes('?') ? '&' : '?'}cursor=${cursor ?? ''}`, as)

async function walk(path: string, as?: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Answered = await from(path, cursor, as)
    expect(page.status, JSON.stringify(page.body)).toBe(200)
    ids.push(...page.ids)
    cursor = page.next
  }
  return ids
}

describe.each(databases)('lists with cursors on %s', (name) => {
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    ada = await project.user('Ada', { is_admin: true })
  })
  afterAll(() => project.close())
  beforeEach(async () => {
    for (const table of ['notes', 'comments', 'posts', 'tags']) await run(`delete from ${table}`)
  })
  walksPages()
  refusesOtherCursors()
  countsAndCosts(name)
  walksOtherLists()
  hidesAndDescribes()
  walksInGraphql()
})

function walksPages(): void {
  it('say where the pages beside begin, and nothing of numbers or totals', async () => {
    for (const title of ['a', 'b', 'c']) await post(title)
    const { body, next } = await from('posts?sort=title&perPage=2', '')
    expect(body.meta).toEqual({ per_page: 2, next_cursor: next, prev_cursor: null })
    expect(body.links).toEqual({
      next: `${api}/posts?sort=title&perPage=2&cursor=${next}`,
      prev: null,
    })
    const second = await project.get(body.links.next, ann)
    expect(second.body.data.map((each: { attributes: object }) => each.attributes)).toMatchObject([
      { title: 'c' },
    ])
    expect(second.body.meta.next_cursor).toBeNull()
    const first = await project.get(second.body.links.prev, ann)
    expect(first.body.data).toEqual(body.data)
    expect(first.body.meta.prev_cursor).toBeNull()
    // A position is an equal text each time.
    expect((await from('posts?sort=title&perPage=2', '')).next).toBe(next)
  })

  it('each record that stays as it is comes once, whatever is written between the pages', async () => {
    const kept = new Set<string>()
    const doomed: number[] = []
    for (let at = 0; at < 40; at++) {
      const id = await post(`t${String(at % 7)}`, { price: at % 5 === 0 ? null : at % 3 })
      if (at % 4 === 0) doomed.push(id)
      else kept.add(String(id))
    }
    for (const sort of ['', 'title', '-title', '-price,title', 'price,-id']) {
      const made: number[] = []
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Answered = await from(`posts?perPage=3&sort=${sort}`, cursor)
        seen.push(...page.ids)
        cursor = page.next
        for (const title of ['t0', 't3', 't6', 'zz']) {
          made.push(await post(title, { price: title === 't3' ? null : 1 }))
        }
        if (made.length > 6) await run(`delete from posts where id = ${made.shift()}`)
        // The last one that was shown may be one that goes.
        const last = seen.at(-1) ?? ''
        if (!kept.has(last)) await run(`delete from posts where id = ${last}`)
      }
      expect(new Set(seen).size, sort).toBe(seen.length)
      expect(seen.filter((id) => kept.has(id)).length, sort).toBe(kept.size)
      for (const id of made) await run(`delete from posts where id = ${id}`)
    }
    expect(doomed.length).toBeGreaterThan(0)
  })

  it('come back from a page that others have emptied', async () => {
    const ids: number[] = []
    for (let at = 0; at < 6; at++) ids.push(await post('x'))
    const first = await from('posts?perPage=3', '')
    const second = await from('posts?perPage=3', first.next)
    await run(`delete from posts where id <= ${ids[2]}`)
    const empty = await from('posts?perPage=3', first.next)
    expect([empty.ids, empty.next]).toEqual([[], null])
    expect((await from('posts?perPage=3', empty.prev)).ids).toEqual(first.ids)
    await run(`delete from posts where id >= ${ids[3]}`)
    const one = await post('new')
    await run(`update posts set id = 1 where id = ${one}`)
    const before = await from('posts?perPage=3', second.prev)
    expect([before.ids, before.prev]).toEqual([[], null])
    expect((await from('posts?perPage=3', before.next)).ids).toEqual(['1'])
  })
}

function refusesOtherCursors(): void {
  it('are of one order, search, set of filters and place', async () => {
    const parents: number[] = []
    for (let at = 0; at < 5; at++) {
      const id = await post(`t${at}`)
      parents.push(id)
      for (const body of ['a', 'b', 'c']) await project.insert('comments', { body, post_id: id })
    }
    const { next } = await from('posts?perPage=2&sort=title', '')
    // How much is shown may change on the way, and what means nothing.
    for (const same of [
      'perPage=3&sort=title',
      'sort=title&include=comments',
      'sort=title&utm=1',
    ]) {
      expect((await from(`posts?${same}`, next)).status, same).toBe(200)
    }
    const others = [
      ...['posts', 'posts?sort=-title', 'posts?sort=title,price', 'posts?sort=title&search=t'],
      ...[
        'posts?sort=title&title=t',
        'posts?sort=title&trashed=with',
        'comments',
        'tags?sort=name',
      ],
    ]
    for (const other of others) {
      const { status, body } = await from(other, next)
      expect([status, body.errors.cursor?.[0]], other).toEqual([
        400,
        expect.stringContaining('is no cursor of this list'),
      ])
    }
    const below = `posts/${parents[0]}/comments?perPage=2`
    const inside = await from(below, '')
    expect((await from(below, inside.next)).ids).toHaveLength(1)
    expect((await from(`posts/${parents[1]}/comments?perPage=2`, inside.next)).status).toBe(400)
    expect((await from('comments', inside.next)).status).toBe(400)
    const filtered = await from('posts?perPage=2&title=t&-cursor=x', '')
    expect(filtered.status).toBe(200)
  })

  it('refuse what was altered, or never was one, with 400', async () => {
    for (let at = 0; at < 5; at++) await post(`t${at}`)
    const { next } = await from('posts?perPage=2', '')
    const good = next ?? ''
    const hostile = [
      ...Array.from({ length: good.length }, (_, at) => {
        const other = good[at] === 'A' ? 'B' : 'A'
        return good.slice(0, at) + other + good.slice(at + 1)
      }),
      ...[good.slice(1), good.slice(0, -1), `${good}A`, `${good}=`, `${good}%0A`, `%20${good}`],
      ...['null', '0', '-1', '%00', '%F0%9F%98%80', '%FF', "'", '%22', '[]', '[%22next%22,[1]]'],
      ...['A'.repeat(22), 'A'.repeat(9000), Buffer.from('["next",[3]]').toString('base64url')],
    ]
    for (const cursor of hostile) {
      const { status, body } = await from('posts?perPage=2', cursor)
      expect([status, Object.keys(body.errors ?? {})], cursor).toEqual([400, ['cursor']])
    }
  })

  it.each([
    ['posts?cursor=&page=1', 'page', 'cannot stand beside cursor'],
    ['posts?cursor=&page[number]=2', 'page', 'cannot stand beside cursor'],
    ['posts?cursor=&cursor=', 'cursor', 'must not be sent more than once'],
    ['posts?cursor[a]=', 'cursor[a]', 'is not known'],
    ['posts?withTotal=maybe', 'withTotal', 'must be true, false or bounded'],
    ['posts?withTotal=constructor', 'withTotal', 'must be true, false or bounded'],
    ['posts?withTotal=', 'withTotal', 'must be true, false or bounded'],
    ['posts?withTotal=true&withTotal=true', 'withTotal', 'must not be sent more than once'],
    ['posts?cursor=&perPage=0', 'perPage', 'must be a positive integer'],
  ])('%s is 400', async (path, parameter, problem) => {
    const { status, body } = await list(path)
    expect([status, body.errors[parameter]?.[0]]).toEqual([400, expect.stringContaining(problem)])
  })

  it('leave a column of the name to filter[cursor]', async () => {
    const [one] = [await post('a', { cursor: 'x' }), await post('b', { cursor: 'y' })]
    expect((await list('posts?filter[cursor]=x')).ids).toEqual([String(one)])
    expect((await from('posts?filter[cursor]=x', '')).ids).toEqual([String(one)])
    expect((await list('posts?-cursor=y')).ids).toEqual([String(one)])
    expect((await list('posts?cursor=x')).status).toBe(400)
  })

  it('are there only where the repository has them', async () => {
    await project.insert('drafts', { name: 'a' })
    const { body } = await from('drafts', 'x')
    expect(body.meta).toMatchObject({ current_page: 1, total: 1 })
  })
}

function countsAndCosts(name: DatabaseName): void {
  it('count where they are asked to', async () => {
    for (let at = 0; at < 5; at++) await post('a', { is_hidden: at === 4 })
    const page = await list('posts?perPage=2&withTotal=true&cursor=')
    expect(page.body.meta).toMatchObject({ total: 4, total_exact: true, per_page: 2 })
    const numbered = (await list('posts?perPage=2')).body
    expect((await list('posts?perPage=2&withTotal=true')).body.meta).toEqual(numbered.meta)
    const none = await list('posts?perPage=2&page=2&withTotal=false')
    expect(none.body.meta).toEqual({
      ...{ current_page: 2, from: 3, last_page: null, path: `${api}/posts`, per_page: 2, to: 4 },
      ...{ total: null, total_exact: false },
    })
    expect(none.body.links).toMatchObject({ last: null, next: null })
    expect(none.body.links.prev).toContain('page=1')
    const bounded = await list('posts?perPage=2&withTotal=bounded')
    expect(bounded.body.meta).toEqual({ ...numbered.meta, total_exact: true })
    expect(bounded.body.links.next).toContain('page=2')
  })

  it('count up to 10,000', async () => {
    const series =
      name === 'sqlite'
        ? 'with recursive s(n) as (select 1 union all select n + 1 from s where n < 10003) select'
        : 'select'
    const rows = name === 'sqlite' ? 's' : 'generate_series(1, 10003) as s(n)'
    const now = name === 'sqlite' ? `'2026-01-01T00:00:00.000+00:00'` : 'now()'
    const no = name === 'sqlite' ? '0' : 'false'
    await run(
      `insert into posts (title, is_hidden, created_at, updated_at) ${series} 'a', ${no}, ${now}, ${now} from ${rows}`,
    )
    const { body } = await list('posts?withTotal=bounded')
    expect(body.meta).toMatchObject({ total: 10_000, total_exact: false, last_page: null })
    expect(body.links).toMatchObject({ last: null })
    expect(body.links.next).toContain('page=2')
    expect((await list('posts?cursor=&withTotal=bounded')).body.meta).toMatchObject({
      ...{ total: 10_000, total_exact: false },
    })
    expect((await list('posts?cursor=&withTotal=true')).body.meta.total).toBe(10_003)
  })

  it('ask a fixed number of statements, however many rows there are', async () => {
    const counted: (readonly number[])[] = []
    for (const many of [1, 30, 300]) {
      const now = new Date().toISOString()
      for (let at = 0; at < many; at++) await post(`t${at}`, { price: at, created_at: now })
      const first = await from('posts?perPage=5&sort=-title', '')
      const second = await from('posts?perPage=5&sort=-title', first.next)
      const includes = await from('posts?perPage=5&include=comments', '')
      const total = await from('posts?perPage=5&withTotal=true', '')
      const uncounted = await list('posts?perPage=5&withTotal=false')
      const all = [first, second, includes, total, uncounted]
      counted.push(all.map(({ statements }) => statements))
    }
    expect(counted).toEqual(counted.map(() => [1, 1, 2, 2, 1]))
  })

  it('go from rows with a value to those without in one statement more', async () => {
    for (let at = 0; at < 8; at++) await post('a', { price: at < 4 ? at : null })
    const pages = [await from('posts?perPage=3&sort=-price', '')]
    for (const _ of [1, 2])
      pages.push(await from('posts?perPage=3&sort=-price', pages.at(-1)?.next ?? ''))
    expect(pages.map(({ ids, statements }) => [ids.length, statements])).toEqual([
      [3, 1],
      [3, 2],
      [2, 1],
    ])
  })
}

function walksOtherLists(): void {
  it('walk the records below another one, their pivots, and morphs', async () => {
    const one = await post('one')
    for (let at = 0; at < 5; at++) {
      await project.insert('comments', { body: `c${at}`, post_id: one })
      await project.insert('notes', { body: `n${at}`, noteable_type: 'posts', noteable_id: one })
      const tag = await project.insert('tags', { name: `g${at}` })
      await project.link('post_tag', { post_id: one, tag_id: tag })
    }
    for (const [path, sort] of [
      ['comments', 'body'],
      ['notes', 'body'],
      ['tags', 'name'],
    ] as const) {
      const all = await list(`posts/${one}/${path}?sort=${sort}`)
      expect(all.ids).toHaveLength(5)
      expect(await walk(`posts/${one}/${path}?sort=${sort}&perPage=2`)).toEqual(all.ids)
    }
    const tags = await from(`posts/${one}/tags?perPage=2`, '')
    expect(tags.body.data[0].pivots).toBeDefined()
  })

  it('walk the trash, where that is asked for', async () => {
    for (let at = 0; at < 5; at++)
      await post('a', { deleted_at: at % 2 === 0 ? '2026-01-01T00:00:00.000Z' : null })
    expect(await walk('posts?perPage=1')).toHaveLength(2)
    expect(await walk('posts?perPage=1&trashed=with')).toHaveLength(5)
    const query = '{ postPage(trashed: only, first: 2) { data { id } total nextCursor } }'
    const { body } = await project.post('/graphql', { query }, ann)
    expect(body.data?.postPage, JSON.stringify(body)).toMatchObject({ total: 3 })
  })
}

function hidesAndDescribes(): void {
  it('tell nothing of hidden rows and hidden columns', async () => {
    const look = async () => {
      const answers: string[] = []
      for (const path of ['posts?perPage=2&sort=title', 'posts?perPage=2&sort=-secret,title']) {
        for (let cursor: string | null = ''; cursor !== null;) {
          const page: Answered = await from(path, cursor)
          answers.push(JSON.stringify([page.status, page.body]))
          cursor = page.next
        }
      }
      answers.push(JSON.stringify((await list('posts?withTotal=bounded')).body))
      return answers
    }
    const now = '2026-01-01T00:00:00.000Z'
    const at = { created_at: now, updated_at: now }
    for (let id = 1; id < 6; id++) await post(`t${id}`, { id, secret: `s${id}`, ...at })
    const before = await look()
    await run("update posts set secret = 'x' || (10 - id)")
    for (let id = 10; id < 15; id++) await post(`t${id - 9}`, { id, is_hidden: true, ...at })
    expect(await look()).toEqual(before)
    // Ada may see the column, and sort by it.
    const seen = await from('posts?perPage=2&sort=-secret', '', ada)
    expect(seen.ids).toEqual(['1', '2'])
    expect(Buffer.from(seen.next ?? '', 'base64url').toString('latin1')).not.toContain('x8')
    expect((await from('posts?perPage=2&sort=-secret', seen.next)).status).toBe(400)
  })

  it('answer as the document says, which knows the parameters', async () => {
    const contract = readContract(join(project.folder, 'app/OpenApi/openapi.json'), () => [])
    const one = await post('one')
    for (let at = 0; at < 3; at++) {
      await post(`t${at}`)
      await project.insert('comments', { body: `c${at}`, post_id: one })
      const tag = await project.insert('tags', { name: `g${at}` })
      await project.link('post_tag', { post_id: one, tag_id: tag })
    }
    const walked = contract.operations.filter(({ parameters }) =>
      parameters.some((each) => each.name === 'cursor'),
    )
    expect(walked.map(({ path }) => path.replace('/api/svc', '')).toSorted()).toEqual([
      ...['/comments', '/notes', '/posts', '/posts/{id}/comments', '/posts/{id}/notes'],
      ...['/posts/{id}/tags', '/tags', '/tags/{id}/posts', '/users'],
    ])
    const queries = [
      ...['cursor=', 'cursor=x', 'cursor=&page=1', 'cursor=&withTotal=true', 'withTotal=true'],
      ...['cursor=&withTotal=bounded', 'withTotal=false', 'withTotal=bounded', 'withTotal=x', ''],
    ]
    for (const operation of walked) {
      expect(operation.parameters.filter(({ name: each }) => each === 'cursor')).toHaveLength(1)
      for (const query of queries) {
        const address = `${operation.path.replace('{id}', String(one))}?perPage=1&${query}`
        const request = new Request(`http://localhost${address}`, {
          headers: { authorization: `Bearer ${project.token(ann)}` },
        })
        const problem = await contract.problemOf(operation, await project.fetch(request))
        expect(problem, address).toBeNull()
      }
    }
  })

  it('say which sort has values too long for a cursor', async () => {
    for (let at = 0; at < 3; at++) {
      const title = `${'x'.repeat(20_000)}${at}`
      await post(title)
    }
    const { status, body } = await from('posts?perPage=1&sort=title', '')
    expect([status, body.errors.sort?.[0]]).toEqual([400, expect.stringContaining('too long')])
  })
}

function walksInGraphql(): void {
  describe('in GraphQL', () => {
    const ask = async (query: string, as: number | undefined = ann) =>
      (await project.post('/graphql', { query }, as)).body

    it('walk with relations, aliases and totals', async () => {
      for (let at = 0; at < 3; at++) {
        const id = await post(`t${at}`)
        await project.insert('comments', { body: `c${at}`, post_id: id })
      }
      const shown = 'list: data { title more: comments { body } } nextCursor prevCursor total'
      const { data, errors } = await ask(
        `{ page: postPage(first: 2, sort: ["title"]) { ${shown} } }`,
      )
      expect(errors).toBeUndefined()
      expect(data.page).toMatchObject({
        list: [
          { title: 't0', more: [{ body: 'c0' }] },
          { title: 't1', more: [{ body: 'c1' }] },
        ],
        prevCursor: null,
        total: 3,
      })
      const cursor = data.page.nextCursor
      const next = await ask(`{ postPage(after: "${cursor}", sort: ["title"]) { ${shown} } }`)
      expect(next.data.postPage).toMatchObject({ list: [{ title: 't2' }], nextCursor: null })
      const { prevCursor } = next.data.postPage
      const back = await ask(
        `{ postPage(before: "${prevCursor}", first: 2, sort: ["title"]) { ${shown} } }`,
      )
      expect(back.data.postPage.list).toEqual(data.page.list)
      // A cursor of one door holds at the other.
      expect((await from('posts?sort=title', cursor)).ids).toHaveLength(1)
      const trash = '{ postPage(first: 2, sort: ["title"], trashed: with) { nextCursor } }'
      const { postPage } = (await ask(trash)).data
      expect((await from('posts?sort=title&trashed=with', postPage.nextCursor)).ids).toHaveLength(1)
    })

    it.each([
      ['after: "x"', 'The after parameter is no cursor of this list'],
      ['before: "x"', 'The before parameter is no cursor of this list'],
      ['after: "", before: ""', 'A page is after a cursor or before one, not both.'],
    ])('postPage(%s) is refused', async (given, message) => {
      await post('a')
      const { errors } = await ask(`{ postPage(${given}) { data { id } } }`)
      expect(errors).toMatchObject([
        { message: expect.stringContaining(message), extensions: { code: 'BAD_USER_INPUT' } },
      ])
    })

    it('after takes what leads on, before what leads back', async () => {
      for (const title of ['a', 'b', 'c']) await post(title)
      const { data } = await ask('{ postPage(first: 1) { nextCursor } }')
      const { errors } = await ask(
        `{ postPage(before: "${data.postPage.nextCursor}") { data { id } } }`,
      )
      expect(errors[0].message).toContain('The before parameter takes')
    })

    it('asks no more than is selected', async () => {
      await post('a')
      const query = '{ postPage { nextCursor } }'
      const { statements, body } = await project.post('/graphql', { query }, ann)
      expect(body.data.postPage).toEqual({ nextCursor: null })
      expect(statements.filter(({ sql }) => sql.includes('from "posts"'))).toHaveLength(1)
      expect(statements.some(({ sql }) => sql.includes('"title"'))).toBe(false)
    })

    it('a page costs what a list of its size does', async () => {
      const deep = (first: number) =>
        `postPage(first: ${first}) { data { comments(first: 99) { post { id } } } }`
      expect((await ask(`{ ${deep(1)} }`)).errors).toBeUndefined()
      expect((await ask(`{ ${deep(100)} }`)).errors[0].extensions.code).toBe('QUERY_REFUSED')
      const part = 'postPage(first: 1, where: { title: { contains: "a" } }) { nextCursor }'
      const parts = Array.from({ length: 10 }, (_, at) => `a${at}: ${part}`)
      expect((await ask(`{ ${parts.join(' ')} }`)).errors[0].message).toContain('costs 10110')
    })

    it('pages of public repositories need no token', async () => {
      const query = '{ commentPage { data { body } } }'
      const { body } = await project.post('/graphql', { query })
      expect(body).toEqual({ data: { commentPage: { data: [] } } })
      const closed = await project.post('/graphql', { query: '{ postPage { data { id } } }' })
      expect(closed.body.errors[0].extensions.code).toBe('UNAUTHENTICATED')
    })
  })
}

it('a server in production does not start without the key of its cursors', () => {
  const env = { NODE_ENV: 'production', APP_KEY_FILE: 'nowhere' }
  expect(() => sealedCursors(env)).toThrow('APP_KEY is missing: it signs the cursors of lists')
  expect(() => sealedCursors({ ...env, APP_KEY: 'x'.repeat(32) })).not.toThrow()
})
