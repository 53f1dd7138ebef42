/**
 * What each role reads is the same through both doors: values, gates, rows that relation conditions hide, related
 * records, filters, orders, totals, clamped pages. Policies and manifest are those of a stricter blog.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'
import { ask } from './ask.js'

const edits = {
  'manifest/posts.ts': (text: string) =>
    text.replace("title: 'title',", "title: 'title',\n  public: true,"),
  'app/Policies/PostPolicy.ts': (text: string) =>
    text.replace(
      'show: (user)',
      `canSee: {
    description: (user) => user?.is_admin === true,
    owner: (user) => user !== null,
    published_at: (user) => user?.id !== 2,
  },
  show: (user)`,
    ),
  'app/Policies/CommentPolicy.ts': (text: string) =>
    text.replace(
      'show: (user) => user !== null',
      'show: (user) => ({ post: { is: { owner_id: user?.id } } })',
    ),
}

const roles = ['nobody', 'owner', 'other', 'admin'] as const

interface Resource {
  id: string
  attributes: Record<string, unknown>
  relationships?: Record<string, Resource[] | Resource | null>
}

const columns = ['title', 'description', 'published_at', 'owner_id'] as const
const fields = `id ${columns.join(' ')}`

/** As GraphQL answers it: what a gate hides is null. */
const record = ({ id, attributes }: Resource) => ({
  id,
  ...Object.fromEntries(columns.map((name) => [name, attributes[name] ?? null])),
})

describe.each(databases)('reads through both doors on %s', (database) => {
  let blog: Project
  const users = new Map<(typeof roles)[number], number | undefined>()

  beforeAll(async () => {
    blog = await openProject('blog', database, edits)
    users.set('owner', await blog.user('Ann'))
    users.set('other', await blog.user('Ben'))
    users.set('admin', await blog.user('Cat', { is_admin: true }))
    for (let n = 1; n <= 120; n += 1) {
      const owner_id = Number(users.get(n % 3 === 0 ? 'owner' : 'other'))
      const published_at = n % 4 === 0 ? null : '2026-02-03T04:05:06.000Z'
      const row = { title: `Post ${n % 7}`, description: `About ${n}`, published_at, owner_id }
      const post_id = await blog.insert('posts', row)
      for (let m = 1; m <= n % 5; m += 1) {
        await blog.insert('comments', { body: `Comment ${m}`, post_id, user_id: owner_id })
      }
    }
  })
  afterAll(() => blog.close())

  const lists: readonly (readonly [what: string, parameters: string, args: string])[] = [
    ['a page', '', ''],
    ['another page', 'page=2&perPage=20', '(page: 2, first: 20)'],
    ['a page that is clamped', 'perPage=1000', '(first: 1000)'],
    ['a page beyond the last', 'page=99', '(page: 99)'],
    ['a search', 'search=post%203', '(search: "post 3")'],
    ['a search of what a gate hides', 'search=about', '(search: "about")'],
    ['a search of the owner', 'search=ann', '(search: "ann")'],
    ['an order', 'sort=title,-id', '(sort: ["title", "-id"])'],
    ['an order by what a gate hides', 'sort=-published_at', '(sort: ["-published_at"])'],
    ['an order by the owner', 'sort=-owner.name,id', '(sort: ["-owner.name", "id"])'],
    ['a match', 'title=Post%202', '(match: { title: "Post 2" })'],
    ['a match of nothing', 'published_at=null', '(match: { published_at: "null" })'],
    ['a match that is not', '-title=Post%202', '(match: { not: { title: "Post 2" } })'],
  ]

  describe.each(roles)('for %s', (role) => {
    it.each(lists)('%s', async (_what, parameters, args) => {
      const as = users.get(role)
      const rest = await blog.get(`/api/svc/posts?${parameters}`, as)
      const narrowing = args.replaceAll(/(?:page|first|sort): (?:\d+|\[[^\]]*\])(?:, )?/g, '')
      const total = `postListTotal${narrowing.replace('()', '')}`
      const graphql = await ask(blog, `{ postList${args} { ${fields} } ${total} }`, { as })
      expect([rest.status, graphql.body.errors]).toEqual([200, undefined])
      expect(graphql.body.data.postList).toEqual(rest.body.data.map(record))
      expect(graphql.body.data.postListTotal).toBe(rest.body.meta.total)
    })

    it('related records', async () => {
      const as = users.get(role)
      const path = '/api/svc/posts?perPage=100&include=owner,comments&relatablePerPage=3'
      const rest = await blog.get(path, as)
      const query =
        '{ postList(first: 100) { id owner { id name } comments(first: 3) { id body } comments_total } }'
      const graphql = await ask(blog, query, { as })
      expect(graphql.body.errors).toBeUndefined()
      const named = (of: Resource | null | undefined, name: string) =>
        of === null || of === undefined ? null : { id: of.id, [name]: of.attributes[name] }
      const expected = rest.body.data.map(({ id, relationships = {} }: Resource) => ({
        id,
        owner: named(relationships['owner'] as Resource | null, 'name'),
        comments: (relationships['comments'] as Resource[]).map((each) => named(each, 'body')),
      }))
      const { postList } = graphql.body.data
      expect(
        postList.map(({ comments_total: _total, ...rest }: Record<string, unknown>) => rest),
      ).toEqual(expected)
      const shown = postList.filter(({ comments }: { comments: unknown[] }) => comments.length > 0)
      expect(shown.length > 0).toBe(role === 'owner' || role === 'other')
      for (const post of postList) {
        expect(Math.min(post.comments_total, 3)).toBe(post.comments.length)
      }
    })

    it('each of the records', async () => {
      const as = users.get(role)
      for (const id of [1, 3, 4, 12, 16, 999_999]) {
        const rest = await blog.get(`/api/svc/posts/${id}`, as)
        const graphql = await ask(blog, `{ post(id: ${id}) { ${fields} } }`, { as })
        const expected = rest.status === 200 ? record(rest.body.data) : null
        expect([id, graphql.body.data.post]).toEqual([id, expected])
      }
    })
  })
})
