/** `hasMany({ writable: true })`: a new record with those that belong to it, all or none. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Project } from '../../support/project.js'

const called: (readonly unknown[])[] = []
Object.assign(globalThis, { calledInNested: called })

const say =
  '(...what: unknown[]) => void (globalThis as unknown as { calledInNested: unknown[] }).calledInNested.push(what)'

const manifest = {
  manifest: 'tests/features/nested-create/manifests/http.ts',
  files: {
    'app/Hooks/PostHooks.ts': `import type { HooksFor, PostModel } from '#app/Models.js'

const say = ${say}

export const PostHooks: HooksFor<PostModel> = {
  beforeStore: (_, values) => say('beforeStore', values.title),
  insideStore: async ({ db }, row) => {
    const below = await db.selectFrom('comments').select('id').where('post_id', '=', row.id).execute()
    say('insideStore', row.title, below.length)
  },
  afterStore: (_, row) => say('afterStore', row.title),
}
`,
    'app/Hooks/CommentHooks.ts': `import type { HooksFor, CommentModel } from '#app/Models.js'
import { HttpError, invalid } from '#runtime/errors.js'

const say = ${say}

export const CommentHooks: HooksFor<CommentModel> = {
  validate: (_, { body, place, post_id }) =>
    body === 'invalid' ? { body: [\`is wrong at \${place}, below \${typeof post_id}\`] } : {},
  beforeStore: (context, values) => {
    if (values.body === 'before') throw invalid({ body: ['The body is refused.'] })
    say('beforeStore', values.body, typeof values.post_id, context.origin)
    return values.body === 'renamed' ? { body: 'by a hook' } : undefined
  },
  insideStore: (context, row) => {
    if (row.body === 'inside') throw new HttpError(409, 'Not this one.')
    say('insideStore', row.body, context.isDryRun)
  },
  afterStore: (_, row) => say('afterStore', row.body, row.place),
}
`,
  },
  policies: {
    Post: {
      show: "(user) => ({ owner_id: user?.id, title: { not: 'unseen' } })",
      store: '() => ({ qty: { lt: 1000 } })',
      delete: "() => true,\n  canSee: { secrets: (user) => user?.name === 'Ann' }",
    },
    Comment: {
      store:
        "(user) => user?.name !== 'Mute' && ({ place: { lt: 100 }, post: { is: { owner_id: user?.id } } })",
    },
  },
}

const api = '/api/svc'
const tables = [
  'posts',
  'comments',
  'likes',
  'remarks',
  'details',
  'images',
  'secrets',
  'categories',
  'countries',
  'towns',
]

interface Shown {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, readonly Shown[]>>
}

let project: Project
let ann: number
let bob: number
let mute: number

const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])

const post = (path: string, body: unknown, as = ann) => project.post(`${api}/${path}`, body, as)
const rows = async (sql: string) => (await run(sql)).map((row) => row.join())
const everything = async () => {
  const all = tables.map((table) => run(`select * from "${table}" order by id`))
  return JSON.stringify(await Promise.all(all))
}
/** Refused so, and not a byte of a table is another one. */
const refused = async (path: string, body: unknown, as = ann) => {
  const before = await everything()
  const answer = await post(path, body, as)
  expect(await everything()).toBe(before)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  return [answer.status, answer.body.errors ?? answer.body.message]
}

describe.each(databases)('a new record with those below it, on %s', (name) => {
  beforeAll(async () => void (project = await openManifest(manifest, name)))
  afterAll(() => project.close())
  beforeEach(async () => {
    for (const table of tables.toReversed()) await run(`delete from "${table}" where 1 = 1`)
    await run('delete from personal_access_tokens')
    await run('delete from users')
    ann = await project.user('Ann')
    bob = await project.user('Bob')
    mute = await project.user('Mute')
    called.length = 0
  })

  describe('made together', () => {
    made()
  })
  describe('checked together', () => {
    checked()
  })

  describe('in other requests', () => {
    elsewhere()
  })
})

