/** `belongsToMany({ writable: true })`: a record with which related records belong to it, all or nothing. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { type Answer, databases, longTransactions, type Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/features/nested-pivots/manifests/http.ts',
  files: {
    'app/Hooks/TagHooks.ts': `import type { HooksFor, TagModel } from '#app/Models.js'
import { db } from '#app/database.js'
import { invalid } from '#runtime/errors.js'

export const TagHooks: HooksFor<TagModel> = {
  validate: (_, { name }) => (name === 'invalid' ? { name: ['This is no name.'] } : {}),
  beforeStore: async (_, { name }) => {
    if (name === 'refused') throw invalid({ name: ['A hook refuses it.'] })
    // Somebody else makes it at the same time.
    if (name === 'race') {
      const at = '2026-01-01T00:00:00.000Z'
      const row = { name, created_at: at, updated_at: at }
      await db.insertInto('tags').values(row as never).onConflict((on) => on.doNothing()).execute()
    }
    return name === 'blue' ? { color: 'by a hook' } : undefined
  },
}
`,
    'app/Hooks/ArticleHooks.ts': `import type { HooksFor, ArticleModel } from '#app/Models.js'
import { db } from '#app/database.js'

export const ArticleHooks: HooksFor<ArticleModel> = {
  afterStore: () => undefined,
}
`,
  },
  edits: {
    ...longTransactions,
    'app/Policies/ArticlePolicy.ts': (text: string) =>
      `import { db } from '#app/database.js'\n${text}
const setColor = (id: number) => db.updateTable('tags').set({ color: 'new' }).where('id', '=', id).execute()
const setTitle = (id: number) =>
  db.updateTable('articles').set({ title: 'changed' }).where('id', '=', id).execute()
`,
  },
  policies: {
    Article: {
      show: "(user) => ({ owner_id: user?.id, title: { not: 'unseen' } })",
      update: '(user) => ({ owner_id: user?.id })',
      attachTags: `async (user, row, tag) => {
    if (row.title === 'meanwhile' && tag.color === null) await setColor(tag.id)
    return user !== null && row.title !== 'untagged' && tag.name !== 'denied' && tag.color !== 'new'
  }`,
      syncTags: `async (user, row, ids) => {
    if (row.title === 'meanwhile') await setTitle(row.id)
    return user !== null && row.title !== 'changed' && ids.length < 4
  }`,
      delete: `() => true,
  canSee: { secrets: (user) => user?.name === 'Bob' },
  canAttach: {
    tags: (user, pivot) => pivot.position < 100,
    readers: (_user, pivot) => (pivot.role === 'owner' ? { title: 'owned' } : true),
  },
  canSync: { tags: (_user, pivot) => pivot.position < 50 },
  canDetach: { tags: (_user, pivot) => pivot.position !== 7 }`,
    },
    Tag: { show: '() => ({ is_hidden: false })', store: "(user) => user?.name !== 'Mute'" },
  },
}

const api = '/api/svc'
const tables = ['articles', 'comments', 'tags', 'secrets', 'labels']
const pivots = ['article_tag', 'article_user', 'article_secret', 'labelleds']

interface Shown {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly pivots: Readonly<Record<string, unknown>>
}

let project: Project
let ann: number
let bob: number
let mute: number
let red: number
let hidden: number

const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])

const post = (path: string, body: unknown, as = ann) => project.post(`${api}/${path}`, body, as)
const patch = (id: string, body: unknown, as = ann) =>
  project.patch(`${api}/articles/${id}`, body, as)
const everything = async () => {
  const all = [...tables, ...pivots].map((table) => run(`select * from "${table}" order by 1, 2`))
  return JSON.stringify(await Promise.all(all))
}
/** Refused so, and not a byte of a table is another one. */
const refused = async (request: () => Promise<Answer>) => {
  const before = await everything()
  const { status, body } = await request()
  expect(await everything()).toBe(before)
  return [status, body.errors ?? body.message]
}
const named = (tags: readonly Shown[]) =>
  tags.map(({ attributes, pivots: own }) => [attributes['name'], own['position']])
const tagsOf = async (id: string) => {
  const { body } = await project.get(`${api}/articles/${id}?include=tags`, ann)
  return named(body.data.relationships.tags).toSorted()
}

