/** `softDeletes`: what is in the trash is nowhere. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, getNamedType, isLeafType, isObjectType, type GraphQLSchema } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type Answer, type Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/features/soft-deletes/manifests/http.ts',
  files: {
    'app/Hooks/CommentHooks.ts': `import type { CommentModel, HooksFor } from '#app/Models.js'

const said = (what: string) => (_: unknown, { body }: { body: string }) => {
  if (body === 'stays') throw new Error('No.')
  ;(globalThis as unknown as { said: string[] }).said.push(what)
}

export const CommentHooks: HooksFor<CommentModel> = {
  beforeDelete: said('beforeDelete'),
  beforeRestore: said('beforeRestore'),
  afterRestore: said('afterRestore'),
  beforeForceDelete: said('beforeForceDelete'),
  afterForceDelete: said('afterForceDelete'),
}
`,
  },
  policies: {
    Image: {
      restore: '(user) => ({ path: user?.name })',
      forceDelete: '(user) => user?.is_admin === true',
    },
    Cover: { restore: '(_) => false', forceDelete: '(_) => false' },
    Comment: { show: '() => any({ post: { is: true } }, { post_id: { isNull: true } })' },
    Tag: { update: "() => ({ posts: { none: { title: 'ghost' } } })" },
  },
}

const api = '/api/svc'
const tables = ['users', 'posts', 'comments', 'covers', 'images', 'tags', 'labels'] as const
const ghost = 900
/** What hooks of comments were called. */
const called: string[] = []
Object.assign(globalThis, { said: called })

let project: Project
let ann: number

const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])
const all = async () => {
  const tables = ['post_tag', 'labelables', 'images', 'covers', 'comments', 'posts', 'tags']
  for (const table of [...tables, 'labels', 'personal_access_tokens', 'users']) {
    await run(`delete from "${table}"`).catch((error: unknown) => {
      if (!/no such table|does not exist/.test(String(error))) throw error
    })
  }
}

/** Rows that point at others, and that pivots point at; none that is there points at them by a column of its own. */
async function haunt(): Promise<void> {
  const text = { title: 'ghost', slug: 'ghost' }
  const rows: Record<(typeof tables)[number], Record<string, unknown>> = {
    users: { name: 'ghost', email: 'ghost@x.test', password: '-' },
    posts: { ...text, place: 9, owner_id: ann },
    comments: { body: 'ghost', post_id: 501 },
    covers: { path: 'ghost', post_id: 502 },
    images: { path: 'ghost', imageable_type: 'posts', imageable_id: 501 },
    tags: { name: 'ghost' },
    labels: { name: 'ghost' },
  }
  for (const table of tables) await project.insert(table, { id: ghost, ...rows[table] })
  await project.link('post_tag', { post_id: 501, tag_id: ghost, weight: 7 })
  await project.link('post_tag', { post_id: ghost, tag_id: 501, weight: 7 })
  for (const table of tables.toReversed()) {
    const { status } = await project.delete(`${api}/${table}/${ghost}`, ann)
    expect([table, status]).toEqual([table, 204])
  }
}

const read = (path: string) => readFileSync(join(project.folder, path), 'utf8')
interface Operation {
  readonly tags?: readonly string[]
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[]
}
const paths = () => {
  const document = JSON.parse(read('app/OpenApi/openapi.json')) as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(document.paths).filter(([path]) => path.startsWith(api))
}
const relationsOf: Record<string, string> = {
  users: 'posts',
  posts: 'owner,cover,tags,images,labels,comments',
  comments: 'post.owner',
  covers: 'post',
  images: 'imageable',
  tags: 'posts.comments',
  labels: '',
}
const ways = (key: string) =>
  ['', `include=${relationsOf[key] ?? ''}`, 'search=ghost', 'sort=-id', 'search=o', 'perPage=1']
    .concat(key === 'posts' ? ['title=ghost', 'slug=ghost', 'sort=owner.name'] : [])
    .concat(key === 'comments' ? ['sort=post.title', 'search=one'] : [])

/** Every address that answers records, of those that are there and of those that are not. */
const addresses = () =>
  paths().flatMap(([path, methods]) => {
    if (methods['get'] === undefined || path.includes('profile')) return []
    const [, key = '', related] = path.slice(api.length).split(/\/(?:\{id\}\/)?/)
    const ids = path.includes('{id}') ? [501, ghost] : [0]
    const below = path.includes('{relatedId}') ? [501, ghost] : [0]
    return ids.flatMap((id) =>
      below.flatMap((other) => {
        const at = path.replace('{id}', String(id)).replace('{relatedId}', String(other))
        return ways(related === undefined ? key : '').map((way) => `${at}?${way}`)
      }),
    )
  })