function made(): void {
  it('is made with all of them, which the answer shows in the order of the body', async () => {
    const category = await project.insert('categories', { name: 'c' })
    const { status, body, headers } = await post('posts', {
      ...{ title: 'a', slug: 'a' },
      comments: [
        { body: 'one', place: 3, category_id: String(category) },
        { body: 'renamed' },
        { body: 'three', code: 'c3' },
      ],
      detail: { id: 'd1', text: 'all of it' },
      images: [{ url: 'i.png' }],
    })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${api}/posts/${body.data.id}`)
    expect(headers.get('etag')).toBe('"1"')
    const { comments, detail, images } = body.data.relationships
    expect(Object.keys(body.data.relationships)).toEqual(['comments', 'detail', 'images'])
    expect(comments.map((each: Shown) => each.attributes['body'])).toEqual([
      'one',
      'by a hook',
      'three',
    ])
    for (const { id, attributes, meta } of comments) {
      const shown = await project.get(`${api}/comments/${id}`, ann)
      expect(shown.body.data).toMatchObject({ attributes, meta })
      expect(attributes).toMatchObject({ post_id: body.data.id, author_id: String(ann) })
    }
    expect(detail).toMatchObject({ id: 'd1', type: 'details', attributes: { text: 'all of it' } })
    expect(images).toMatchObject([
      { attributes: { imageable_type: 'posts', imageable_id: body.data.id } },
    ])
    const again = await project.get(
      `${api}/posts/${body.data.id}?include=comments,detail,images`,
      ann,
    )
    const idsIn = (all: readonly Shown[]) => all.map(({ id }) => id).toSorted()
    expect(idsIn(again.body.data.relationships.comments)).toEqual(idsIn(comments))
    expect(again.body.data.relationships.detail.id).toBe('d1')
  })

  it('is made as ever where its body speaks of none, and with an empty list', async () => {
    const plain = await post('posts', { title: 'a', slug: 'a' })
    expect([plain.status, plain.body.data.relationships]).toEqual([201, undefined])
    const empty = await post('posts', { title: 'b', slug: 'b', comments: [], detail: null })
    expect([empty.status, empty.body.data.relationships]).toEqual([
      201,
      { comments: [], detail: null },
    ])
  })
}

function checked(): void {
  it('calls the hooks of each, before, inside and after', async () => {
    await post('posts', {
      title: 'a',
      slug: 'a',
      comments: [{ body: 'one' }, { body: 'two', place: 2 }],
    })
    expect(called).toEqual([
      ['beforeStore', 'a'],
      ['beforeStore', 'one', 'number', 'rest'],
      ['beforeStore', 'two', 'number', 'rest'],
      ['insideStore', 'one', false],
      ['insideStore', 'two', false],
      ['insideStore', 'a', 2],
      ['afterStore', 'a'],
      ['afterStore', 'one', 0],
      ['afterStore', 'two', 2],
    ])
  })

  it('is validated with all of them at once, before anything is written', async () => {
    await project.insert('categories', { id: 8, name: 'c' })
    const body = {
      slug: 'a',
      comments: [
        { body: 'fine' },
        { bodi: 'x', category_id: '99', place: 'x' },
        7,
        { body: 'x', likes: [{ stars: 1 }] },
      ],
      detail: { id: 'd', text: 'x'.repeat(21) },
      images: { url: 'x' },
    }
    expect(await refused('posts', body)).toEqual([
      422,
      {
        title: ['The title field is required.'],
        'comments.1.body': ['The body field is required.'],
        'comments.1.bodi': [expect.stringContaining("'body' is")],
        'comments.1.place': [expect.any(String)],
        'comments.1.category_id': [expect.stringContaining('exists')],
        'comments.2': ['Each record must be an object.'],
        'comments.3.likes': [expect.stringContaining('not known')],
        'detail.text': [expect.any(String)],
        images: ['The images must be a list of records.'],
      },
    ])
    expect(called).toEqual([])
    expect(await refused('posts', { title: 'a', slug: 'a', detail: [] })).toEqual([
      422,
      { detail: ['The detail must be an object.'] },
    ])
  })

  it('is asked by its hook of all of them, and all that it finds is one answer', async () => {
    const below = (...bodies: string[]) => bodies.map((body, place) => ({ body, place }))
    const wrong = (place: number) => [`The body field is wrong at ${place}, below number.`]
    const one = { title: 'a', slug: 'a', comments: below('x', 'invalid', 'invalid') }
    expect(await refused('posts', one)).toEqual([
      422,
      { 'comments.1.body': wrong(1), 'comments.2.body': wrong(2) },
    ])
    const all = await post('posts/bulk', [
      one,
      { title: 'b', slug: 'b', comments: below('y') },
      { title: 'c', slug: 'c' },
      { title: 'd', slug: 'd', comments: below('invalid', 'before') },
    ])
    expect([all.status, all.body.errors]).toEqual([
      422,
      {
        '0.comments.1.body': wrong(1),
        '0.comments.2.body': wrong(2),
        '3.comments.0.body': wrong(0),
      },
    ])
    // Of those below, no other hook.
    expect(called.map(([what, title]) => `${String(what)} ${String(title)}`)).toEqual(
      ['a', 'a', 'b', 'c', 'd'].map((title) => `beforeStore ${title}`),
    )
    const refusedBefore = await post('posts/bulk', [
      { title: 'b', slug: 'b', comments: below('y') },
      { title: 'd', slug: 'd', comments: below('z', 'before') },
    ])
    expect(refusedBefore.body.errors).toEqual({ '1.comments.1.body': ['The body is refused.'] })
  })

  it('names the one above of all, and of none another one', async () => {
    const { body } = await post('posts', { title: 'a', slug: 'a' })
    const other = { title: 'b', slug: 'b' }
    const above = [expect.stringContaining('record above')]
    expect(
      await refused('posts', { ...other, comments: [{ body: 'x', post_id: body.data.id }] }),
    ).toEqual([422, { 'comments.0.post_id': above }])
    expect(
      await refused('posts', {
        ...other,
        images: [{ url: 'x' }, { url: 'x', imageable_type: 'users', imageable_id: '1' }],
      }),
    ).toEqual([422, { 'images.1.imageable_type': above, 'images.1.imageable_id': above }])
    expect(await refused('posts', { ...other, comments: [{ body: 'x', post_id: null }] })).toEqual([
      422,
      { 'comments.0.post_id': above },
    ])
    // Who names its id may say it again.
    const named = { id: 'at', name: 'Austria', towns: [{ name: 'Linz', country_id: 'at' }] }
    expect((await post('countries', named)).status).toBe(201)
    expect(await refused('countries', { ...named, id: 'de' })).toEqual([
      422,
      { 'towns.0.country_id': above },
    ])
  })

  it('is refused with them where the policy of one of them refuses', async () => {
    const body = { title: 'a', slug: 'a', comments: [{ body: 'x' }, { body: 'y', place: 100 }] }
    expect(await refused('posts', body)).toEqual([
      403,
      { 'comments.1.id': ['This action is unauthorized.'] },
    ])
    expect(await refused('posts', { ...body, qty: 1000, comments: [{ body: 'x' }] })).toEqual([
      403,
      'This action is unauthorized.',
    ])
    // Whatever is wrong besides.
    expect(await refused('posts', { comments: [{ nothing: 1 }] }, mute)).toEqual([
      403,
      'This action is unauthorized.',
    ])
    expect((await post('posts', { title: 'a', slug: 'a', comments: [] }, mute)).status).toBe(201)
  })

  it('has none below it where its own writer does not see it', async () => {
    expect((await post('posts', { title: 'unseen', slug: 'a' })).status).toBe(201)
    expect(
      await refused('posts', { title: 'unseen', slug: 'b', comments: [{ body: 'x' }] }),
    ).toEqual([422, { comments: [expect.stringContaining('you cannot see')] }])
  })

  it('names the later of two that want the same, and what is taken', async () => {
    await post('posts', { title: 'a', slug: 'a', comments: [{ body: 'x', code: 'one' }] })
    const taken = ['The code has already been taken.']
    const clash = [
      { body: 'x', code: 'two' },
      { body: 'y', code: 'one' },
      { body: 'z', code: 'two' },
    ]
    expect(await refused('posts', { title: 'b', slug: 'b', comments: clash })).toEqual([
      422,
      { 'comments.1.code': taken, 'comments.2.code': taken },
    ])
    expect(await refused('posts', { title: 'b', slug: 'a', comments: [{ body: 'x' }] })).toEqual([
      422,
      { slug: ['The slug has already been taken.'] },
    ])
  })

  it('is rolled back by a hook of one of them, whose answer names it', async () => {
    const body = (text: string) => ({
      title: 'a',
      slug: 'a',
      comments: [{ body: 'x' }, { body: text }],
    })
    expect(await refused('posts', body('before'))).toEqual([
      422,
      { 'comments.1.body': ['The body is refused.'] },
    ])
    expect(await refused('posts', body('inside'))).toEqual([
      409,
      { 'comments.1': ['Not this one.'] },
    ])
    expect(called.some(([hook]) => hook === 'afterStore')).toBe(false)
  })

  it('takes a relation that is not writable, or hidden from the user, as a key that is not known', async () => {
    const { status, body } = await post(
      'posts',
      { title: 'a', slug: 'a', remarks: [{ body: 'x' }], secrets: [{ word: 'x' }] },
      bob,
    )
    expect([status, body.data.relationships]).toEqual([201, undefined])
    expect(await rows('select count(*) from secrets')).toEqual(['0'])
    const seen = await post('posts', { title: 'b', slug: 'b', secrets: [{ word: 'x' }] })
    expect([seen.status, seen.body.data.relationships.secrets.length]).toEqual([201, 1])
  })

  it('is changed without them: 422 says so', async () => {
    const { body } = await post('posts', { title: 'a', slug: 'a' })
    const path = `${api}/posts/${body.data.id}`
    const before = await everything()
    for (const write of [project.patch, project.put]) {
      const answer = await write(path, { title: 'b', slug: 'b', comments: [{ body: 'x' }] }, ann)
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        { comments: [expect.stringContaining('new record only')] },
      ])
    }
    const many = await project.patch(`${api}/posts/bulk`, [{ id: body.data.id, comments: [] }], ann)
    expect([many.status, Object.keys(many.body.errors)]).toEqual([422, ['0.comments']])
    expect(await everything()).toBe(before)
  })
}

function elsewhere(): void {
  it('is made below another record, and below one of its own kind', async () => {
    const { body } = await post('categories', {
      name: 'root',
      children: [{ name: 'a' }, { name: 'b' }],
    })
    const made = await post(`categories/${body.data.id}/children`, {
      name: 'c',
      children: [{ name: 'd' }],
    })
    expect(made.status).toBe(201)
    const parents = await rows(
      "select c.name, coalesce(p.name, '-') from categories c left join categories p on p.id = c.parent_id order by c.id",
    )
    expect(parents).toEqual(['root,-', 'a,root', 'b,root', 'c,root', 'd,c'])
    expect(
      await refused('categories', { name: 'x', children: [{ name: 'y', children: [] }] }),
    ).toEqual([422, { 'children.0.children': [expect.stringContaining('not known')] }])
  })

  it('is one of many, each with its own', async () => {
    const { status, body } = await post('posts/bulk', [
      { title: 'a', slug: 'a', comments: [{ body: 'a1' }, { body: 'a2' }] },
      { title: 'b', slug: 'b' },
      { title: 'c', slug: 'c', comments: [{ body: 'c1' }], detail: { id: 'd', text: 'x' } },
    ])
    expect(status).toBe(201)
    const shown = body.data.map(({ relationships }: Shown) =>
      relationships?.['comments']?.map(({ attributes }) => attributes['body']),
    )
    expect(shown).toEqual([['a1', 'a2'], undefined, ['c1']])
    expect(
      await rows(
        'select p.title, c.body from comments c join posts p on p.id = c.post_id order by c.id',
      ),
    ).toEqual(['a,a1', 'a,a2', 'c,c1'])
    expect(called.filter(([hook]) => hook === 'insideStore')).toEqual([
      ['insideStore', 'a1', false],
      ['insideStore', 'a2', false],
      ['insideStore', 'c1', false],
      ['insideStore', 'a', 2],
      ['insideStore', 'b', 0],
      ['insideStore', 'c', 1],
    ])
    const wrong = (comments: unknown) => [
      { title: 'd', slug: 'd', comments: [{ body: 'fine' }] },
      { title: 'e', slug: 'e', comments },
    ]
    const names = async (comments: unknown) => {
      const [code, errors] = await refused('posts/bulk', wrong(comments))
      return [code, Object.keys(errors)]
    }
    expect(await names([{ body: 'x' }, { bodi: 'x' }])).toEqual([
      422,
      ['1.comments.1.body', '1.comments.1.bodi'],
    ])
    expect(await names([{ body: 'x', place: 100 }])).toEqual([403, ['1.comments.0.id']])
    expect(await names([{ body: 'before' }])).toEqual([422, ['1.comments.0.body']])
    expect(await names([{ body: 'inside' }])).toEqual([409, ['1.comments.0']])
    expect(
      await names([
        { body: 'x', code: 'k' },
        { body: 'x', code: 'k' },
      ]),
    ).toEqual([422, ['1.comments.1.code']])
    expect(await names('x')).toEqual([422, ['1.comments']])
    const twice = await refused('posts/bulk', [wrong([])[0], wrong([])[0]])
    expect([twice[0], Object.keys(twice[1])]).toEqual([422, ['1.slug']])
    const minimal = await project.request('POST', `${api}/posts/bulk`, {
      as: ann,
      body: JSON.stringify(wrong([{ body: 'y' }])),
      headers: { 'Content-Type': 'application/json', Prefer: 'return=minimal' },
    })
    expect(minimal.body.data.every((each: Shown) => each.relationships === undefined)).toBe(true)
  })

  it('counts with all of them for bulk_rows', async () => {
    const list = (count: number) => Array.from({ length: count }, (_, at) => ({ body: String(at) }))
    expect((await post('posts', { title: 'a', slug: 'a', comments: list(999) })).status).toBe(201)
    const [status, message] = await refused('posts', {
      title: 'b',
      slug: 'b',
      comments: list(1_000),
    })
    expect([status, message]).toEqual([413, expect.stringContaining('1001')])
    const many = [0, 1].map((at) => ({ title: 'b', slug: `b${at}`, comments: list(500) }))
    expect((await refused('posts/bulk', many))[0]).toBe(413)
    expect(
      (
        await refused('posts', {
          title: 'b',
          slug: 'b',
          comments: list(999),
          detail: { id: 'x', text: 'x' },
        })
      )[0],
    ).toBe(413)
  })

  it('sends as many statements for a hundred of them as for two', async () => {
    const list = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ body: String(at), code: `${count}.${at}` }))
    const one = await post('countries', {
      id: 'aa',
      name: 'x',
      towns: [{ name: 'a' }, { name: 'b' }],
    })
    const towns = Array.from({ length: 100 }, (_, at) => ({ name: `t${at}` }))
    const other = await post('countries', { id: 'bb', name: 'x', towns })
    expect(other.statements.length).toBe(one.statements.length)
    const few = await post('posts', { title: 'a', slug: 'a', comments: list(2) })
    const more = await post('posts', { title: 'b', slug: 'b', comments: list(100) })
    expect(more.statements.length).toBe(few.statements.length)
    const parents = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        name: `${count}.${at}`,
        children: Array.from({ length: (at % 3) + 1 }, (_each, child) => ({ name: `${child}` })),
      }))
    const two = await post('categories/bulk', parents(2))
    const hundred = await post('categories/bulk', parents(100))
    expect([two.status, hundred.status]).toEqual([201, 201])
    expect(hundred.statements.length).toBe(two.statements.length)
    expect(await rows('select count(*) from categories where parent_id is not null')).toEqual([
      '202',
    ])
  })

  it('is one thing to do for a key, and nothing in a dry run', async () => {
    const send = (path: string, body: unknown, headers: Record<string, string>) =>
      project.request('POST', `${api}/${path}`, {
        as: ann,
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...headers },
      })
    const body = { title: 'a', slug: 'a', comments: [{ body: 'x' }, { body: 'y' }] }
    const before = await everything()
    const dry = await send('posts?dryRun=true', body, {})
    expect([dry.status, dry.body.meta.affected]).toEqual([200, { comments: 2, posts: 1 }])
    expect(dry.body.data.relationships.comments.length).toBe(2)
    expect(await everything()).toBe(before)
    expect(called.some(([hook]) => hook === 'afterStore')).toBe(false)
    const bad = await send(
      'posts?dryRun=true',
      { ...body, comments: [{ body: 'x', place: 100 }] },
      {},
    )
    expect([bad.status, Object.keys(bad.body.errors)]).toEqual([403, ['comments.0.id']])
    const first = await send('posts', body, { 'Idempotency-Key': 'k1' })
    const again = await send('posts', body, { 'Idempotency-Key': 'k1' })
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(await rows('select count(*) from comments')).toEqual(['2'])
    const clash = {
      title: 'b',
      slug: 'b',
      comments: [
        { body: 'x', code: 'q' },
        { body: 'x', code: 'q' },
      ],
    }
    const refusal = await send('posts', clash, { 'Idempotency-Key': 'k2' })
    expect([refusal.status, Object.keys(refusal.body.errors)]).toEqual([422, ['comments.1.code']])
    expect(await rows('select count(*) from posts')).toEqual(['1'])
  })

  it('is made by GraphQL', async () => {
    const ask = (query: string, as = ann) => project.post('/graphql', { query }, as)
    const made = await ask(
      `mutation { createPost(input: { title: "a", slug: "a", comments: [{ body: "x" }, { body: "y", place: 2 }], detail: { id: "d", text: "t" } })
        { id comments { body place } detail { text } } }`,
    )
    expect(made.body.errors).toBeUndefined()
    expect(made.body.data.createPost).toMatchObject({ detail: { text: 't' } })
    expect(made.body.data.createPost.comments).toHaveLength(2)
    const wrong = await ask(
      'mutation { createPost(input: { title: "b", slug: "b", comments: [{ place: 1 }] }) { id } }',
    )
    expect(wrong.body.errors[0].extensions).toMatchObject({
      errors: { 'comments.0.body': ['The body field is required.'] },
    })
    const parent = await ask(
      'mutation { createPost(input: { title: "b", slug: "b", comments: [{ body: "x", post_id: 1 }] }) { id } }',
    )
    expect(parent.body.errors[0].message).toContain('post_id')
    const many = await ask(
      'mutation { createPostList(input: [{ title: "b", slug: "b", comments: [{ body: "x" }] }, { title: "c", slug: "c" }]) { title comments { body } } }',
    )
    expect(many.body.data.createPostList).toEqual([
      { title: 'b', comments: [{ body: 'x' }] },
      { title: 'c', comments: [] },
    ])
    const changed = await ask(
      `mutation { updatePost(id: ${made.body.data.createPost.id}, input: { comments: [{ body: "x" }] }) { id } }`,
    )
    expect(changed.body.errors).toHaveLength(1)
  })
}