describe.each(databases)(
  'a record with the records of its many-to-many relations, on %s',
  (name) => {
    beforeAll(async () => void (project = await openManifest(manifest, name)))
    afterAll(() => project.close())
    beforeEach(async () => {
      for (const table of [...pivots, ...tables.toReversed()]) await run(`delete from "${table}"`)
      await run('delete from personal_access_tokens')
      await run('delete from users')
      ann = await project.user('Ann')
      bob = await project.user('Bob')
      mute = await project.user('Mute')
      red = await project.insert('tags', { name: 'red', is_hidden: false })
      hidden = await project.insert('tags', { name: 'hidden', is_hidden: true })
    })

    describe('written together', () => {
      written()
    })
    describe('checked', () => {
      checked()
    })

    describe('with other records and keys', () => {
      several()
    })
    describe('in other requests', () => {
      elsewhere()
    })
  },
)

function written(): void {
  it('is made with them: by id, by a key, and those that are not there are made', async () => {
    const { status, body } = await post('articles', {
      ...{ title: 'a', slug: 'a' },
      tags: [
        { id: String(red), pivots: { position: 3 } },
        { name: 'blue' },
        { name: 'green', color: '#0f0', pivots: { position: 1 } },
      ],
      readers: [{ id: bob, pivots: { role: 'first' } }],
      labels: [{ word: 'new' }],
      comments: [{ body: 'a comment' }],
    })
    expect([status, body.message]).toEqual([201, undefined])
    const { tags, readers, labels, comments } = body.data.relationships
    expect(named(tags).toSorted()).toEqual([
      ['blue', 0],
      ['green', 1],
      ['red', 3],
    ])
    expect(await tagsOf(body.data.id)).toEqual([
      ['blue', 0],
      ['green', 1],
      ['red', 3],
    ])
    expect(readers).toMatchObject([{ id: String(bob), pivots: { role: 'first' } }])
    expect(labels).toMatchObject([{ attributes: { word: 'new' } }])
    expect(comments).toHaveLength(1)
    expect(await run(`select name, color from tags order by name`)).toEqual([
      ['blue', 'by a hook'],
      ['green', '#0f0'],
      ['hidden', null],
      ['red', null],
    ])
  })

  it('names a record by its key, which keeps its other fields', async () => {
    const body = { title: 'a', slug: 'a', tags: [{ name: 'red', color: 'other' }] }
    const made = await post('articles', body)
    expect(made.body.data.relationships.tags).toMatchObject([{ id: String(red) }])
    expect(await run(`select color from tags where id = ${red}`)).toEqual([[null]])
  })

  it('is changed with them: its relation holds those, and no other that the user sees', async () => {
    const made = await post('articles', {
      ...{ title: 'a', slug: 'a' },
      tags: [{ id: red, pivots: { position: 3 } }, { name: 'blue' }],
    })
    const { id } = made.body.data
    await project.link('article_tag', { article_id: id, tag_id: hidden, position: 0 })
    const changed = await patch(id, { title: 'b', tags: [{ id: red }, { name: 'green' }] })
    expect([changed.status, changed.body.message]).toEqual([200, undefined])
    expect(changed.body.data.attributes.title).toBe('b')
    expect(changed.body.data.meta.version).toBe(2)
    expect(named(changed.body.data.relationships.tags).toSorted()).toEqual([
      ['green', 0],
      ['red', 3],
    ])
    expect(await tagsOf(id)).toEqual([
      ['green', 0],
      ['red', 3],
    ])
    expect(await run(`select count(*) from article_tag where tag_id = ${hidden}`)).toEqual([[1]])

    const moved = await patch(id, { tags: [{ id: red, pivots: { position: 5 } }] })
    expect(named(moved.body.data.relationships.tags)).toEqual([['red', 5]])
    const without = await patch(id, { title: 'c' })
    expect([without.status, without.body.data.relationships]).toEqual([200, undefined])
    expect(await tagsOf(id)).toEqual([['red', 5]])
    const put = await project.put(`${api}/articles/${id}`, { title: 'd', slug: 'a', tags: [] }, ann)
    expect([put.status, put.body.data.relationships]).toEqual([200, { tags: [] }])
    expect(await tagsOf(id)).toEqual([])
  })
}