const said = ({ status, body }: Answer) => JSON.stringify([status, body])

function everything(schema: GraphQLSchema): string {
  const fields = (type: unknown, depth: number): string => {
    const named = getNamedType(type as never)
    if (!isObjectType(named)) return ''
    const inner = Object.values(named.getFields()).flatMap((field) => {
      if (isLeafType(getNamedType(field.type))) return [field.name]
      const below = depth === 0 ? '' : fields(field.type, depth - 1)
      return below === '' ? [] : [`${field.name} ${below}`]
    })
    return inner.length === 0 ? '' : `{ ${inner.join(' ')} }`
  }
  const roots = Object.values(schema.getQueryType()?.getFields() ?? {})
  const lines = roots.flatMap((field) => {
    const isOne = field.args.some((arg) => arg.name === 'id')
    if (!isOne) return [`${field.name} ${fields(field.type, 1)}`]
    return [501, ghost].map(
      (id) => `a${id}${field.name}: ${field.name}(id: ${id}) ${fields(field.type, 1)}`,
    )
  })
  return `{ ${lines.join('\n')} }`
}
const graphql = (query: string) => project.post('/graphql', { query }, ann)

async function look(): Promise<readonly (readonly [string, string])[]> {
  const seen: [string, string][] = []
  for (const at of addresses()) seen.push([at, said(await project.get(at, ann))])
  const query = everything(buildSchema(read('app/GraphQL/schema.graphql')))
  seen.push(['graphql', said(await graphql(query))])
  return seen
}

/** Writes that speak of what is not there: none of them does anything. */
async function refusals(): Promise<readonly string[]> {
  const bodies: Record<string, object> = {
    posts: { title: 'x', slug: 'x' },
    comments: { body: 'x', post_id: ghost },
    covers: { path: 'x', post_id: ghost },
  }
  const seen: string[] = []
  const note = (what: string, answer: Answer) => {
    expect([what, answer.status >= 400 && answer.status < 500]).toEqual([what, true])
    seen.push(`${what} ${said(answer)}`)
  }
  for (const [key, body] of Object.entries(bodies)) {
    if (key !== 'posts') note(key, await project.post(`${api}/${key}`, body, ann))
    note(`put ${key}`, await project.put(`${api}/${key}/${ghost}`, body, ann))
  }
  for (const table of tables) {
    const at = `${api}/${table}/${ghost}`
    note(`patch ${at}`, await project.patch(at, {}, ann))
    note(`delete ${at}`, await project.delete(at, ann))
  }
  note('patch', await project.patch(`${api}/comments/501`, { post_id: ghost }, ann))
  for (const operation of ['attach', 'sync', 'detach']) {
    const send = (id: number, tag: number) =>
      project.post(`${api}/posts/${id}/${operation}/tags`, { tags: [tag] }, ann)
    note(`${operation} it`, await send(501, ghost))
    note(`${operation} to it`, await send(ghost, 501))
  }
  note('images', await project.post(`${api}/posts/${ghost}/images`, { path: 'x' }, ann))
  note('below', await project.post(`${api}/posts/${ghost}/comments`, { body: 'x' }, ann))
  const mutations = [
    ...['Post', 'Comment', 'Tag'].map((type) => `delete${type}(id: ${ghost})`),
    `updatePost(id: ${ghost}, input: { title: "x" }) { id }`,
    `updatePost(id: 501, input: { comments: [${ghost}] }) { id }`,
    `createComment(input: { body: "x", post_id: ${ghost} }) { id }`,
  ]
  for (const each of mutations) {
    const { body } = await graphql(`mutation { ${each} }`)
    expect([each, body.errors.length]).toEqual([each, 1])
    seen.push(JSON.stringify(body))
  }
  return seen
}

const titles = async (query: string, as = ann) => {
  const { status, body } = await project.get(`${api}/posts?sort=id${query}`, as)
  const found = body.data as { attributes: { title: string } }[] | undefined
  return status === 200 ? found?.map(({ attributes }) => attributes.title) : status
}

