import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { credentialsOf } from '../../../runtime/features/sign-in/credentials.js'
import { createThrottles } from '../../../runtime/features/sign-in/throttle.js'
import { boolean } from '../../../runtime/input/rules.js'
import { any, not, self, sql } from '../../../runtime/policy/condition.js'
import { type Blog, type BlogOptions, createBlog, storing } from './blog.js'
import { counted, dialects, openDatabase } from './databases.js'
import { failure } from './failure.js'

describe.each(dialects)('policies on %s', (dialect) => {
  let database: Database
  let open: Blog
  const [ada, bob] = [{ id: 1 }, { id: 2 }]
  const strict: BlogOptions = {
    policies: {
      posts: {
        show: (user) => any({ published_at: { isNull: false } }, { owner_id: user?.id }),
        store: (user) => user !== null,
        update: (user) => ({ owner_id: user?.id }),
        delete: async (user) => ({ owner: { is: { id: user?.id, name: 'Ada' } } }),
      },
    },
  }

  beforeAll(async () => {
    database = await openDatabase(dialect)
    open = createBlog(database)
    for (const name of ['Ada', 'Bob']) {
      await open.users.store(null, { name, email: `${name}@x.org`, password: 'long enough' })
    }
  })
  afterAll(() => database.close())

  test('a hidden row is 404, a denied operation 403, a missing user 401', async () => {
    const { posts } = createBlog(database, strict)
    const draft = (await posts.store(ada, { title: 'draft' })).id
    const published = (await posts.store(ada, { title: 'published', published_at: '2026-01-01' }))
      .id
    const outcome = async (user: unknown, id: string) => [
      await posts.show(user, id).then(
        () => 200,
        (error) => error.status,
      ),
      await posts.patch(user, id, { title: 'new' }).then(
        () => 200,
        (error) => error.status,
      ),
      await posts.update(user, id, {}).then(
        () => 200,
        (error) => error.status,
      ),
      await posts.delete(user, id).then(
        () => 204,
        (error) => error.status,
      ),
    ]
    expect(await outcome(bob, draft)).toEqual([404, 404, 404, 404])
    expect(await outcome(bob, published)).toEqual([200, 403, 403, 403])
    expect(await outcome(null, draft)).toEqual([404, 404, 404, 404])
    expect(await outcome(null, published)).toEqual([200, 401, 401, 401])
    expect(await outcome(ada, '999999')).toEqual([404, 404, 404, 404])
    expect(await outcome(ada, published)).toEqual([200, 200, 422, 204])
    expect((await failure(posts.store(null, {}))).status).toBe(401)
    expect((await posts.find(ada, draft)).title).toBe('draft')
    expect((await failure(posts.find(bob, draft))).status).toBe(404)
  })

  test('the flags of a resource are the outcome of the operation', async () => {
    const { posts } = createBlog(database, strict)
    const made = await posts.store(bob, { title: 'of Bob', published_at: '2026-01-01' })
    const flags = (update: boolean, del: boolean) => ({
      authorizedToShow: true,
      authorizedToStore: true,
      authorizedToUpdate: update,
      authorizedToDelete: del,
    })
    expect(made.meta).toEqual(flags(true, false))
    expect((await posts.show(ada, made.id)).meta).toEqual(flags(false, false))
    expect((await posts.index(bob)).data[0]?.meta).toEqual(flags(true, false))
    expect((await failure(posts.delete(bob, made.id))).status).toBe(403)
    const hidden = await posts.patch(bob, made.id, { published_at: null })
    expect(hidden.meta).toEqual(flags(true, false))
    expect((await failure(posts.show(ada, made.id))).status).toBe(404)
    expect(await posts.show(null, made.id).catch(() => null)).toBeNull()
  })

  test('a policy may answer with a promise of a library, which is no Promise', async () => {
    const later = <T>(answer: T) => ({
      then: (resolve: (answer: T) => void) => void setImmediate(resolve, answer),
    })
    const answers = { show: true, store: false, update: false, delete: true }
    const posts = Object.entries(answers).map(([name, answer]) => [name, () => later(answer)])
    const made = await open.posts.store(ada, { title: 'of a library' })
    const late = createBlog(database, { policies: { posts: Object.fromEntries(posts) } })
    expect((await late.posts.show(ada, made.id)).meta).toEqual({
      authorizedToShow: true,
      authorizedToStore: false,
      authorizedToUpdate: false,
      authorizedToDelete: true,
    })
  })

  test('flags cost no statement of their own', async () => {
    const { posts } = createBlog(database, strict)
    for (let i = 0; i < 5; i++) await posts.store(ada, { title: 'x' })
    const { statements } = await counted(database, () => posts.index(ada, { perPage: 3 }))
    // The page, and on SQLite its total.
    expect(statements).toHaveLength(database.dialect === 'sqlite' ? 2 : 1)
  })

  test('total, page and related records are exact', async () => {
    const { posts } = createBlog(database, {
      policies: { posts: { show: () => ({ title: { startsWith: 'exact' } }) } },
    })
    for (let i = 0; i < 40; i++)
      await open.posts.store(ada, { title: `${i % 2 ? 'exact' : 'other'} ${String(i)}` })
    const page = await posts.index(ada, { perPage: 7, page: 2 })
    expect([page.total, page.data.length]).toEqual([20, 7])
  })

  test('a policy that answers neither true nor a condition denies', async () => {
    for (const answer of [undefined, null, 1, 'yes', false] as never[]) {
      const { posts } = createBlog(database, {
        policies: { posts: { show: () => answer, store: () => answer, update: () => answer } },
      })
      expect((await posts.index(ada)).total).toBe(0)
      expect((await failure(posts.index(null))).status).toBe(401)
      expect((await failure(posts.store(ada, { title: 'x' }))).status).toBe(403)
      expect((await failure(posts.patch(ada, '1', {}))).status).toBe(404)
    }
    const missing = createBlog(database, { policies: { posts: { update: undefined as never } } })
    const { id } = await open.posts.store(ada, { title: 'kept' })
    expect((await failure(missing.posts.patch(ada, id, { title: 'x' }))).status).toBe(403)
  })

  test('a policy that throws is a bug, and nothing is written', async () => {
    const broken = createBlog(database, {
      policies: { posts: { update: () => Promise.reject(new Error('broken')) } },
    })
    const { id } = await open.posts.store(ada, { title: 'kept' })
    await expect(broken.posts.patch(ada, id, { title: 'x' })).rejects.toThrow('broken')
    await expect(broken.posts.store(ada, { title: 'lost' })).rejects.toThrow('broken')
    expect((await open.posts.show(ada, id)).attributes['title']).toBe('kept')
    expect(
      (await open.posts.index(ada, { match: [{ column: 'title', negated: false, text: 'lost' }] }))
        .total,
    ).toBe(0)
  })

  test('each policy is asked once per request', async () => {
    const asked: string[] = []
    const ask = (name: string) => () => {
      asked.push(name)
      return true
    }
    const { posts } = createBlog(database, {
      policies: {
        posts: {
          show: ask('show'),
          store: ask('store'),
          update: ask('update'),
          delete: ask('delete'),
        },
      },
    })
    await posts.index(ada, { perPage: 50 })
    expect(asked.toSorted()).toEqual(['delete', 'show', 'store', 'update'])
  })

  test('foreign keys must point at a record the user may see', async () => {
    const { comments, posts } = createBlog(database, strict)
    const { id } = await posts.store(ada, { title: 'draft' })
    const { result, statements } = await counted(database, () =>
      failure(comments.store(bob, { body: 'x', post_id: id })),
    )
    expect(result.errors).toEqual({
      post_id: ['The post id must be the id of a record that exists.'],
    })
    expect(statements).toHaveLength(1)
    const comment = await comments.store(ada, { body: 'x', post_id: Number(id) })
    expect(comment.attributes).toMatchObject({ post_id: id, user_id: '1' })
    expect((await failure(comments.patch(ada, comment.id, { post_id: '999999' }))).status).toBe(422)
    const both = await failure(comments.store(bob, { post_id: id }))
    expect(Object.keys(both.errors ?? {})).toEqual(['body', 'post_id'])
  })

  test('a field whose gate denies is not written', async () => {
    const gated = createBlog(database, {
      policies: {
        posts: {
          canStore: { description: () => false },
          canUpdate: { title: (user) => user?.id === 2 },
        },
      },
    })
    const post = await gated.posts.store(ada, { title: 'mine', description: 'ignored' })
    expect(post.attributes['description']).toBeNull()
    expect(
      (await gated.posts.patch(ada, post.id, { title: 'no', description: 'yes' })).attributes,
    ).toMatchObject({ title: 'mine', description: 'yes' })
    expect((await gated.posts.patch(bob, post.id, { title: 'new' })).attributes['title']).toBe(
      'new',
    )
  })

  test('the log in development names the policy that denied', async () => {
    const told: string[] = []
    const deny = { show: () => false, store: () => false }
    const { posts, comments } = createBlog(database, {
      policies: { posts: deny, comments: { update: () => ({ body: 'x' }) } },
      settings: { explain: (message) => told.push(message) },
    })
    await posts.index(ada)
    await failure(posts.store(null, {}))
    const { id: post } = await open.posts.store(ada, { title: 'x' })
    const comment = await open.comments.store(ada, { body: 'y', post_id: post })
    await failure(comments.patch(ada, comment.id, {}))
    expect(told).toEqual([
      'posts: show answered false for user 1: app/Policies/PostPolicy.ts',
      'posts: store answered false for a request without a user: app/Policies/PostPolicy.ts',
      'comments: update denied for user 1: app/Policies/CommentPolicy.ts',
    ])
  })

  test('the log in development names conditions that no statement can be made of', async () => {
    const told: string[] = []
    const mixed = { owner_id: 1, titel: 'x' }
    createBlog(database, {
      policies: {
        posts: {
          show: (user) => user !== null && mixed,
          update: () => mixed,
          delete: () => Promise.reject(new Error('no such user')),
        },
        comments: { show: (user) => ({ user: { is: { id: user?.id, nmae: 'Ada' } }, id: 1 }) },
      },
      settings: { explain: (message) => told.push(message) },
    })
    await vi.waitUntil(() => told.length > 1)
    expect(told.toSorted()).toEqual([
      "app/Policies/CommentPolicy.ts: a condition on 'users' names 'nmae', and there are id, name, email, password, is_admin, created_at, updated_at, posts, phone, companies. Requests that need it will fail",
      "app/Policies/PostPolicy.ts: a condition on 'posts' names 'titel', and there are id, title, description, published_at, owner_id, created_at, updated_at, owner, comments, notes, tags, image, images. Requests that need it will fail",
    ])
  })

  test('the log in development names what is compared with null, and what to write instead', async () => {
    const told: string[] = []
    createBlog(database, {
      policies: {
        posts: {
          show: () => not({ comments: { some: { post_id: null as never } } }),
          update: (user) => ({ published_at: { not: null as never }, owner_id: user?.id }),
          delete: () => ({ image: { is: null as never } }),
        },
        comments: { show: () => ({ body: { isNull: false } }), update: () => false },
        notes: { show: () => sql`${self('rank')} = ${null as never}` },
      },
      settings: { explain: (message) => told.push(message) },
    })
    await vi.waitUntil(() => told.length > 3)
    const column = (name: string) =>
      `compares '${name}' with null, which admits no row: write { ${name}: { isNull: true } } for NULL, { isNull: false } for any value`
    expect(told.toSorted()).toEqual([
      "app/Policies/NotePolicy.ts: show sql compares with null, which admits no row: write 'is null' in its text",
      "app/Policies/PostPolicy.ts: delete compares 'image' with null, which admits no row: write { image: { isNot: true } } for no record, { is: true } for any",
      `app/Policies/PostPolicy.ts: show ${column('post_id')}`,
      `app/Policies/PostPolicy.ts: update ${column('published_at')}`,
    ])
  })

  test('in development, the log says why a guarded column is not written', async () => {
    const told: string[] = []
    const throttles = createThrottles({
      throttles: { changeEmail: { limit: 6, minutes: 60 } } as never,
      database,
      env: { THROTTLE_STORE: 'memory', TRUSTED_PROXIES: 0 },
    })
    const extensions = [storing(String), credentialsOf({ table: 'users', throttles })]
    const { users } = createBlog(database, {
      settings: { explain: (message) => told.push(message) },
      definitions: { users: { extensions, rules: { is_admin: boolean().optional() } } },
    })
    const [first] = await users.list(ada)
    await users.patch(ada, first?.id ?? '', { is_admin: true })
    expect(told).toEqual(['users: is_admin needs canUpdate.is_admin in app/Policies/UserPolicy.ts'])
  })
})