function checked(): void {
  const wrong = (tags: unknown) => refused(() => post('articles', { title: 'a', slug: 'a', tags }))

  it('is 422 where it is no list of records, or of records that are not there', async () => {
    const missing = { 'tags.0.id': ['The id must be the id of a record that exists.'] }
    expect(await wrong([{ id: 999 }])).toEqual([422, missing])
    expect(await wrong([{ id: 'x' }])).toEqual([422, missing])
    expect(await wrong([{ id: hidden }])).toEqual([422, missing])
    expect(await wrong('red')).toEqual([422, { tags: ['The tags must be a list of records.'] }])
    expect(await wrong(null)).toEqual([422, { tags: ['The tags must be a list of records.'] }])
    expect(await wrong([5, null])).toEqual([
      422,
      {
        'tags.0': ['Each record must be an object.'],
        'tags.1': ['Each record must be an object.'],
      },
    ])
    expect(await wrong([{}])).toEqual([422, { 'tags.0.id': ['The id field is required.'] }])
    const far = Array.from({ length: 1_001 }, (_, at) => ({ id: at }))
    expect(await wrong(far)).toEqual([
      422,
      { tags: ['The tags must not have more than 1000 items.'] },
    ])
  })

  it('is 422 with what is wrong of a record, at its place', async () => {
    expect(await wrong([{ id: red, name: 'red' }])).toEqual([
      422,
      { 'tags.0.name': ['The name field is not known.'] },
    ])
    expect(await wrong([{ id: red }, { name: 'red' }])).toEqual([
      422,
      { 'tags.1.name': ['The name field is in the list already.'] },
    ])
    expect(await wrong([{ name: 'x' }, { name: 'x' }])).toEqual([
      422,
      { 'tags.1.name': ['The name field is in the list already.'] },
    ])
    expect(
      await wrong([
        { id: red, pivots: { position: -1, other: 1 } },
        { name: 'y', size: 1 },
      ]),
    ).toEqual([
      422,
      {
        'tags.0.pivots.position': ['The position must be at least 0.'],
        'tags.0.pivots.other': ['The other field is not known.'],
        'tags.1.size': [expect.stringContaining('size')],
      },
    ])
    expect(await wrong([{ id: red, pivots: 5 }])).toEqual([
      422,
      { 'tags.0.pivots': ['The pivots must be an object.'] },
    ])
    expect(await wrong([{ name: 'much too long' }, { name: 7 }])).toEqual([
      422,
      {
        'tags.0.name': ['The name must not be longer than 9 characters.'],
        'tags.1.name': ['The name must be text.'],
      },
    ])
    expect(await wrong([{ name: 'invalid' }])).toEqual([
      422,
      { 'tags.0.name': ['This is no name.'] },
    ])
    expect(await wrong([{ name: 'refused' }])).toEqual([
      422,
      { 'tags.0.name': ['A hook refuses it.'] },
    ])
    // A record that the user does not see has that name.
    expect(await wrong([{ name: 'new' }, { name: 'hidden' }])).toEqual([
      422,
      { 'tags.1.name': ['The name has already been taken.'] },
    ])
  })

  it('asks the policies of attach and sync, and the gates of pivots', async () => {
    const body = (more: object) => ({ title: 'a', slug: 'a', ...more })
    const denied = (more: object, as = ann) => refused(() => post('articles', body(more), as))
    expect((await denied({ title: 'untagged', tags: [{ id: red }] }))[0]).toBe(403)
    expect((await denied({ tags: [{ name: 'denied' }] }))[0]).toBe(403)
    expect((await denied({ tags: [{ id: red, pivots: { position: 100 } }] }))[0]).toBe(403)
    expect((await denied({ tags: [{ name: 'new' }] }, mute))[0]).toBe(403)
    expect(await denied({ title: 'unseen', tags: [{ id: red }] })).toEqual([
      422,
      { tags: ['The tags would belong to a record that you cannot see.'] },
    ])
    expect((await denied({ tags: [{ name: 'new' }] }, 0))[0]).toBe(401)
    // A gate that answers a condition is asked about the record as it was written.
    expect((await denied({ readers: [{ id: bob, pivots: { role: 'owner' } }] }))[0]).toBe(403)
    const owned = await post('articles', {
      ...body({ title: 'owned', slug: 'o' }),
      readers: [{ id: bob, pivots: { role: 'owner' } }],
    })
    expect(owned.status).toBe(201)

    const made = await post('articles', body({ tags: [{ id: red, pivots: { position: 7 } }] }))
    const { id } = made.body.data
    const change = (more: object, as = ann) => refused(() => patch(id, more, as))
    expect((await change({ tags: [] }))[0]).toBe(403)
    expect((await change({ tags: [{ id: red, pivots: { position: 60 } }] }))[0]).toBe(403)
    const four = ['a', 'b', 'c', 'd'].map((each) => ({ name: each }))
    expect((await change({ title: 'b', tags: four }))[0]).toBe(403)
    expect((await change({ tags: [] }, bob))[0]).toBe(404)
    // A relation that the user does not see is none of theirs.
    const word = await project.insert('secrets', { word: 'x' })
    const unknown = await post('articles', body({ slug: 'b', secrets: [{ id: word }] }))
    expect([unknown.status, await run('select * from article_secret')]).toEqual([201, []])
    const known = await post('articles', body({ slug: 'c', secrets: [{ id: word }] }), bob)
    expect([known.status, (await run('select * from article_secret')).length]).toEqual([201, 1])
  })

  it('asks the policy again where somebody changed what it was asked about', async () => {
    const tags = [{ id: red }]
    const made = await post('articles', { title: 'meanwhile', slug: 'a', tags })
    expect([made.status, await run('select * from articles')]).toEqual([403, []])
    await run('update tags set color = null')
    const { body } = await post('articles', { title: 'meanwhile', slug: 'b' })
    const changed = await patch(body.data.id, { slug: 'c', tags })
    expect(changed.status).toBe(403)
    expect(await run('select title, slug from articles')).toEqual([['changed', 'b']])
    expect(await run('select * from article_tag')).toEqual([])
  })

  it('undoes all where something of it is refused', async () => {
    await post('articles', { title: 'a', slug: 'taken' })
    const taken = await refused(() =>
      post('articles', { title: 'b', slug: 'taken', tags: [{ name: 'new' }] }),
    )
    expect(taken).toEqual([422, { slug: ['The slug has already been taken.'] }])
  })

  it('is tried again where somebody else makes a record of that key at the same time', async () => {
    const { status, body } = await post('articles', {
      title: 'a',
      slug: 'a',
      tags: [{ name: 'race' }],
    })
    expect([status, body.message]).toEqual([201, undefined])
    expect(await run(`select count(*) from tags where name = 'race'`)).toEqual([[1]])
  })
}

