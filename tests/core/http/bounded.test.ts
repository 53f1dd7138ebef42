import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parameter, Statement } from '../../../runtime/database/types.js'
import { databases, openProject, type Project } from '../../support/project.js'

/** The rows that a request reads do not grow with the tables. */
describe.each(databases)('rows read on %s', (name) => {
  let blog: Project
  let ann: number
  let post: number
  let company: number
  const children = 150

  beforeAll(async () => {
    blog = await openProject('blog', name)
    ann = await blog.user('Ann')
    company = await blog.insert('companies', { name: 'Acme' })
    post = await blog.insert('posts', { title: 'Busy', owner_id: ann, published_at })
    await grow(0, children)
  })
  afterAll(() => blog.close())

  const published_at = '2026-01-01T00:00:00.000Z'

  /** Records `from` to `to` of every table, all below the same parents. */
  async function grow(from: number, to: number): Promise<void> {
    const now = name === 'sqlite' ? `'2026-01-01T00:00:00.000+00:00'` : 'now()'
    const no = name === 'sqlite' ? '0' : 'false'
    const series = `with recursive s(n) as (select ${from + 1} union all select n + 1 from s where n < ${to})`
    const offset = 1000
    const all = [
      `posts (id, title, owner_id, published_at, created_at, updated_at)
       ${series} select n + ${offset}, 'Post ' || n, ${ann}, ${now}, ${now}, ${now} from s`,
      `comments (body, post_id, user_id, created_at, updated_at)
       ${series} select 'On ' || n, ${post}, ${ann}, ${now}, ${now} from s`,
      `tags (id, name, created_at, updated_at)
       ${series} select n + ${offset}, 'Tag ' || n, ${now}, ${now} from s`,
      `taggables (taggable_type, taggable_id, tag_id)
       ${series} select 'posts', ${post}, n + ${offset} from s`,
      `users (id, name, email, password, is_admin, created_at, updated_at)
       ${series} select n + ${offset}, 'User', 'user' || n, '-', ${no}, ${now}, ${now} from s`,
      `company_user (company_id, user_id, is_admin)
       ${series} select ${company}, n + ${offset}, ${no} from s`,
      `images (url, imageable_type, imageable_id, created_at, updated_at)
       ${series} select 'i' || n, 'posts', ${post}, ${now}, ${now} from s`,
    ]
    for (const into of all) {
      await blog.database.query({ sql: `insert into ${into}`, access: 'write' }, [])
    }
  }

  /** The rows that drivers hand over for one request. */
  async function rowsOf(path: string): Promise<number> {
    const { database } = blog
    const query = database.query.bind(database)
    let rows = 0
    const counting = async (statement: Statement, parameters: readonly Parameter[]) => {
      const answer = await query(statement, parameters)
      rows += answer.length
      return answer
    }
    Object.assign(database, { query: counting })
    const { status } = await blog.get(path, ann)
    Object.assign(database, { query })
    expect(status).toBe(200)
    return rows
  }

  const paths = () => [
    `/api/svc/posts/${post}?include=comments.user.posts,tags,image`,
    `/api/svc/posts?include=comments,tags,image,owner.posts.comments`,
    `/api/svc/companies/${company}?include=users.posts.tags&relatablePerPage=7`,
    `/api/svc/companies?include=users`,
    `/api/svc/posts/${post}/comments?search=on`,
    `/api/svc/posts/${post}/tags`,
    `/api/svc/companies/${company}/users`,
    `/api/svc/users?search=user&sort=-name`,
  ]

  it('are as many with 5,000 records per parent as with 150', async () => {
    const before: number[] = []
    for (const path of paths()) before.push(await rowsOf(path))
    expect(Math.min(...before)).toBeGreaterThan(7)
    await grow(children, 5000)
    for (const [at, path] of paths().entries()) {
      // Totals may need a statement more, of one row.
      expect([path, (await rowsOf(path)) - (before[at] ?? 0) <= 1]).toEqual([path, true])
    }
  })
})
