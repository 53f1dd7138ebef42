import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { invalid } from '../../../runtime/errors.js'
import { createBlog } from './blog.js'
import { counted, dialects, openDatabase } from './databases.js'
import { failure } from './failure.js'

describe.each(dialects)('hooks on %s', (dialect) => {
  let database: Database
  const ada = { id: 1 }

  beforeAll(async () => {
    database = await openDatabase(dialect)
    await createBlog(database).users.store(null, {
      name: 'Ada',
      email: 'a@x.org',
      password: 'long enough',
    })
  })
  afterAll(() => database.close())

  test('run before and after each write, with the row', async () => {
    const calls: unknown[] = []
    const { posts } = createBlog(database, {
      hooks: {
        posts: {
          fill: { description: (_, values) => `about ${String(values.title)}` },
          beforeStore: ({ user }, values) => {
            calls.push(['beforeStore', user?.id, values.title])
            return { title: `${String(values.title)}!` }
          },
          afterStore: (_, row) => void calls.push(['afterStore', row.title, row.owner_id]),
          beforeUpdate: async (_, row, values) =>
            void calls.push(['beforeUpdate', row.title, values.title]),
          afterUpdate: (_, row) => void calls.push(['afterUpdate', row.title, row.description]),
          beforeDelete: (_, row) => void calls.push(['beforeDelete', row.title]),
          afterDelete: (_, row) => void calls.push(['afterDelete', row.title]),
        },
      },
    })
    const post = await posts.store(ada, { title: 'one' })
    expect(post.attributes).toMatchObject({ title: 'one!', description: 'about one' })
    await posts.patch(ada, post.id, { title: 'two' })
    await posts.delete(ada, post.id)
    expect(calls).toEqual([
      ['beforeStore', 1, 'one'],
      ['afterStore', 'one!', 1],
      ['beforeUpdate', 'one!', 'two'],
      ['afterUpdate', 'two', 'about two'],
      ['beforeDelete', 'two'],
      ['afterDelete', 'two'],
    ])
  })

  test('store and update fill first; the hook before the write sees that, and has the last word', async () => {
    const seen: unknown[] = []
    const before = ({ title, description }: { title?: string; description?: string | null }) => {
      seen.push([title, description])
      return title === 'loud' ? { description: `${description}!` } : undefined
    }
    const { posts } = createBlog(database, {
      hooks: {
        posts: {
          fill: { description: (_, { title }) => `about ${String(title)}` },
          beforeStore: (_, values) => before(values),
          beforeUpdate: (_, _row, values) => before(values),
        },
      },
    })
    const description = async (write: Promise<{ attributes: object }>) =>
      (await write).attributes as { description?: unknown }
    const { id } = await posts.store(ada, { title: 'quiet' })
    expect(await description(posts.store(ada, { title: 'loud' }))).toMatchObject({
      description: 'about loud!',
    })
    for (const [title, text] of [
      ['loud', 'about loud!'],
      ['quiet', 'about quiet'],
    ]) {
      const written = await description(posts.patch(ada, id, { title }))
      expect(written).toMatchObject({ description: text })
    }
    expect(seen).toEqual([
      ['quiet', 'about quiet'],
      ['loud', 'about loud'],
      ['loud', 'about loud'],
      ['quiet', 'about quiet'],
    ])
  })

  test('what a before-hook throws is the answer, and nothing is written', async () => {
    const refuse = () => {
      throw invalid({ title: ['Not today.'] })
    }
    const { posts } = createBlog(database, {
      hooks: { posts: { beforeStore: refuse, beforeUpdate: refuse, beforeDelete: refuse } },
    })
    const { id } = await createBlog(database).posts.store(ada, { title: 'kept' })
    const { statements } = await counted(database, async () => {
      expect((await failure(posts.store(ada, { title: 'lost' }))).message).toBe('Not today.')
      expect((await failure(posts.patch(ada, id, { title: 'lost' }))).status).toBe(422)
      expect((await failure(posts.delete(ada, id))).status).toBe(422)
    })
    expect(statements.filter(({ access }) => access === 'write')).toEqual([])
  })

  test('a hook is not asked about a record the user may not change', async () => {
    const calls: string[] = []
    const { posts } = createBlog(database, {
      policies: { posts: { update: (user) => ({ owner_id: user?.id }), delete: () => false } },
      hooks: {
        posts: {
          beforeUpdate: () => void calls.push('update'),
          beforeDelete: () => void calls.push('delete'),
        },
      },
    })
    const { id } = await createBlog(database).posts.store(ada, { title: 'kept' })
    expect((await failure(posts.patch({ id: 2 }, id, { title: 'x' }))).status).toBe(403)
    expect((await failure(posts.delete(ada, id))).status).toBe(403)
    expect(calls).toEqual([])
  })
})