describe.each(databases)('what is in the trash, on %s', (name) => {
  beforeAll(async () => void (project = await openManifest(manifest, name)))
  afterAll(() => project.close())
  beforeEach(async () => {
    called.length = 0
    await all()
    ann = await project.user('Ann')
    await project.insert('users', { id: 800, name: 'Bob', email: 'bob@x.test', password: '-' })
    const one = { id: 501, title: 'one', slug: 'one', place: 1, owner_id: ann }
    await project.insert('posts', one)
    await project.insert('posts', { ...one, id: 502, title: 'two', slug: 'two', place: 2 })
    await project.insert('comments', { id: 501, body: 'first', post_id: 501 })
    await project.insert('comments', { id: 502, body: 'second', post_id: 501 })
    await project.insert('covers', { id: 501, path: 'c', post_id: 501 })
    await project.insert('images', {
      id: 501,
      path: 'i',
      imageable_type: 'posts',
      imageable_id: 501,
    })
    await project.insert('tags', { id: 501, name: 'red' })
    await project.insert('labels', { id: 501, name: 'big' })
    await project.link('post_tag', { post_id: 501, tag_id: 501, weight: 3 })
  })

  describe('for those who read', () => {
    unseen()
  })
  describe('for those who restore and delete it', () => {
    restored()
  })
})

function unseen(): void {
  it('is on no surface: every route answers as if it had never been', async () => {
    const before = [await look(), await refusals()]
    await haunt()
    const stored = await run(`select count(*) from posts where deleted_at is not null`)
    expect(Number(stored[0]?.[0])).toBe(1)
    const after = [await look(), await refusals()]
    expect(before[0]?.length).toBeGreaterThan(100)
    expect(after).toEqual(before)
    expect(await run('select weight from post_tag order by weight')).toHaveLength(3)
  })

  it('is no match for conditions along relations, nor for what points at it', async () => {
    await project.insert('posts', { id: 503, title: 'ghost', slug: 'g', place: 3, owner_id: 800 })
    await project.insert('comments', { id: 503, body: 'third', post_id: 503 })
    await project.link('post_tag', { post_id: 503, tag_id: 501, weight: 1 })
    const flag = async () =>
      (await project.get(`${api}/tags/501`, ann)).body.data.meta.authorizedToUpdate as boolean
    const bodies = async (query: string) =>
      (await project.get(`${api}/comments?${query}`, ann)).body.data.map(
        ({ attributes }: { attributes: { body: string } }) => attributes.body,
      )
    expect(await flag()).toBe(false)
    expect(await bodies('search=ghost')).toEqual(['third'])
    expect((await project.delete(`${api}/posts/503`, ann)).status).toBe(204)
    expect(await flag()).toBe(true)
    // Its policy says that a comment is there where its post is.
    expect(await bodies('')).toEqual(['second', 'first'])
    expect((await project.get(`${api}/comments/503`, ann)).status).toBe(404)
    const owned = await project.get(`${api}/posts?include=owner&sort=id`, ann)
    expect(owned.body.meta.total).toBe(2)
  })

  it('leaves a relation to it empty', async () => {
    await project.insert('posts', { id: 503, title: 'his', slug: 'g', place: 3, owner_id: 800 })
    expect((await project.delete(`${api}/users/800`, ann)).status).toBe(204)
    const { body } = await project.get(`${api}/posts/503?include=owner`, ann)
    expect(body.data.relationships).toEqual({ owner: null })
    expect((await project.get(`${api}/posts/503/owner`, ann)).body.data).toEqual([])
    const found = await project.get(`${api}/posts?search=Bob`, ann)
    expect(found.body.data).toEqual([])
    const asked = await graphql('{ post(id: 503) { owner { name } } }')
    expect(asked.body).toEqual({ data: { post: { owner: null } } })
  })

  it('takes no value: what is unique is so among what is there', async () => {
    await haunt()
    const post = { title: 'new', slug: 'ghost', place: 9 }
    const made = await project.post(`${api}/posts`, post, ann)
    expect([made.status, made.body.errors]).toEqual([201, undefined])
    expect((await project.post(`${api}/tags`, { name: 'ghost' }, ann)).status).toBe(201)
    expect((await project.post(`${api}/covers`, { path: 'x', post_id: 502 }, ann)).status).toBe(201)
    const again = await project.post(`${api}/posts`, post, ann)
    expect(again.status).toBe(422)
    expect(Object.keys(again.body.errors).toSorted()).toEqual(['owner_id', 'place', 'slug'])
    const tag = await project.post(`${api}/tags`, { name: 'ghost' }, ann)
    expect([tag.status, Object.keys(tag.body.errors)]).toEqual([422, ['name']])
  })

  it('does not sign in, and its tokens end for good', async () => {
    const password = 'correct horse battery'
    const form = { name: 'Eve', email: 'eve@x.test', password, password_confirmation: password }
    const registered = await project.post('/api/register', form)
    const { id: user, meta } = registered.body
    const authorization = `Bearer ${meta.token}`
    const profile = () => project.request('GET', `${api}/profile`, { headers: { authorization } })
    expect((await profile()).status).toBe(200)
    expect((await project.delete(`${api}/users/${user}`, ann)).status).toBe(204)
    expect((await profile()).status).toBe(401)
    const credentials = { email: 'eve@x.test', password }
    expect((await project.post('/api/login', credentials)).status).toBe(401)
    await run(`update users set deleted_at = null where id = ${user}`)
    expect((await profile()).status).toBe(401)
    expect((await project.post('/api/login', credentials)).status).toBe(200)
    await run(`update users set deleted_at = created_at where id = ${user}`)
    const other = await project.post('/api/register', { ...form, email: 'EVE@x.test' })
    expect([other.status, other.body.errors]).toEqual([200, undefined])
  })
}

