import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'
import { ask, codes } from './ask.js'

describe.each(databases)('records over GraphQL on %s', (name) => {
  let blog: Project
  let ann: number
  let ben: number
  const posts: number[] = []

  beforeAll(async () => {
    blog = await openProject('blog', name)
    ann = await blog.user('Ann')
    ben = await blog.user('Ben')
    const published_at = '2026-02-03T04:05:06.000Z'
    for (let n = 1; n <= 20; n += 1) {
      const owner_id = n % 2 === 0 ? ann : ben
      posts.push(await blog.insert('posts', { title: `Post ${n}`, published_at, owner_id }))
    }
    for (const post_id of posts.slice(0, 3)) {
      for (let n = 1; n <= 7; n += 1) {
        await blog.insert('comments', { body: `Comment ${n}`, post_id, user_id: n % 2 ? ann : ben })
      }
    }
  })
  afterAll(() => blog.close())

  it('answers a page with owners in two statements, and reads what is asked for', async () => {
    const { status, body, sql } = await ask(blog, '{ postList { id title owner { name } } }', {
      as: ann,
    })
    expect([status, body.errors]).toEqual([200, undefined])
    expect(body.data.postList).toHaveLength(15)
    expect(body.data.postList[0]).toEqual({ id: '20', title: 'Post 20', owner: { name: 'Ann' } })
    expect(sql).toHaveLength(2)
    expect(sql[0]).not.toMatch(/description|created_at/)
    expect(sql[1]).not.toMatch(/email|password/)
  })

  it('costs one statement per relation and total, whatever the depth and the aliases', async () => {
    const query = `{ postList(first: 20) { owner { posts(first: 2) { title comments_total } }
      first: comments(first: 2) { body user { name } } rest: comments(first: 2, page: 2) { body }
      some: comments(search: "comment 3") { body } comments_total } postListTotal }`
    const { body, sql } = await ask(blog, query, { as: ann })
    expect(body.errors).toBeUndefined()
    expect(sql).toHaveLength(10)
    const { postList, postListTotal } = body.data
    expect(postListTotal).toBe(20)
    const last = postList.at(-1)
    expect(last.comments_total).toBe(7)
    expect(last.first.map((each: { body: string }) => each.body)).toEqual([
      'Comment 7',
      'Comment 6',
    ])
    expect(last.rest.map((each: { body: string }) => each.body)).toEqual(['Comment 5', 'Comment 4'])
    expect(last.some).toEqual([{ body: 'Comment 3' }])
    expect(last.first[0].user).toEqual({ name: 'Ann' })
  })

  it('clamps and refuses pages as REST does', async () => {
    const many = await ask(blog, '{ postList(first: 100000) { id } }', { as: ann })
    expect(many.body.data.postList).toHaveLength(20)
    const none = await ask(blog, '{ postList(first: -1) { id } }', { as: ann })
    expect(codes(none)).toEqual(['BAD_USER_INPUT'])
    expect(none.body.errors[0].extensions.errors).toEqual({
      first: ['The first parameter must be a positive integer.'],
    })
    const second = await ask(blog, '{ postList(first: 5, page: 4, sort: ["id"]) { id } }', {
      as: ann,
    })
    expect(second.body.data.postList.map(({ id }: { id: string }) => id)).toEqual([
      '16',
      '17',
      '18',
      '19',
      '20',
    ])
  })

  it('searches, sorts and matches like an index', async () => {
    const query =
      '{ postList(search: "post 1", sort: ["-title"], match: { not: { owner_id: "2" } }) { title owner_id } }'
    const { body } = await ask(blog, query, { as: ann })
    const rest = await blog.get('/api/svc/posts?search=post%201&sort=-title&-owner_id=2', ann)
    expect(body.data.postList).toEqual(
      rest.body.data.map(
        ({ attributes: { title, owner_id } }: { attributes: Record<string, string> }) => ({
          title,
          owner_id,
        }),
      ),
    )
    expect(body.data.postList.length).toBeGreaterThan(2)
  })

  it('sorts, searches and matches the records of a relation, each parent for itself', async () => {
    const query = `{ postList(sort: ["id"], first: 3) {
      newest: comments(first: 2, sort: ["-id"]) { body } oldest: comments(first: 2, sort: ["created_at", "id"]) { body }
      found: comments(search: "comment 5", match: { post_id: "1" }, sort: ["id"]) { body } }
      userList(sort: ["name"]) { posts(first: 3, sort: ["-owner.name", "title"]) { title } } }`
    const { body, sql } = await ask(blog, query, { as: ann })
    expect(body.errors).toBeUndefined()
    expect(sql).toHaveLength(6)
    const bodies = (list: { body: string }[]) => list.map((each) => each.body)
    const { postList, userList } = body.data
    for (const post of postList) {
      expect(bodies(post.newest)).toEqual(['Comment 7', 'Comment 6'])
      expect(bodies(post.oldest)).toEqual(['Comment 1', 'Comment 2'])
    }
    expect(postList.map(({ found }: { found: [] }) => bodies(found))).toEqual([
      ['Comment 5'],
      [],
      [],
    ])
    const titles = userList.map(({ posts: all }: { posts: { title: string }[] }) =>
      all.map(({ title }) => title),
    )
    expect(titles).toEqual([
      ['Post 10', 'Post 12', 'Post 14'],
      ['Post 1', 'Post 11', 'Post 13'],
    ])
  })

  it('sorts the records of a many-to-many relation', async () => {
    const role = await blog.insert('roles', { name: 'Role' })
    for (const id of [ann, ben]) await blog.link('role_user', { role_id: role, user_id: id })
    for (const [order, names] of [
      ['name', ['Ann', 'Ben']],
      ['-name', ['Ben', 'Ann']],
    ] as const) {
      const { body } = await ask(
        blog,
        `{ role(id: ${role}) { users(sort: ["${order}"]) { name } } }`,
        {
          as: ann,
        },
      )
      expect(body.data.role.users.map(({ name: each }: { name: string }) => each)).toEqual(names)
    }
  })

  it('refuses a search and a match that REST refuses', async () => {
    for (const [list, parameter] of [
      ['search: $s', 'search'],
      ['match: { title: $s }', 'title'],
    ] as const) {
      const fields = `postList(${list}) { id } postListTotal(${list}) userList { posts(${list}) { id } posts_total(${list}) }`
      for (const field of fields.match(/\w+\(.*?\)(?: \{ id \})?(?= |$)/g) ?? []) {
        const isNested = field.startsWith('posts')
        const query = `query ($s: String) { ${isNested ? `userList { ${field} }` : field} }`
        const { body } = await ask(blog, query, { as: ann, variables: { s: 'a\0b' } })
        expect([field, body.errors?.[0].extensions]).toEqual([
          field,
          {
            code: 'BAD_USER_INPUT',
            errors: {
              [parameter]: [`The ${parameter} parameter must not contain a NUL character.`],
            },
          },
        ])
      }
    }
    const long = await ask(blog, 'query ($s: String) { postList(search: $s) { id } }', {
      as: ann,
      variables: { s: 'x'.repeat(100_000) },
    })
    expect(codes(long)).toEqual(['BAD_USER_INPUT'])
  })

  it('turns a match round as often as it says not', async () => {
    const inline = await ask(
      blog,
      '{ postListTotal(match: { not: { not: { title: "post 1" } } }) }',
      {
        as: ann,
      },
    )
    const query = 'query ($m: PostMatch) { postListTotal(match: $m) }'
    const variables = { m: { not: { not: { title: 'post 1' }, title: 'post 2' } } }
    const given = await ask(blog, query, { as: ann, variables })
    const rest = await blog.get('/api/svc/posts?title=post%201', ann)
    expect(inline.body.data.postListTotal).toBe(rest.body.meta.total)
    expect(given.body.data.postListTotal).toBe(rest.body.meta.total)
  })

  it('creates, changes and deletes', async () => {
    const made = await ask(
      blog,
      'mutation ($input: PostInput!) { createPost(input: $input) { id title owner_id owner { name } comments { id } } }',
      { as: ann, variables: { input: { title: 'New', published_at: '2026-02-03T04:05:06Z' } } },
    )
    expect(made.body.errors).toBeUndefined()
    const { id, ...rest } = made.body.data.createPost
    expect(rest).toEqual({
      title: 'New',
      owner_id: String(ann),
      owner: { name: 'Ann' },
      comments: [],
    })
    const changed = await ask(
      blog,
      `mutation { updatePost(id: ${id}, input: { title: "Newer" }) { title } }`,
      { as: ann },
    )
    expect(changed.body.data).toEqual({ updatePost: { title: 'Newer' } })
    const refused = await ask(
      blog,
      `mutation { updatePost(id: ${id}, input: { title: "Mine" }) { title } }`,
      { as: ben },
    )
    expect(codes(refused)).toEqual(['FORBIDDEN'])
    expect(refused.body.data).toBeNull()
    const both = await ask(
      blog,
      `mutation { mine: updatePost(id: ${id}, input: { title: "Kept" }) { title } createPost(input: { description: "x" }) { id } }`,
      { as: ann },
    )
    expect([both.body.data, codes(both)]).toEqual([
      ...[{ mine: { title: 'Kept' }, createPost: null }, ['VALIDATION_FAILED']],
    ])
    const gone = await ask(blog, `mutation { deletePost(id: "${id}") }`, { as: ann })
    expect(gone.body.data).toEqual({ deletePost: true })
    const missing = await ask(blog, `{ post(id: "${id}") { title } }`, { as: ann })
    expect([missing.body.data, codes(missing)]).toEqual([{ post: null }, ['NOT_FOUND']])
  })

  it('names the fields that are wrong, and nothing else', async () => {
    const { body, status } = await ask(
      blog,
      'mutation { createPost(input: { description: "x" }) { id } }',
      { as: ann },
    )
    expect(status).toBe(200)
    expect(body.errors[0].extensions).toEqual({
      code: 'VALIDATION_FAILED',
      errors: { title: ['The title field is required.'] },
    })
    expect(Object.keys(body.errors[0]).toSorted()).toEqual([
      'extensions',
      'locations',
      'message',
      'path',
    ])
  })

  it('asks for a token, field by field', async () => {
    const { body, status } = await ask(blog, '{ __typename postList { id } }')
    expect([status, body.data, body.errors[0].extensions.code]).toEqual([
      200,
      null,
      'UNAUTHENTICATED',
    ])
    const bad = await blog.request('POST', '/graphql', {
      body: JSON.stringify({ query: '{ __typename }' }),
      headers: { 'content-type': 'application/json', authorization: 'Bearer 1|wrong' },
    })
    expect(bad.status).toBe(401)
  })

  it('answers the same with fragments, directives and variables', async () => {
    const query = `query ($with: Boolean!, $n: Int) { postList(first: $n) { ...P owner @include(if: $with) { name } } }
      fragment P on Post { id ... on Post { title } __typename }`
    const { body, sql } = await ask(blog, query, { as: ann, variables: { with: true, n: 2 } })
    expect(body.data.postList[0]).toMatchObject({ __typename: 'Post', owner: { name: 'Ann' } })
    expect([body.data.postList.length, sql.length]).toEqual([2, 2])
    const without = await ask(blog, query, { as: ann, variables: { with: false, n: 2 } })
    expect(without.body.data.postList[0]).not.toHaveProperty('owner')
    expect(without.sql).toHaveLength(1)
  })
})
