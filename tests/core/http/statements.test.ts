import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'

/** A hundred users with posts, comments, roles and companies: what a request sends does not depend on how many. */
describe.each(databases)('statements on %s', (name) => {
  let blog: Project
  let ann: number

  beforeAll(async () => {
    blog = await openProject('blog', name)
    ann = await blog.user('Ann')
    const role = await blog.insert('roles', { name: 'editor' })
    const company = await blog.insert('companies', { name: 'Acme' })
    const tag = await blog.insert('tags', { name: 'news' })
    const published_at = '2026-01-01T00:00:00.000Z'
    for (let n = 0; n < 100; n++) {
      const user = n === 0 ? ann : await blog.user(`User ${n}`)
      await blog.link('role_user', { role_id: role, user_id: user })
      await blog.link('company_user', { company_id: company, user_id: user, is_admin: false })
      for (const title of ['One', 'Two']) {
        const post = await blog.insert('posts', { title, owner_id: user, published_at })
        await blog.link('taggables', { tag_id: tag, taggable_type: 'posts', taggable_id: post })
        await blog.insert('images', { url: '/a', imageable_type: 'posts', imageable_id: post })
        await blog.insert('comments', { body: 'Yes', post_id: post, user_id: user })
      }
    }
  })
  afterAll(() => blog.close())

  const include =
    'posts.comments.user,posts.tags,posts.image,posts.owner,roles,companies.users.phone'
  const relations = 10

  it.each([1, 15, 100])(
    'an index of %i parents sends the token’s, the page’s, and one per relation',
    async (size) => {
      const { status, body, statements } = await blog.get(
        `/api/svc/users?perPage=${size}&include=${include}`,
        ann,
      )
      expect(status).toBe(200)
      expect(body.data).toHaveLength(size)
      expect(
        body.data[0].relationships.posts[0].relationships.comments[0].relationships.user.type,
      ).toBe('users')
      // A server counts in the statement of the page.
      expect(statements.length).toBeLessThanOrEqual(1 + (name === 'sqlite' ? 2 : 1) + relations)
    },
  )

  it('a show sends the token’s, one, and one per relation', async () => {
    const { body, statements } = await blog.get(`/api/svc/users/${ann}?include=${include}`, ann)
    expect(body.data.relationships.posts[0].relationships.tags[0].pivots).toEqual({})
    expect(statements.length).toBeLessThanOrEqual(1 + 1 + relations)
  })

  it('the number of rows a relation shows per parent is in its statement', async () => {
    const { statements } = await blog.get(`/api/svc/users?include=posts.comments,roles`, ann)
    const bounded = statements.filter(({ sql }) => /"(comments|posts|role_user)" as/.test(sql))
    expect(bounded).toHaveLength(3)
    for (const { sql } of bounded) expect(sql).toMatch(/limit/i)
  })
})

describe.each(databases)('bad input of includes on %s', (name) => {
  let blog: Project
  let ann: number

  beforeAll(async () => {
    blog = await openProject('blog', name)
    ann = await blog.user('Ann')
  })
  afterAll(() => blog.close())

  const long = (text: string, times: number, by: string) =>
    Array.from({ length: times }, () => text).join(by)
  const distinct = (times: number) => Array.from({ length: times }, (_, n) => `a${n}`).join(',')

  it.each([
    ['a path of 10,000 segments', `include=${long('posts', 10_000, '.')}`, [400]],
    ['10,000 paths', `include=${distinct(10_000)}`, [400]],
    ['10,000 times the same path', `include=${long('posts', 10_000, ',')}`, [200, 400]],
    ['an open bracket', 'include=posts[title', [400]],
    ['a closed bracket', 'include=posts]title', [400]],
    ['nested brackets', 'include=posts[a[b]]', [400]],
    ['duplicate columns', 'include=posts[title|title]', [200]],
    ['unknown columns', 'include=posts[nothing|password]', [200, 400]],
    ['hidden columns', 'include=posts.owner[password]', [200, 400]],
    ['10,000 columns', `include=posts[${distinct(10_000).replaceAll(',', '|')}]`, [200, 400]],
    ['prototype names', 'include=__proto__.posts,constructor[prototype],posts.__proto__', [200]],
    ['empty segments', 'include=.posts..,,posts.', [200, 400]],
    ['a NUL', 'include=posts%00', [200, 400]],
    ['broken escapes', 'include=%E0%A4%A', [200, 400]],
    ['a page size that is none', 'include=posts&relatablePerPage=-1', [400]],
    ['a page size without end', `include=posts&relatablePerPage=${'9'.repeat(400)}`, [200, 400]],
    ['a related list as an object', 'related[a]=posts', [200]],
  ])('%s: an answer, from what a short request reads', async (_, query, allowed) => {
    for (const path of ['/api/svc/users', `/api/svc/users/${ann}`, `/api/svc/users/${ann}/posts`]) {
      const { status, body, statements } = await blog.get(`${path}?${query}`, ann)
      expect([path, allowed.includes(status) ? allowed : status]).toEqual([path, allowed])
      expect(JSON.stringify(body)).not.toContain('"password"')
      // The token, a page and its count, two relations at most: however often one is asked for.
      expect(statements.length).toBeLessThanOrEqual(5)
    }
  })

  it.each([
    { users: '1; drop table users' },
    { users: { length: 3 } },
    { users: [[1, 2]] },
    { users: Array.from({ length: 1001 }, (_, n) => n + 1) },
    { users: [1e308, -0, 0.1] },
    { users: ['1', ' 1', '01', '1.0', '１', '__proto__'] },
    { __proto__: [1] },
    { users: [null] },
  ])('ids that are none are 422: %j', async (body) => {
    const company = await blog.insert('companies', { name: 'Acme' })
    for (const operation of ['attach', 'sync', 'detach']) {
      const { status } = await blog.post(
        `/api/svc/companies/${company}/${operation}/users`,
        body,
        ann,
      )
      expect(status).toBe(422)
    }
  })
})
