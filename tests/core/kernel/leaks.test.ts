import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { relatedRecords } from '../../../runtime/features/relations/nested.js'
import { createBlog } from './blog.js'
import { counted, dialects, openDatabase } from './databases.js'
import { failure } from './failure.js'

/** Policies that speak of relations, which speak of relations: what they hide is hidden at every door. */
describe.each(dialects)('hidden related records on %s', (dialect) => {
  let database: Database
  let ids: Record<'ada' | 'bob' | 'open' | 'secret' | 'firm' | 'onOpen' | 'onSecret', string>
  const user = { id: 1 }

  const guarded = () =>
    createBlog(database, {
      policies: {
        // Colleagues only, and oneself.
        users: { show: () => ({ companies: { some: { name: 'Acme' } } }) },
        posts: { show: () => ({ owner: { is: { companies: { some: { name: 'Acme' } } } } }) },
        comments: { show: () => ({ post: { is: { owner: { is: { name: 'Ada' } } } } }) },
        companies: { show: () => ({ users: { some: { pivot: { is_admin: true } } } }) },
      },
    })

  beforeAll(async () => {
    database = await openDatabase(dialect)
    const blog = createBlog(database)
    const person = (name: string) =>
      blog.users.store(null, { name, email: `${name}@x.org`, password: 'long enough' })
    const [ada, bob] = [await person('Ada'), await person('Bob')]
    const firm = await blog.companies.store(user, { name: 'Acme' })
    await blog.companies.attach(user, firm.id, 'users', { users: [ada.id], is_admin: true })
    const open = await blog.posts.store({ id: Number(ada.id) }, { title: 'Open' })
    const secret = await blog.posts.store({ id: Number(bob.id) }, { title: 'Secret' })
    const comment = (post_id: string) => blog.comments.store(user, { body: 'Words', post_id })
    const [onOpen, onSecret] = [await comment(open.id), await comment(secret.id)]
    ids = {
      ada: ada.id,
      bob: bob.id,
      open: open.id,
      secret: secret.id,
      firm: firm.id,
      onOpen: onOpen.id,
      onSecret: onSecret.id,
    }
  })
  afterAll(() => database.close())

  const idsOf = (page: { readonly data: readonly { readonly id: string }[] }) =>
    page.data.map(({ id }) => id)

  test('lists, counts, searches, matches and sorts', async () => {
    const { posts, users } = guarded()
    expect(await posts.index(user)).toMatchObject({ total: 1, data: [{ id: ids.open }] })
    expect(idsOf(await posts.index(user, { search: 'Secret' }))).toEqual([])
    expect(idsOf(await posts.index(user, { search: 'Bob' }))).toEqual([])
    const match = [{ column: 'owner_id', negated: false, text: ids.bob }]
    expect(await posts.index(user, { match })).toMatchObject({ total: 0, data: [] })
    const sort = [{ key: 'owner.name', descending: true }]
    expect(idsOf(await posts.index(user, { sort }))).toEqual([ids.open])
    expect(idsOf(await users.index(user, { search: 'Bob' }))).toEqual([])
  })

  test('includes at any depth, by every kind', async () => {
    const { companies, comments } = guarded()
    const leaf = (key: string) => ({ key, columns: null, children: [] })
    const include = [
      {
        key: 'users',
        columns: null,
        children: [{ ...leaf('posts'), children: [leaf('comments')] }],
      },
    ]
    const shown = JSON.stringify(await companies.show(user, ids.firm, { include }))
    expect(shown).toContain('"Open"')
    expect(shown).not.toMatch(/Secret|Bob/)
    const page = await comments.index(user, { include: [leaf('post'), leaf('user')] })
    expect(idsOf(page)).toEqual([ids.onOpen])
  })

  test('below parents, and as the other end of a write', async () => {
    const { users, posts, comments, companies } = guarded()
    expect((await failure(relatedRecords(users, user, ids.bob, 'posts'))).status).toBe(404)
    expect((await failure(relatedRecords(posts, user, ids.secret, 'comments'))).status).toBe(404)
    const below = await relatedRecords(posts, user, ids.open, 'comments')
    expect(await below.index()).toMatchObject({ total: 1 })
    expect((await failure(below.show(ids.onSecret))).status).toBe(404)
    expect((await failure(below.delete(ids.onSecret))).status).toBe(404)
    expect((await failure(comments.store(user, { body: 'x', post_id: ids.secret }))).status).toBe(
      422,
    )
    const attach = companies.attach(user, ids.firm, 'users', { users: [ids.bob] })
    expect((await failure(attach)).errors).toEqual({
      users: [`The users must be ids of records that exist: there is no ${ids.bob}.`],
    })
    // The answer does not show whether the row exists.
    const missing = await failure(companies.attach(user, ids.firm, 'users', { users: [999] }))
    expect(missing.status).toBe(422)
  })

  test('in as many statements as without them', async () => {
    const query = { include: [{ key: 'comments', columns: null, children: [] }] }
    const { statements } = await counted(database, () => guarded().posts.index(user, query))
    expect(statements.length).toBeLessThanOrEqual(3)
  })
})