function several(): void {
  it('is one of many in a list, where a new record of one key is made once', async () => {
    const list = [
      { title: 'a', slug: 'a', tags: [{ name: 'new' }, { id: red }] },
      { title: 'b', slug: 'b' },
      { title: 'c', slug: 'c', tags: [{ name: 'new', pivots: { position: 2 } }] },
    ]
    const made = await post('articles/bulk', list)
    expect([made.status, made.body.message]).toEqual([201, undefined])
    const [a, b, c] = made.body.data
    expect(named(a.relationships.tags).toSorted()).toEqual([
      ['new', 0],
      ['red', 0],
    ])
    expect(b.relationships).toBeUndefined()
    expect(named(c.relationships.tags)).toEqual([['new', 2]])
    const changed = await project.patch(
      `${api}/articles/bulk`,
      [
        { id: a.id, version: 1, tags: [{ name: 'new' }] },
        { id: c.id, version: 1, title: 'cc' },
      ],
      ann,
    )
    expect([changed.status, changed.body.message]).toEqual([200, undefined])
    expect(named(changed.body.data[0].relationships.tags)).toEqual([['new', 0]])
    expect(await tagsOf(c.id)).toEqual([['new', 2]])
    const wrong = await refused(() =>
      post('articles/bulk', [
        { title: 'd', slug: 'd' },
        { title: 'e', slug: 'e', tags: [{ id: 999 }] },
      ]),
    )
    expect(wrong).toEqual([
      422,
      { '1.tags.0.id': ['The id must be the id of a record that exists.'] },
    ])
    const hook = await refused(() =>
      post('articles/bulk', [
        { title: 'd', slug: 'd', tags: [{ id: red }] },
        { title: 'e', slug: 'e', tags: [{ name: 'refused' }] },
      ]),
    )
    expect(hook).toEqual([422, { '1.tags.0.name': ['A hook refuses it.'] }])
  })

  it('is made or changed by its key with them', async () => {
    const upsert = (body: object) => post('articles?upsertBy=slug', body)
    const made = await upsert({ title: 'a', slug: 'a', tags: [{ name: 'new' }] })
    expect([made.status, named(made.body.data.relationships.tags)]).toEqual([201, [['new', 0]]])
    const changed = await upsert({ title: 'b', slug: 'a', version: 1, tags: [{ id: red }] })
    expect([changed.status, changed.body.message]).toEqual([200, undefined])
    expect(await tagsOf(made.body.data.id)).toEqual([['red', 0]])
  })

  it('is made beside one that is changed, each with new ones', async () => {
    const upsert = (list: object) => post('articles/bulk?upsertBy=slug', list)
    await post('articles', { title: 'a', slug: 'a', tags: [{ id: red }] })
    const { status, body } = await upsert([
      { title: 'b', slug: 'a', version: 1, tags: [{ name: 'new' }] },
      { title: 'c', slug: 'c', tags: [{ name: 'new' }, { name: 'other' }] },
    ])
    expect([status, body.errors]).toEqual([200, undefined])
    expect(await tagsOf(body.data[0].id)).toEqual([['new', 0]])
  })

  it('is 413 with more new ones than one request makes, and 422 for keys that nothing reads', async () => {
    const body = (tags: unknown) => ({ title: 'a', slug: 'a', tags })
    const list = Array.from({ length: 3 }, (_, at) => ({
      ...body(Array.from({ length: 333 }, (_each, n) => ({ name: `${at}.${n}` }))),
      slug: `s${at}`,
    }))
    const many = await refused(() => post('articles/bulk', list))
    const text =
      'One request makes at most 1000 records; these are 1002, with those that they name.'
    expect(many).toEqual([413, text])
    const strange = await refused(() => post('articles', body([{ name: 'red', colour: 'x' }])))
    expect(strange).toEqual([422, { 'tags.0.colour': [expect.stringContaining('colour')] }])
  })

  it('is answered when it is written, however many related records the answer shows', async () => {
    const tags = Array.from({ length: 15 }, (_, at) => ({ name: `t${at}` }))
    const list = Array.from({ length: 700 }, (_, at) => ({ title: 'a', slug: `s${at}`, tags }))
    const made = await post('articles/bulk', list)
    expect([made.status, made.body.message, made.body.data?.length]).toEqual([201, undefined, 700])
    expect(await run('select count(*) from article_tag')).toEqual([[10_500]])
  })

  it('names no more of them than one request writes', async () => {
    const tags = Array.from({ length: 41 }, (_, at) => ({ name: `t${at}` }))
    const list = Array.from({ length: 500 }, (_, at) => ({ title: 'a', slug: `s${at}`, tags }))
    const { status, body, statements } = await post('articles/bulk', list)
    expect([status, body.message]).toEqual([
      413,
      'One request names at most 20000 tags; these are 20500.',
    ])
    // The token alone: none was looked up.
    expect(statements.length).toBe(1)
  })

  it('writes what each says of its pivot row in one statement', async () => {
    const sent = async (count: number) => {
      const tags = Array.from({ length: count }, (_, at) => {
        return { name: `${count}p${at}`, pivots: { position: at } }
      })
      const made = await post('articles', { title: 'a', slug: `p${count}`, tags })
      expect(made.status).toBe(201)
      return made.statements.length
    }
    expect(await sent(40)).toBe(await sent(2))
    const positions = await run('select position from article_tag order by position')
    expect(positions.slice(-2)).toEqual([[38], [39]])
  })
}

