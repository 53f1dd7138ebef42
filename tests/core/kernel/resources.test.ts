import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { parseIndexQuery } from '../../../runtime/query/parse-query.js'
import { type Blog, createBlog } from './blog.js'
import { counted, dialects, execute, openDatabase } from './databases.js'
import { failure } from './failure.js'

const query = (text: string) => parseIndexQuery(new URLSearchParams(text))

describe.each(dialects)('resources on %s', (dialect) => {
  let database: Database
  let blog: Blog
  const ada = { id: 1 }

  beforeAll(async () => {
    database = await openDatabase(dialect)
    blog = createBlog(database)
    await blog.users.store(null, { name: 'Ada', email: 'ada@example.com', password: 'long enough' })
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    for (const table of ['comments', 'notes', 'taggables', 'tags', 'posts']) {
      await execute(database, `delete from ${table}`)
    }
  })

  test('stores, shows, changes and deletes a record', async () => {
    const stored = await blog.posts.store(ada, {
      title: 'First',
      published_at: '2026-02-03T05:05:06.7+01:00',
      owner_id: 99,
      unknown: true,
    })
    expect(stored).toEqual({
      id: expect.stringMatching(/^\d+$/),
      type: 'posts',
      attributes: {
        title: 'First',
        description: null,
        published_at: '2026-02-03T04:05:06.700Z',
        owner_id: '1',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: stored.attributes['created_at'],
      },
      meta: {
        authorizedToShow: true,
        authorizedToStore: true,
        authorizedToUpdate: true,
        authorizedToDelete: true,
      },
    })
    expect(Object.keys(stored)).toEqual(['id', 'type', 'attributes', 'meta'])
    expect(await blog.posts.show(ada, stored.id)).toEqual(stored)
    const patched = await blog.posts.patch(ada, stored.id, { description: 'text' })
    expect(patched.attributes).toMatchObject({ title: 'First', description: 'text' })
    const put = await blog.posts.update(ada, stored.id, { title: 'Second' })
    expect(put.attributes).toMatchObject({ title: 'Second', description: null })
    await blog.posts.delete(ada, stored.id)
    expect((await failure(blog.posts.show(ada, stored.id))).status).toBe(404)
    expect((await failure(blog.posts.patch(ada, stored.id, {}))).status).toBe(404)
    expect((await failure(blog.posts.delete(ada, stored.id))).status).toBe(404)
  })

  test('sends one statement for each of them', async () => {
    const { result, statements } = await counted(database, () =>
      blog.posts.store(ada, { title: 'First' }),
    )
    expect(statements).toHaveLength(1)
    const sent = async (work: () => Promise<unknown>) =>
      (await counted(database, work)).statements.length
    expect(await sent(() => blog.posts.show(ada, result.id))).toBe(1)
    expect(await sent(() => blog.posts.patch(ada, result.id, { title: 'Other' }))).toBe(1)
    expect(await sent(() => blog.posts.index(ada))).toBeLessThanOrEqual(2)
    expect(await sent(() => blog.posts.delete(ada, result.id))).toBe(1)
  })

  test('every kind of column keeps its value', async () => {
    const body = {
      text: 'emoji 😀 quotes \' " and \\ backslash',
      price: '-12345678.5',
      ratio: 0.1,
      day: '2024-02-29',
      data: { deep: [1, 'two', null, { three: 3.5 }], text: '1e5' },
      labels: ['green', 'red'],
      rank: -2147483648,
      is_open: false,
      due_at: '2026-02-03',
    }
    const stored = await blog.notes.store(ada, body)
    expect(stored.attributes).toMatchObject({
      ...body,
      price: '-12345678.50',
      due_at: '2026-02-03T00:00:00.000Z',
      parent_id: null,
    })
    expect(stored.id).toMatch(/^[\da-f-]{36}$/)
    expect(await blog.notes.show(ada, stored.id.toUpperCase())).toEqual(stored)
    expect(await blog.notes.find(ada, stored.id)).toMatchObject({
      id: stored.id,
      rank: -2147483648,
    })
    for (const data of [5, 'text', '12', true, false, [], {}, 9007199254740991, 1e-20, 0.1]) {
      const patched = await blog.notes.patch(ada, stored.id, { data })
      expect(patched.attributes['data']).toEqual(data)
    }
  })

  test('an invalid body names every field', async () => {
    const error = await failure(
      blog.notes.store(ada, {
        price: '1.234',
        ratio: 'x',
        day: '2026-02-30',
        labels: ['red', 'red'],
        rank: 3e9,
        is_open: 'true',
        due_at: 'soon',
        parent_id: 'nobody',
        post_id: 99999,
      }),
    )
    expect(error.status).toBe(422)
    expect(error.errors).toEqual({
      text: ['The text field is required.'],
      price: ['The price must be a number with at most 8 digits before and 2 after the point.'],
      ratio: ['The ratio must be a number.'],
      day: ['The day must be a date such as 2026-02-03.'],
      labels: ['The labels must not contain the same value twice.'],
      rank: ['The rank must not be greater than 2147483647.'],
      is_open: ['The is open must be true or false.'],
      due_at: ['The due at must be a date or a time such as 2026-02-03T04:05:06Z.'],
      parent_id: ['The parent id must be a UUID.'],
      post_id: ['The post id must be the id of a record that exists.'],
    })
    const long = await failure(blog.posts.store(ada, { title: 'x'.repeat(161) }))
    expect(long.errors).toEqual({ title: ['The title must not be longer than 160 characters.'] })
    for (const title of ['\0', '\ud800', 5, null, ['x'], { x: 1 }]) {
      expect((await failure(blog.posts.store(ada, { title }))).status).toBe(422)
    }
    expect((await failure(blog.notes.store(ada, { text: 'x', data: ['\0'] }))).status).toBe(422)
  })

  test('passwords are stored as hashes and never shown', async () => {
    const body = { name: 'Bob', email: 'bob@example.com', password: 'long enough', is_admin: true }
    const bob = await blog.users.store(ada, body)
    expect(bob.attributes).toMatchObject({ name: 'Bob', is_admin: false })
    expect(bob.attributes).not.toHaveProperty('password')
    const stored = () => execute(database, `select password from users where name = 'Bob'`)
    expect(await stored()).toEqual([['hashed:long enough']])
    await blog.users.patch(ada, bob.id, { password: 'another one' })
    expect(await stored()).toEqual([['hashed:another one']])
  })

  test('a constraint of the database is a 409 or 422', async () => {
    const body = { name: 'Copy', email: 'ada@example.com', password: 'long enough' }
    const taken = await failure(blog.users.store(ada, body))
    expect(taken.status).toBe(422)
    expect(taken.errors).toEqual({ email: ['The email has already been taken.'] })
    const post = await blog.posts.store(ada, { title: 'kept' })
    await blog.comments.store(ada, { body: 'x', post_id: post.id })
    expect((await failure(blog.posts.delete(ada, post.id))).status).toBe(409)
  })

  test('ids that no record can have are 404 without a statement', async () => {
    for (const id of [
      '0',
      '01',
      '-1',
      '1.0',
      '1e400',
      '2147483648',
      'x',
      '',
      ' 1',
      '１',
      '1'.repeat(40),
    ]) {
      const { statements } = await counted(database, async () => {
        expect((await failure(blog.posts.show(ada, id))).status).toBe(404)
        expect((await failure(blog.posts.patch(ada, id, {}))).status).toBe(404)
        expect((await failure(blog.posts.delete(ada, id))).status).toBe(404)
      })
      expect(statements).toEqual([])
    }
    expect((await failure(blog.notes.show(ada, '1'))).status).toBe(404)
  })

  test('an index is paged, newest first, with an exact total', async () => {
    for (let i = 1; i <= 5; i++) await blog.posts.store(ada, { title: `post ${String(i)}` })
    const titles = async (text: string) => {
      const page = await blog.posts.index(ada, query(text))
      return [page.total, page.perPage, ...page.data.map(({ attributes }) => attributes['title'])]
    }
    expect(await titles('')).toEqual([5, 15, 'post 5', 'post 4', 'post 3', 'post 2', 'post 1'])
    expect(await titles('perPage=2')).toEqual([5, 2, 'post 5', 'post 4'])
    expect(await titles('page[size]=2&page[number]=3')).toEqual([5, 2, 'post 1'])
    expect(await titles('perPage=2&page=4')).toEqual([5, 2])
    expect(await titles('perPage=1000000000000000000000')).toHaveLength(7)
    expect(await titles('sort=title')).toEqual([
      5,
      15,
      'post 1',
      'post 2',
      'post 3',
      'post 4',
      'post 5',
    ])
    expect(
      (await failure(blog.posts.index(ada, query(`page=${String(2 ** 53 - 1)}`)))).status,
    ).toBe(400)
  })
})