function restored(): void {
  it('is listed where somebody asks for it who may bring it back or delete it for good', async () => {
    await project.delete(`${api}/posts/502`, ann)
    expect(await titles('')).toEqual(['one'])
    expect(await titles('&trashed=with')).toEqual(['one', 'two'])
    expect(await titles('&trashed=only')).toEqual(['two'])
    const { body } = await project.get(`${api}/posts?trashed=only`, ann)
    expect(body.meta.total).toBe(1)
    expect(body.data[0]).toMatchObject({
      attributes: { deleted_at: expect.stringMatching(/^\d{4}-.*Z$/) },
      meta: { authorizedToRestore: true, authorizedToForceDelete: true },
    })
    const one = await project.get(`${api}/posts/502?trashed=with&include=owner`, ann)
    expect(one.body.data.relationships.owner.attributes.name).toBe('Ann')
    expect((await project.get(`${api}/posts/502`, ann)).status).toBe(404)
    expect((await project.get(`${api}/posts?trashed=yes`, ann)).status).toBe(400)
    const { meta, attributes } = (await project.get(`${api}/posts/501`, ann)).body.data
    expect(meta).toMatchObject({ authorizedToRestore: false, authorizedToForceDelete: true })
    expect(attributes).not.toHaveProperty('deleted_at')
    // Below a record as well, and what is included is what is there.
    const below = await project.get(`${api}/users/${ann}/posts?trashed=only`, ann)
    expect(below.body.meta.total).toBe(1)
    const included = await project.get(`${api}/users/${ann}?trashed=with&include=posts`, ann)
    expect(included.body.data.relationships.posts).toHaveLength(1)
  })

  it('is for those whom the policy lets bring it back, each their own', async () => {
    const cat = await project.user('c')
    const root = await project.user('Root', { is_admin: true })
    const image = { imageable_type: 'posts', imageable_id: 501 }
    for (const [id, path] of [
      [502, 'c'],
      [503, 'd'],
    ] as const) {
      await project.insert('images', { ...image, id, path })
      await project.delete(`${api}/images/${id}`, ann)
    }
    const ids = async (as: number) =>
      (await project.get(`${api}/images?trashed=only&sort=id`, as)).body.data
        ?.map(({ id }: { id: string }) => id)
        .toSorted()
    expect([await ids(cat), await ids(root), await ids(ann)]).toEqual([['502'], ['502', '503'], []])
    const restore = async (id: number, as?: number) =>
      (await project.request('POST', `${api}/images/${id}/restore`, { as })).status
    const force = async (id: number, as?: number) =>
      (await project.request('DELETE', `${api}/images/${id}/force`, { as })).status
    expect([await restore(502), await force(502)]).toEqual([401, 401])
    expect([await restore(503, cat), await restore(503, root)]).toEqual([404, 403])
    expect([await restore(999, cat), await force(503, cat)]).toEqual([404, 404])
    expect([await force(502, cat), await force(501, cat)]).toEqual([403, 403])
    expect([await restore(502, cat), await restore(502, cat)]).toEqual([200, 404])
    expect([await force(503, root), await force(503, root), await force(502, root)]).toEqual([
      204, 404, 204,
    ])
    // Nobody may: nobody looks.
    const closed = await project.get(`${api}/covers?trashed=with`, ann)
    expect(closed.status).toBe(403)
    expect((await project.post(`${api}/covers/501/restore`, {}, ann)).status).toBe(403)
    expect((await project.get(`${api}/images?trashed=only`)).status).toBe(401)
  })

  it('comes back with all that it had, onto no key that is taken', async () => {
    await haunt()
    const { status, body } = await project.post(`${api}/posts/${ghost}/restore`, {}, ann)
    expect([status, body.data.id, body.data.attributes.title]).toEqual([200, `${ghost}`, 'ghost'])
    await project.post(`${api}/tags/${ghost}/restore`, {}, ann)
    const tags = await project.get(`${api}/posts/501?include=tags`, ann)
    const pivots = tags.body.data.relationships.tags as { pivots: object }[]
    expect(pivots.map((each) => each.pivots)).toEqual([{ weight: 7 }, { weight: 3 }])
    expect(await titles('')).toEqual(['one', 'two', 'ghost'])

    await project.delete(`${api}/posts/${ghost}`, ann)
    await project.post(`${api}/posts`, { title: 'other', slug: 'ghost', place: 9 }, ann)
    const taken = await project.post(`${api}/posts/${ghost}/restore`, {}, ann)
    expect(taken.status).toBe(422)
    expect(Object.keys(taken.body.errors).toSorted()).toEqual(['owner_id', 'place', 'slug'])
    expect(await titles('&trashed=only')).toEqual(['ghost'])
  })

  it('tells hooks, in their order; one that throws leaves it where it was', async () => {
    for (const way of [project.delete(`${api}/comments/501`, ann)]) await way
    await project.post(`${api}/comments/501/restore`, {}, ann)
    await project.delete(`${api}/comments/501/force`, ann)
    expect(called).toEqual([
      ...['beforeDelete', 'beforeRestore', 'afterRestore'],
      ...['beforeForceDelete', 'afterForceDelete'],
    ])
    const trashed = { id: 503, body: 'stays', post_id: 501, deleted_at: new Date().toISOString() }
    await project.insert('comments', trashed)
    expect((await project.post(`${api}/comments/503/restore`, {}, ann)).status).toBe(500)
    expect((await project.delete(`${api}/comments/503/force`, ann)).status).toBe(500)
    expect(await run('select body from comments where deleted_at is not null')).toEqual([['stays']])
  })

  it('is not deleted for good while others must point at it', async () => {
    await project.delete(`${api}/posts/501`, ann)
    expect((await project.delete(`${api}/posts/501/force`, ann)).status).toBe(409)
    await run('delete from covers')
    await run('delete from images')
    await run('update comments set post_id = null')
    expect((await project.delete(`${api}/posts/501/force`, ann)).status).toBe(204)
    expect(await run('select * from post_tag')).toEqual([])
  })

  it('comes back over GraphQL, too', async () => {
    await project.delete(`${api}/posts/502`, ann)
    const restored = await graphql('mutation { restorePost(id: 502) { title owner { name } } }')
    expect(restored.body).toEqual({
      data: { restorePost: { title: 'two', owner: { name: 'Ann' } } },
    })
    const again = await graphql('mutation { restorePost(id: 502) { title } }')
    expect(again.body.errors[0].extensions.code).toBe('NOT_FOUND')
    expect((await graphql('mutation { forceDeletePost(id: 502) }')).body).toEqual({
      data: { forceDeletePost: true },
    })
    await project.delete(`${api}/posts/501`, ann)
    const trash = await graphql(`
      {
        postList {
          id
        }
        only: postList(trashed: only, sort: "id") {
          id
          title
          owner {
            name
          }
        }
        all: postList(trashed: with) {
          id
        }
        postListTotal(trashed: only)
      }
    `)
    expect(trash.body).toEqual({
      data: {
        postList: [],
        only: [{ id: '501', title: 'one', owner: { name: 'Ann' } }],
        all: [{ id: '501' }],
        postListTotal: 1,
      },
    })
    const closed = await graphql('{ coverList(trashed: only) { id } }')
    expect(closed.body.errors[0].extensions.code).toBe('FORBIDDEN')
    const wrong = await graphql('{ tagList(trashed: all) { id } }')
    expect(wrong.body.errors[0].message).toMatch(/"Trashed" enum/)
    const denied = await graphql('mutation { restoreCover(id: 501) { path } }')
    expect(denied.body.errors[0].extensions.code).toBe('FORBIDDEN')
  })

  it('is deleted once, and nobody writes since when', async () => {
    const first = `select deleted_at from posts where id = 501`
    const body = { title: 'x', deleted_at: '2020-01-01T00:00:00Z' }
    await project.patch(`${api}/posts/501`, body, ann)
    expect(await run(first)).toEqual([[null]])
    const both = await Promise.all(
      [501, 501].map((id) => project.delete(`${api}/posts/${id}`, ann)),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 404])
    const [[moment]] = (await run(first)) as [[unknown]]
    const { attributes } = (await project.get(`${api}/posts/502`, ann)).body.data
    expect(attributes).not.toHaveProperty('deleted_at')
    expect(Math.abs(Date.parse(String(moment)) - Date.now())).toBeLessThan(60_000)
  })
}
