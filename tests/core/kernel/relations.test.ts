import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import type { Resource } from '../../../runtime/model/resource.js'
import { any } from '../../../runtime/policy/condition.js'
import { parseIndexQuery, parseShowQuery } from '../../../runtime/query/parse-query.js'
import { strictQueries } from '../../../runtime/query/strict-queries.js'
import { type Blog, createBlog } from './blog.js'
import { counted, dialects, openDatabase } from './databases.js'
import { failure } from './failure.js'
import { type Made, populate } from './population.js'

const index = (text: string) => parseIndexQuery(new URLSearchParams(text))
const show = (text: string) => parseShowQuery(new URLSearchParams(text))

const related = (resource: Resource | undefined, key: string) =>
  resource?.relationships?.[key] as Resource[] // of a to-many relation
const relatedOne = (resource: Resource | undefined, key: string) =>
  resource?.relationships?.[key] as Resource | null // of a to-one relation

describe.each(dialects)('relations on %s', (dialect) => {
  let database: Database
  let blog: Blog
  let made: Made
  const ada = { id: 1 }

  beforeAll(async () => {
    database = await openDatabase(dialect)
    blog = createBlog(database)
    made = await populate(database, blog)
  })
  afterAll(() => database.close())

  test('every kind has its shape', async () => {
    const post = await blog.posts.show(
      ada,
      made.posts[0] ?? '',
      show('include=owner,comments,tags,image,images,notes'),
    )
    expect(Object.keys(post.relationships ?? {})).toEqual([
      'owner',
      'comments',
      'tags',
      'image',
      'images',
      'notes',
    ])
    expect(relatedOne(post, 'owner')).toMatchObject({ id: '1', type: 'users' })
    expect(related(post, 'comments').map(({ attributes }) => attributes['body'])).toEqual([
      'c3',
      'c2',
      'c1',
    ])
    const [tag] = related(post, 'tags')
    expect(tag).toMatchObject({ type: 'tags', attributes: { name: 'red' }, pivots: {} })
    expect(relatedOne(post, 'image')?.attributes).toMatchObject({
      url: 'second',
      imageable_id: post.id,
    })
    expect(related(post, 'images').map(({ attributes }) => attributes['url'])).toEqual([
      'second',
      'first',
    ])
    expect(related(post, 'notes')).toEqual([])
    const user = await blog.users.show(ada, '1', show('include=phone,companies,posts'))
    expect(relatedOne(user, 'phone')?.attributes).toMatchObject({ number: '1', user_id: '1' })
    expect(
      related(user, 'companies').map(({ attributes, pivots }) => [attributes['name'], pivots]),
    ).toEqual([
      ['Two', { is_admin: false, since: null }],
      ['One', { is_admin: true, since: '2026-02-03' }],
    ])
    expect(Object.keys(related(user, 'companies')[0] ?? {})).toEqual([
      'id',
      'type',
      'attributes',
      'meta',
      'pivots',
    ])
    const without = await blog.users.show(ada, '3', show('include=phone,companies,posts'))
    expect(without.relationships).toEqual({ phone: null, companies: [], posts: [] })
    expect(await blog.users.show(ada, '3')).not.toHaveProperty('relationships')
  })

  test('computed and member entries are answered', async () => {
    const company = await blog.companies.show(
      ada,
      '1',
      show('related=summary,ranking,name,employees,users'),
    )
    expect(company.relationships).toMatchObject({
      summary: { text: `One ${String(company.attributes['created_at']).slice(0, 4)}` },
      ranking: 'One:0',
      name: 'One',
    })
    expect(related(company, 'employees')).toEqual(related(company, 'users'))
    const page = await blog.companies.index(ada, index('include=ranking'))
    expect(page.data.map(({ relationships }) => relationships)).toEqual([
      { ranking: 'Two:0' },
      { ranking: 'One:1' },
    ])
  })

  test('UUID keys, self relations and cycles work at any depth', async () => {
    const note = await blog.notes.show(
      ada,
      made.notes[2] ?? '',
      show('include=parent.children.parent,tags,image,children'),
    )
    expect(relatedOne(note, 'parent')).toMatchObject({ attributes: { text: 'root' } })
    const children = related(relatedOne(note, 'parent') ?? undefined, 'children')
    expect(children.map(({ attributes }) => attributes['text'])).toEqual(['leaf', 'branch'])
    expect(relatedOne(children[0], 'parent')?.id).toBe(made.notes[0])
    expect(related(note, 'tags').map(({ attributes }) => attributes['name'])).toEqual(['red'])
    expect(relatedOne(note, 'image')?.attributes['url']).toBe('of a note')
    expect(note.attributes['parent_id']).toBe(made.notes[0])
  })

  test('relations in another order, or named twice, read the same columns', async () => {
    const texts = ['post,user', 'user,post', 'user,post,user'].map(async (include) => {
      const { statements } = await counted(database, () =>
        blog.comments.index(ada, index(`include=${include}`)),
      )
      return statements[0]?.sql
    })
    expect(new Set(await Promise.all(texts)).size).toBe(1)
  })

  test('meta is shown with related resources on show, and on index when asked', async () => {
    const post = await blog.posts.show(ada, made.posts[0] ?? '', show('include=owner'))
    expect(relatedOne(post, 'owner')).toHaveProperty('meta')
    const first = async (text: string, from = blog) =>
      (await from.posts.index(ada, index(text))).data.at(-1)
    expect(await first('include=owner')).toHaveProperty('meta')
    expect(relatedOne(await first('include=owner'), 'owner')).not.toHaveProperty('meta')
    expect(relatedOne(await first('include=owner&withMeta=true'), 'owner')).toHaveProperty('meta')
    const always = createBlog(database, { settings: { relatedMetaOnIndex: true } })
    expect(relatedOne(await first('include=owner', always), 'owner')).toHaveProperty('meta')
  })

  test('column lists limit what is shown and what is read', async () => {
    const { result, statements } = await counted(database, () =>
      blog.posts.show(ada, made.posts[0] ?? '', show('include=comments[body|nonsense].user[name]')),
    )
    const [comment] = related(result, 'comments')
    expect(comment?.attributes).toEqual({ body: 'c3' })
    expect(relatedOne(comment, 'user')?.attributes).toEqual({ name: 'Ada' })
    expect(statements[1]?.sql).not.toContain('post_id" as')
    expect(statements[1]?.sql).not.toContain('updated_at')
    expect(statements[2]?.sql).not.toContain('email')
    const gated = createBlog(database, {
      policies: { users: { update: (who) => ({ email: `${String(who?.id)}@x.org` }) } },
    })
    const post = await gated.posts.show(ada, made.posts[0] ?? '', show('include=owner[name]'))
    expect(relatedOne(post, 'owner')).toMatchObject({
      attributes: { name: 'Ada' },
      meta: { authorizedToUpdate: true },
    })
  })

  test('fifteen per parent, or the target’s own number, or the request’s, clamped', async () => {
    const sizes = async (text: string, from = blog) => {
      const user = await from.users.show(ada, '2', show(`include=posts.comments&${text}`))
      const posts = related(user, 'posts')
      return [posts.length, Math.max(...posts.map((post) => related(post, 'comments').length))]
    }
    expect(await sizes('')).toEqual([15, 30])
    expect(await sizes('relatablePerPage=20')).toEqual([20, 20])
    expect(await sizes('relatablePerPage=7')).toEqual([7, 7])
    const clamped = createBlog(database, { settings: { maxPerPage: 18 } })
    expect(await sizes('relatablePerPage=1000', clamped)).toEqual([18, 18])
    expect(await sizes('', clamped)).toEqual([15, 18])
  })

  test.each([1, 15, 100])(
    '%i parents cost one statement per relation at depth three',
    async (perPage) => {
      const parents = async (text: string) =>
        (
          await counted(database, () =>
            blog.comments.index(ada, index(`${text}&perPage=${String(perPage)}`)),
          )
        ).statements
      expect((await parents('')).length).toBeLessThanOrEqual(2)
      expect((await parents('include=post')).length).toBeLessThanOrEqual(3)
      const deep = await parents(
        'include=post.owner.companies,post.tags,post.comments.user,user.phone',
      )
      expect(deep.length).toBeLessThanOrEqual(2 + 8)
      const many = await counted(database, () =>
        blog.users.index(
          ada,
          index(
            `include=posts.comments.user,companies.users.posts&withMeta=true&perPage=${String(perPage)}`,
          ),
        ),
      )
      expect(many.statements.length).toBeLessThanOrEqual(2 + 6)
    },
  )

  test('policies of related records hold in the statement', async () => {
    const strict = createBlog(database, {
      policies: {
        posts: { show: (user) => any({ published_at: { isNull: false } }, { owner_id: user?.id }) },
        users: { show: (user) => ({ id: user?.id }) },
        companies: {
          show: (user) => ({ users: { some: { id: user?.id, pivot: { is_admin: true } } } }),
        },
        tags: { show: () => false },
        images: { show: () => ({ url: { not: 'second' } }) },
      },
    })
    const { result, statements } = await counted(database, () =>
      strict.posts.index(
        ada,
        index('include=owner,tags,image,images,comments&sort=id&perPage=100'),
      ),
    )
    expect(statements.length).toBeLessThanOrEqual(2 + 5)
    const [own, other] = result.data
    expect(relatedOne(own, 'owner')?.id).toBe('1')
    expect(relatedOne(own, 'image')?.attributes['url']).toBe('first')
    expect(related(own, 'images')).toHaveLength(1)
    expect(related(own, 'tags')).toEqual([])
    expect(relatedOne(other, 'owner')).toBeNull()
    expect(
      result.data.every(
        ({ id, attributes }) => id === own?.id || attributes['published_at'] !== null,
      ),
    ).toBe(true)
    const user = await strict.users.show(ada, '1', show('include=companies'))
    expect(related(user, 'companies').map(({ attributes }) => attributes['name'])).toEqual(['One'])
    const posts = related(await strict.users.show({ id: 2 }, '2', show('include=posts')), 'posts')
    expect(posts).toHaveLength(15)
    const full = createBlog(database, {
      policies: { posts: { show: () => ({ title: { not: 'p40' } }) } },
    })
    const page = related(await full.users.show(ada, '2', show('include=posts')), 'posts')
    expect(page.map(({ attributes }) => attributes['title'])).not.toContain('p40')
    expect(page).toHaveLength(15)
  })

  test('gates hide entries, and what would reveal a hidden key', async () => {
    const no = () => false
    const gated = createBlog(database, {
      policies: {
        posts: { canSee: { owner_id: no, comments: no, tags: () => true } },
        companies: { canSee: { name: no, summary: no } },
      },
    })
    const post = await gated.posts.show(
      ada,
      made.posts[0] ?? '',
      show('include=owner,comments,tags'),
    )
    expect(Object.keys(post.relationships ?? {})).toEqual(['tags'])
    expect(post.attributes).not.toHaveProperty('owner_id')
    const company = await gated.companies.show(ada, '1', show('include=name,summary,ranking'))
    expect(Object.keys(company.relationships ?? {})).toEqual(['ranking'])
    expect(company.attributes).not.toHaveProperty('name')
  })

  test('undeclared keys are ignored, or 400 with the keys that exist when queries are strict', async () => {
    const post = await blog.posts.show(
      ada,
      made.posts[0] ?? '',
      show('include=nobody,constructor.prototype,__proto__,title'),
    )
    expect(post).not.toHaveProperty('relationships')
    const strict = createBlog(database, { settings: { strict: strictQueries, maxIncludeDepth: 2 } })
    const error = await failure(strict.posts.index(ada, index('include=owner.nobody')))
    expect([error.status, error.errors]).toEqual([
      400,
      {
        include: ["There is no 'nobody' to include with users. They have posts, phone, companies."],
      },
    ])
    expect(
      (await failure(strict.posts.index(ada, index('include=owner.posts.owner')))).status,
    ).toBe(400)
  })

  test('a page of one parent’s many children reads what it shows', async () => {
    const { statements } = await counted(database, () =>
      blog.users.show(ada, '2', show('include=posts')),
    )
    const { sql = '' } = statements[1] ?? {}
    const explained = dialect === 'sqlite' ? `explain query plan ${sql}` : `explain ${sql}`
    const parameters = dialect === 'sqlite' ? ['[2]', 15, 0, 10_001] : [[2], 15, 0, 10_001]
    const plan = await database.query({ sql: explained, access: 'read' }, parameters)
    const text = plan.map((row) => row.join(' ')).join('\n')
    expect(text).toMatch(/posts_owner/)
  })
})
