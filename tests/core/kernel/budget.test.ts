/** The size of a response is bounded, however little is in the database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { parseInclude } from '../../../runtime/features/relations/parse-include.js'
import type { IncludeTree } from '../../../runtime/query/query.js'
import { type Blog, createBlog } from './blog.js'
import { counted, dialects, openDatabase } from './databases.js'
import { failure } from './failure.js'

const tree = (text: string): IncludeTree =>
  parseInclude([['include', text]], { maxDepth: 32, maxPaths: 100 })

describe.each(dialects)('related records of one response on %s', (dialect) => {
  let database: Database
  let blog: Blog
  let root: string

  beforeAll(async () => {
    database = await openDatabase(dialect)
    blog = createBlog(database)
    root = (await blog.notes.store(null, { text: 'root' })).id
    for (let n = 0; n < 100; n++) await blog.notes.store(null, { text: 'child', parent_id: root })
    const ada = { name: 'Ada', email: 'a@x.org', password: 'long enough' }
    const { id } = await blog.users.store(null, ada)
    const user = { id: Number(id) }
    const post = await blog.posts.store(user, { title: 'busy' })
    for (let n = 0; n < 20; n++) await blog.posts.store(user, { title: 'quiet' })
    for (let n = 0; n < 50; n++) await blog.comments.store(user, { body: 'c', post_id: post.id })
  })
  afterAll(() => database.close())

  const levels = (count: number) =>
    Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 'children' : 'parent')).join('.')

  test.each([3, 5, 8])(
    'that grow with every level are refused at once: %i levels',
    async (depth) => {
      const query = { include: tree(levels(depth)), relatablePerPage: 100 }
      const { result: error, statements } = await counted(database, () =>
        failure(blog.notes.show(null, root, query)),
      )
      expect(error).toMatchObject({ status: 400 })
      expect(Object.keys(error.errors ?? {})).toEqual(['include'])
      expect(error.message).toContain('more than 10000 related records')
      expect(error.message).toContain('relatablePerPage')
      // The record, children, parent, children: there it is known, and nothing more is asked.
      expect(statements).toHaveLength(4)
    },
  )

  test('no other relation is read once one was refused', async () => {
    const text = ['comments', 'owner', 'notes'].map(
      (key) => `posts.owner.posts.owner.posts.owner.posts.${key}`,
    )
    const query = { include: tree(text.join()), relatablePerPage: 100, perPage: 100 }
    const { result: error, statements } = await counted(database, () =>
      failure(blog.users.index(null, query)),
    )
    expect(error.status).toBe(400)
    expect(statements.length).toBeLessThanOrEqual(8)
  })

  test('are read no further than the limit', async () => {
    const limited = createBlog(database, { settings: { maxRelated: 9 } })
    const sent: number[] = []
    const query = database.query.bind(database)
    const spying: Database = Object.assign(Object.create(database) as Database, {
      query: async (...given: Parameters<Database['query']>) => {
        const rows = await query(...given)
        sent.push(rows.length)
        return rows
      },
    })
    const narrow = createBlog(spying, { settings: { maxRelated: 9 } })
    const include = tree('children')
    const asked = { include, relatablePerPage: 100 }
    expect((await failure(narrow.notes.show(null, root, asked))).status).toBe(400)
    expect(sent).toEqual([1, 10])
    const fitting = await limited.notes.show(null, root, { include, relatablePerPage: 9 })
    expect(fitting.relationships?.['children']).toHaveLength(9)
  })

  test('within the limit are all there', async () => {
    const include = tree('children.parent.children')
    const shown = await blog.notes.show(null, root, { include, relatablePerPage: 90 })
    // 90 children, 90 times the parent, 90 × 90 children of it.
    expect(JSON.stringify(shown).split('"type":').length - 1).toBe(1 + 90 + 90 + 8100)
    const users = await blog.users.index(null, { include: tree('posts.comments.user') })
    expect(users.data).toHaveLength(1)
  })
})
