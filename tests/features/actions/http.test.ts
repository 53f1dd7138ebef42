/** Actions and getters over HTTP: who may run them, on what, and what is undone where they fail. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, load, type Project } from '../../support/project.js'
import { edits, policies } from './own-files.js'

const manifest = { manifest: 'tests/features/actions/manifests/http.ts', policies, edits }
const posts = '/api/svc/posts'

let project: Project
let [ann, bob, admin] = [0, 0, 0]

const post = (title: string, more: Record<string, unknown> = {}) =>
  project.insert('posts', { title, status: 'draft', owner_id: ann, ...more })
const run = (path: string, body: unknown, as = ann) => project.post(`${posts}/${path}`, body, as)
const rows = async (columns: string) =>
  project.database.query({ sql: `select ${columns} from posts order by id`, access: 'read' }, [])
const titles = async () => (await rows('title')).map(([title]) => title)
const statuses = async () => (await rows('status')).map(([status]) => status)
const calls = async () =>
  (await load(project.folder, 'app/Actions/PostActions.ts'))['calls'] as Record<string, unknown>[]

describe.each(databases)('actions on %s', (name) => {
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
    bob = await project.user('Bob')
    admin = await project.user('Mia', { is_admin: true })
  })
  afterAll(() => project.close())
  beforeEach(async () => {
    for (const sql of ['delete from posts', 'delete from notes'])
      await project.database.query({ sql, access: 'write' }, [])
    ;(await calls()).length = 0
  })

  onRecords()
  refusals()
  onAll()
  beside()
  lists()
  getters()
  overGraphql()
  versions()
})

function onRecords() {
  it('run on the records that are named, in their order, with what they are sent', async () => {
    const [a, b, c] = [await post('a'), await post('b'), await post('c')]
    const at = '2026-02-03T04:05:06.000Z'
    const answer = await run('actions/publish', { ids: [c, String(a)], input: { at } })
    expect([answer.status, answer.body]).toEqual([200, { data: { published: ['c', 'a'] } }])
    expect(await calls()).toEqual([
      {
        ...{ ids: [c, a], note: 'none', origin: 'action', isMany: true, isDryRun: false },
        ...{ hasId: true, user: 'Ann' },
      },
    ])
    expect(await statuses()).toEqual(['live', 'draft', 'live'])
    const shown = await project.get(`${posts}/${a}`, ann)
    expect(shown.body.data.attributes.published_at).toBe(at)
    expect((await run(`${b}/actions/publish`, { input: { note: 'one' } })).body).toEqual({
      data: { published: ['b'] },
    })
    expect((await calls()).at(-1)).toMatchObject({ ids: [b], note: 'one', isMany: false })
  })

  it('answer 204 where nothing is returned, and need no body where nothing is sent', async () => {
    const id = await post('a')
    expect((await run(`${id}/actions/rename`, { input: { title: 'new' } })).status).toBe(204)
    expect(await titles()).toEqual(['new'])
    expect((await run('actions/quiet', { ids: [id] })).status).toBe(204)
    const bare = await project.request('POST', `${posts}/${id}/actions/quiet`, { as: ann })
    expect(bare.status).toBe(204)
    const typed = await project.request('POST', `${posts}/${id}/actions/quiet`, {
      ...{ as: ann, headers: { 'content-type': 'application/json', 'content-length': '0' } },
    })
    expect(typed.status).toBe(204)
  })

  it('run on no record where they are about none', async () => {
    expect((await run('actions/importAll', { input: { count: 2 } }, admin)).body).toEqual({
      data: 2,
    })
    expect(await titles()).toEqual(['imported 0', 'imported 1'])
    expect((await run('actions/importAll', { input: { count: 2 } })).status).toBe(403)
    expect(
      (await run('actions/importAll', { ids: ['1'], input: { count: 1 } }, admin)).body.errors,
    ).toEqual({ ids: ['The ids field is not known.'] })
  })

  it('get what is left out as its default, and null as null', async () => {
    expect((await run('actions/echo', {})).body).toEqual({ data: { note: 'some' } })
    expect((await run('actions/echo', { input: { note: null } })).body).toEqual({
      data: { note: null },
    })
  })

  it('take two statements besides their own, however many records there are', async () => {
    const ids = [await post('a'), await post('b'), await post('c')]
    const of = async (some: readonly number[]) =>
      (await run('actions/quiet', { ids: some })).statements.length
    const one = await of(ids.slice(0, 1))
    expect(await of(ids)).toBe(one)
    // The token, the records that the policy admits, and the same records locked.
    const sent = (await run('actions/quiet', { ids })).statements.map(({ sql }) => sql)
    expect(sent.filter((sql) => sql.includes('posts'))).toHaveLength(2)
  })

  it('can be called as Restify calls them', async () => {
    const ids = [await post('a'), await post('b')]
    const body = { repositories: ids, input: {} }
    expect((await run('actions?action=publish', body)).body).toEqual({
      data: { published: ['a', 'b'] },
    })
    expect((await run(`${ids[0]}/action?action=show`, {})).body).toEqual({ data: 'a' })
    expect((await run('actions?action=nothing', body)).status).toBe(404)
    expect((await run('actions', body)).body.errors).toEqual({
      action: ['The action parameter must be the key of an action.'],
    })
  })
}

function refusals() {
  it('tell hidden records from refused ones, and then nothing is run', async () => {
    const [mine, locked] = [await post('a'), await post('b', { status: 'locked' })]
    const others = await post('c', { owner_id: bob })
    const seen = await post('d', { owner_id: bob, status: 'live' })
    const refused = async (ids: readonly unknown[]) => {
      const { status, body } = await run('actions/publish', { ids })
      return [status, body.errors]
    }
    const notFound = ['Not found.']
    const forbidden = ['This action is unauthorized.']
    expect(await refused([mine, others])).toEqual([404, { 'ids.1': notFound }])
    expect(await refused([mine, 99_999, others])).toEqual([
      404,
      { 'ids.1': notFound, 'ids.2': notFound },
    ])
    expect(await refused([locked, mine, seen])).toEqual([
      403,
      { 'ids.0': forbidden, 'ids.2': forbidden },
    ])
    expect((await run(`${others}/actions/publish`, {})).status).toBe(404)
    expect((await run(`${locked}/actions/publish`, {})).status).toBe(403)
    expect((await run(`${mine}/actions/publish`, {}, bob)).status).toBe(404)
    expect(await statuses()).toEqual(['draft', 'locked', 'draft', 'live'])
    expect(await calls()).toEqual([])
    const guest = await project.request('POST', `${posts}/actions/publish`, {
      body: JSON.stringify({ ids: [mine] }),
      headers: { 'content-type': 'application/json' },
    })
    expect(guest.status).toBe(401)
  })

  it('name what is wrong with a body', async () => {
    const id = await post('a')
    const wrong = async (body: unknown, path = 'actions/publish') => {
      const { status, body: said } = await run(path, body)
      return [status, said.errors]
    }
    expect(await wrong({ ids: [id, id] })).toEqual([
      422,
      { 'ids.1': ['The id field is in the list already.'] },
    ])
    expect(await wrong({ ids: [] })).toEqual([422, { ids: ['Name at least one record.'] }])
    expect(await wrong({})).toEqual([422, { ids: ['The ids field must be a list.'] }])
    expect(await wrong({ ids: 'some' })).toEqual([422, { ids: ['The ids field must be a list.'] }])
    expect(
      await wrong({ ids: [id], input: { at: 'soon', note: 'x'.repeat(21), more: 1 } }),
    ).toEqual([
      422,
      {
        'input.at': ['The at must be a date or a time such as 2026-02-03T04:05:06Z.'],
        'input.note': ['The note must not be longer than 20 characters.'],
        'input.more': ['The more field is not known.'],
      },
    ])
    expect(await wrong({ ids: [id], input: [] })).toEqual([
      422,
      { input: ['The input field must be an object.'] },
    ])
    expect(await wrong({ ids: [id], inptu: {} })).toEqual([
      422,
      { inptu: ['The inptu field is not known.'] },
    ])
    expect(await wrong({ ids: [{ id, title: 'x' }] })).toEqual([
      422,
      { 'ids.0.title': ['The title field is not known.'] },
    ])
    expect(await wrong({}, `${id}/actions/rename`)).toEqual([
      422,
      { 'input.title': ['The title field is required.'] },
    ])
    expect(await wrong({ title: 'x' }, `${id}/actions/rename`)).toEqual([
      422,
      { title: ['Send the title field in "input".'] },
    ])
    const many = Array.from({ length: 1001 }, (_, at) => at + 1)
    expect((await wrong({ ids: many }))[0]).toBe(413)
    expect((await run('actions/publish', [id])).status).toBe(400)
    expect(await wrong({ ids: [id], repositories: 'all' })).toEqual([
      422,
      { repositories: ['The repositories field is not known.'] },
    ])
    const untyped = await project.request('POST', `${posts}/${id}/actions/publish`, {
      ...{ as: ann, body: '{"input":{"at":"soon"}}' },
      headers: { 'content-type': 'text/plain' },
    })
    expect(untyped.status).toBe(415)
    expect((await run(`${id}/actions/quiet?foo=1`, {})).status).toBe(400)
    expect((await run('actions/publsh', { ids: [id] })).status).toBe(404)
    expect((await run(`${id}/actions/importAll`, {})).status).toBe(404)
    expect((await run('actions/rename', { ids: [id] })).status).toBe(404)
    expect((await run('actions/publish?status=draft', { ids: [id] })).status).toBe(400)
    expect((await project.request('PATCH', `${posts}/actions`, { as: ann })).status).toBe(405)
    expect(await calls()).toEqual([])
  })

  it('undo all that they did where they throw', async () => {
    const ids = [await post('a'), await post('refused')]
    const { status, body } = await run('actions/fail', { ids })
    expect([status, body.message]).toEqual([409, 'This one is refused.'])
    expect((await run('actions/fail', { ids: [ids[0], await post('broken')] })).status).toBe(500)
    expect(await titles()).toEqual(['a', 'refused', 'broken'])
  })

  it('answer 501 while nobody has written them', async () => {
    const { PostActions } = (await load(project.folder, 'app/Actions/PostActions.ts')) as {
      PostActions: { actions: Record<string, unknown> }
    }
    const { quiet } = PostActions.actions
    delete PostActions.actions['quiet']
    const { status, body } = await run(`${await post('a')}/actions/quiet`, {})
    PostActions.actions['quiet'] = quiet
    expect([status, body.message]).toEqual([501, "'quiet' is not written yet."])
  })
}

function onAll() {
  it('run on all that the filters find and the policy admits, from the highest key down', async () => {
    const ids = [await post('a'), await post('b'), await post('c', { status: 'locked' })]
    await post('d', { owner_id: bob, status: 'live' })
    const { status, body } = await run('actions/publish?status=draft', { ids: 'all' })
    expect([status, body]).toEqual([
      200,
      { data: [{ published: ['b', 'a'] }], meta: { processed: 2 } },
    ])
    expect(await statuses()).toEqual(['live', 'live', 'locked', 'live'])
    expect((await run('actions/quiet', { ids: 'all' })).body).toEqual({ meta: { processed: 3 } })
    const tree = { ids: 'all', where: { any: [{ status: 'locked' }] } }
    expect((await run('actions/quiet', tree)).body).toEqual({ meta: { processed: 1 } })
    expect((await run('actions/quiet?search=a', { ids: 'all' })).body).toEqual({
      meta: { processed: 1 },
    })
    expect((await run(`actions/quiet?after=${ids[2]}`, { ids: 'all' })).body).toEqual({
      meta: { processed: 2 },
    })
  })

  it('refuse every name that is no filter: it would be all of them', async () => {
    await post('a')
    const refused = async (query: string, body: object = {}) => {
      const answer = await run(`actions/publish?${query}`, { ids: 'all', ...body })
      return [answer.status, answer.body.message]
    }
    expect((await refused('stauts=draft'))[0]).toBe(400)
    expect((await refused('stauts=draft'))[1]).toContain("'status' is")
    for (const each of ['page=1', 'perPage=5', 'sort=id', 'include=owner', 'withMeta=true']) {
      const [name = ''] = each.split('=')
      expect(await refused(each)).toEqual([
        400,
        `The ${name} parameter is not taken here: an action on all records takes filters and search alone.`,
      ])
    }
    expect((await refused('after=x'))[0]).toBe(400)
    expect((await refused('', { where: { titel: 'a' } }))[0]).toBe(400)
    expect((await run('actions/publish', { ids: [1], where: {} })).status).toBe(422)
    expect(await calls()).toEqual([])
  })

  it('do 200 in a transaction, say where they stopped, and go on from there', async () => {
    const made: number[] = []
    for (let at = 0; at < 250; at += 1) made.push(await post(at === 20 ? 'refused' : `p${at}`))
    const { status, body } = await run('actions/fail', { ids: 'all' })
    const last = String(made[50])
    expect([status, body.message, body.meta]).toEqual([
      409,
      'This one is refused.',
      { processed: 200, next: last },
    ])
    expect((await titles()).filter((title) => title === 'done')).toHaveLength(200)
    await project.patch(`${posts}/${made[20]}`, { title: 'fine' }, ann)
    const rest = await run(`actions/fail?after=${last}`, { ids: 'all' })
    expect([rest.status, rest.body]).toEqual([200, { data: [50], meta: { processed: 50 } }])
    expect(new Set(await titles())).toEqual(new Set(['done']))
  })

  it('answer once for a transaction that PostgreSQL ends and that is run again', async () => {
    if (project.name !== 'postgresql') return
    const write = (sql: string) => project.database.query({ sql, access: 'write' }, [])
    await write('create sequence commits')
    await write(`create function ends_once() returns trigger language plpgsql as $$ begin
      if nextval('commits') = 1 then raise exception 'ended' using errcode = '40P01'; end if; return null; end $$`)
    await write(`create constraint trigger ends_once after update on posts deferrable initially deferred
      for each row execute function ends_once()`)
    await post('a')
    const { status, body } = await run('actions/publish', { ids: 'all' })
    await write('drop trigger ends_once on posts')
    expect([status, body]).toEqual([200, { data: [{ published: ['a'] }], meta: { processed: 1 } }])
    expect(await calls()).toHaveLength(2)
  })

  it('are one transaction where all has to be undone together', async () => {
    for (let at = 0; at < 210; at += 1) await post(`p${at}`)
    const dry = await run('actions/fail?dryRun=true', { ids: 'all' })
    expect([dry.status, dry.body.meta]).toMatchObject([200, { affected: { posts: 210 } }])
    expect((await titles()).includes('done')).toBe(false)
    expect((await run('actions/publish?dryRun=true', { ids: 'all' })).status).toBe(200)
    expect(await calls()).toMatchObject([{ isDryRun: true }])
    const bounded = await project.request('POST', `${posts}/actions/fail`, {
      ...{ as: ann, body: JSON.stringify({ ids: 'all' }) },
      headers: { 'content-type': 'application/json', prefer: 'max-affected=100' },
    })
    expect(bounded.status).toBe(409)
    expect((await titles()).includes('done')).toBe(false)
  })
}

function beside() {
  it('are run once for one key against repetition', async () => {
    const id = await post('a')
    const send = () =>
      project.request('POST', `${posts}/actions/publish`, {
        ...{ as: ann, body: JSON.stringify({ ids: [id] }) },
        headers: { 'content-type': 'application/json', 'idempotency-key': 'one-of-these' },
      })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
    expect(await calls()).toHaveLength(1)
  })
}

function lists() {
  it('are listed with what they are sent, and whether this user may run them', async () => {
    const id = await post('a', { status: 'locked' })
    const { body } = await project.get(`${posts}/actions`, ann)
    expect(body.data.map(({ key, authorized }: Shown) => [key, authorized])).toEqual([
      ['publish', true],
      ['importAll', false],
      ['fail', true],
      ['quiet', true],
      ['echo', true],
    ])
    expect(body.data[0]).toEqual({
      ...{ key: 'publish', label: 'Put online', on: 'many', destructive: true, authorized: true },
      input: {
        type: 'object',
        properties: {
          at: { type: ['string', 'null'], format: 'date-time' },
          note: { type: 'string', minLength: 1, maxLength: 20, pattern: '\\S' },
        },
      },
    })
    expect(body.data[1]).toMatchObject({ label: 'Import all' })
    const ofOne = await project.get(`${posts}/${id}/actions`, ann)
    expect(ofOne.body.data.map(({ key, authorized }: Shown) => [key, authorized])).toEqual([
      ['publish', false],
      ['rename', false],
      ['fail', false],
      ['quiet', true],
      ['show', true],
    ])
    expect((await project.get(`${posts}/${id}/actions`, bob)).status).toBe(404)
  })
}

interface Shown {
  readonly key: string
  readonly authorized: boolean
}

function getters() {
  it('are asked of a record that the user sees and the policy admits, or of none', async () => {
    const id = await post('two words', { status: 'live' })
    expect((await project.get(`${posts}/${id}/getters/stats`, ann)).body).toEqual({
      data: { words: 2, owner: 'Ann' },
    })
    expect((await project.get(`${posts}/${id}/getters/stats`, bob)).status).toBe(403)
    const hidden = await post('x')
    expect((await project.get(`${posts}/${hidden}/getters/stats`, bob)).status).toBe(404)
    expect((await project.get(`${posts}/getters/total`, admin)).body).toEqual({ data: 2 })
    expect((await project.get(`${posts}/getters/total`, ann)).status).toBe(403)
    expect((await project.get(`${posts}/getters/nothing`, ann)).status).toBe(404)
    const page = await project.insert('pages', { title: 'four' })
    const guest = async (path: string) =>
      (await project.request('GET', `/api/svc/pages/${path}`)).body
    expect(await guest(`${page}/getters/length`)).toEqual({ data: 4 })
    expect(await guest('getters/count')).toEqual({ data: 3 })
    expect((await guest(`${page}/getters`)).data).toHaveLength(1)
    const about = { key: 'stats', label: 'Stats', on: 'one' }
    expect((await project.get(`${posts}/${id}/getters`, ann)).body.data).toEqual([
      { ...about, authorized: true },
    ])
    expect((await project.get(`${posts}/${id}/getters`, bob)).body.data).toEqual([
      { ...about, authorized: false },
    ])
    expect((await project.get(`${posts}/${hidden}/getters`, bob)).status).toBe(404)
    expect((await project.get(`${posts}/getters`, admin)).body.data).toEqual([
      { key: 'total', label: 'Total', on: 'none', authorized: true },
    ])
  })
}

function overGraphql() {
  const ask = async (query: string, as = ann) =>
    (await project.post('/graphql', { query }, as)).body

  it('do over GraphQL what they do over REST', async () => {
    const [a, b] = [await post('a'), await post('b b')]
    expect(
      await ask(`mutation { publishPostList(ids: [${b}, ${a}], input: { note: "n" }) }`),
    ).toEqual({ data: { publishPostList: { published: ['b b', 'a'] } } })
    expect((await calls())[0]).toMatchObject({ ids: [b, a], note: 'n', origin: 'action' })
    expect(await ask(`mutation { renamePost(id: ${a}, input: { title: "new" }) }`)).toEqual({
      data: { renamePost: null },
    })
    expect(await ask('mutation { importAllPosts(input: { count: 1 }) }', admin)).toEqual({
      data: { importAllPosts: 1 },
    })
    const read = `{ post(id: ${b}) { title stats { words owner } } }`
    expect(await ask(read)).toEqual({
      data: { post: { title: 'b b', stats: { words: 2, owner: 'Ann' } } },
    })
    expect((await ask(read, bob)).data.post.stats).toBeNull()
    // Each getter of each record is read by itself, and counts as a statement.
    const stats = Array.from({ length: 10 }, (_, at) => `g${at}: stats { words }`).join(' ')
    const many = `{ postList(first: 100) { ${stats} } }`
    expect((await ask(many)).errors[0].message).toMatch(/costs? \d+/)
    expect(await ask('{ postTotal }', admin)).toEqual({ data: { postTotal: 3 } })
    const wrong = await ask(`mutation { publishPostList(ids: [${a}, 99999]) }`)
    expect(wrong.errors[0].extensions).toMatchObject({ code: 'NOT_FOUND' })
    const input = await ask(`mutation { publishPost(id: ${a}, input: { at: "soon" }) }`)
    expect(input.errors[0].extensions.errors).toEqual({
      'input.at': ['The at must be a date or a time such as 2026-02-03T04:05:06Z.'],
    })
  })
}

function versions() {
  it('run on the version of a record that their sender has seen', async () => {
    const note = (body: string) => project.insert('notes', { body, owner_id: ann, version: 3 })
    const [a, b] = [await note('a'), await note('b')]
    const marks = async (ids: readonly unknown[]) => {
      const { status, body } = await project.post('/api/svc/notes/actions/mark', { ids }, ann)
      return [status, body.data ?? body.errors]
    }
    expect(
      await marks([
        { id: a, version: 3 },
        { id: b, version: 3 },
      ]),
    ).toEqual([200, ['a', 'b']])
    expect(
      (
        await marks([
          { id: a, version: 3 },
          { id: b, version: 2 },
        ])
      )[0],
    ).toBe(409)
    expect((await marks([a]))[0]).toBe(428)
    const one = (headers: Record<string, string>) =>
      project.request('POST', `/api/svc/notes/${a}/actions/mark`, { as: ann, headers })
    expect((await one({ 'if-match': '"3"' })).body).toEqual({ data: ['a'] })
    expect((await one({ 'if-match': '"2"' })).status).toBe(412)
    expect((await one({})).status).toBe(428)
  })
}