function elsewhere(): void {
  it('changes nothing where it is tried', async () => {
    const before = await everything()
    const tried = await post('articles?dryRun=true', {
      title: 'a',
      slug: 'a',
      tags: [{ name: 'new' }],
    })
    expect([tried.status, tried.body.message]).toEqual([200, undefined])
    expect(named(tried.body.data.relationships.tags)).toEqual([['new', 0]])
    expect(await everything()).toBe(before)
    expect(tried.body.meta.affected).toMatchObject({ articles: 1, tags: 1, article_tag: 1 })
  })

  it('is written over GraphQL with them', async () => {
    const query = `mutation ($tags: [ArticleTagsInput!]) {
      createArticle(input: { title: "a", slug: "a", tags: $tags }) { id tags { name } }
    }`
    const tags = [{ id: String(red) }, { name: 'new', pivots: { position: 4 } }]
    const { body } = await project.post('/graphql', { query, variables: { tags } }, ann)
    expect(body.errors).toBeUndefined()
    const { id, tags: shown } = body.data.createArticle
    expect(shown.map((tag: { name: string }) => tag.name).toSorted()).toEqual(['new', 'red'])
    expect(await tagsOf(id)).toEqual([
      ['new', 4],
      ['red', 0],
    ])
    const change = `mutation { updateArticle(id: ${id}, input: { tags: [{ id: 999 }] }) { id } }`
    const wrong = await project.post('/graphql', { query: change }, ann)
    expect(wrong.body.errors[0].extensions.errors).toEqual({
      'tags.0.id': ['The id must be the id of a record that exists.'],
    })
  })

  it('takes as many statements for two of them as for thirty', async () => {
    const many = async (count: number) => {
      const tags = Array.from({ length: count }, (_, at) => ({ name: `${count}.${at}` }))
      const made = await post('articles', { title: 'a', slug: `s${count}`, tags })
      expect(made.status).toBe(201)
      const changed = await patch(made.body.data.id, { version: 1, tags: tags.slice(0, 3) })
      expect([changed.status, changed.body.message]).toEqual([200, undefined])
      return [made.statements.length, changed.statements.length]
    }
    expect(await many(2)).toEqual(await many(30))
  })
}
