import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'

describe.each(databases)('includes on %s', (name) => {
  let blog: Project
  let ann: number
  let ben: number
  let posts: number[]

  beforeAll(async () => {
    blog = await openProject('blog', name)
    ann = await blog.user('Ann')
    ben = await blog.user('Ben')
    await blog.insert('phones', { number: '555', user_id: ann })
    const role = await blog.insert('roles', { name: 'editor' })
    await blog.link('role_user', { role_id: role, user_id: ann })
    const company = await blog.insert('companies', { name: 'Acme' })
    await blog.link('company_user', { company_id: company, user_id: ann, is_admin: true })
    await blog.link('company_user', { company_id: company, user_id: ben, is_admin: false })
    const tag = await blog.insert('tags', { name: 'news' })
    posts = []
    for (let n = 1; n <= 20; n += 1) {
      const post = await blog.insert('posts', {
        title: `Post ${n}`,
        description: 'Words',
        published_at: n > 18 ? null : '2026-01-01T00:00:00.000Z',
        owner_id: n > 17 ? ben : ann,
      })
      posts.push(post)
      await blog.link('taggables', { tag_id: tag, taggable_type: 'posts', taggable_id: post })
      for (let c = 1; c <= 3; c += 1) {
        await blog.insert('comments', {
          body: `Comment ${c} of ${n}`,
          post_id: post,
          user_id: c === 3 ? ann : ben,
        })
      }
    }
    await blog.insert('images', { url: '/a.png', imageable_type: 'posts', imageable_id: posts[0] })
  })
  afterAll(() => blog.close())

  const relationships = async (path: string, as = ann) => {
    const { status, body } = await blog.get(path, as)
    expect(status).toBe(200)
    return body.data.relationships
  }

  it('shows no relationships unless they are asked for', async () => {
    const { body } = await blog.get(`/api/svc/posts/${posts[0]}`, ann)
    expect(body.data).not.toHaveProperty('relationships')
  })

  it('loads every kind: one object, null or an array, pivots on many-to-many items only', async () => {
    const user = await relationships(`/api/svc/users/${ann}?include=posts,phone,roles,companies`)
    expect(user.posts).toHaveLength(15)
    expect(user.posts[0]).not.toHaveProperty('pivots')
    expect(user.phone).toMatchObject({ type: 'phones', attributes: { number: '555' } })
    expect(user.roles).toMatchObject([
      { type: 'roles', attributes: { name: 'editor' }, pivots: {} },
    ])
    expect(user.companies).toMatchObject([
      { attributes: { name: 'Acme' }, pivots: { is_admin: true } },
    ])
    const post = await relationships(`/api/svc/posts/${posts[0]}?include=owner,tags,image`)
    expect(post.owner).toMatchObject({ id: String(ann), type: 'users' })
    expect(post.tags).toMatchObject([{ attributes: { name: 'news' } }])
    expect(post.image).toMatchObject({ attributes: { url: '/a.png' } })
    const bare = await relationships(`/api/svc/posts/${posts[1]}?include=image`)
    expect(bare.image).toBeNull()
    const other = await relationships(`/api/svc/users/${ben}?include=phone,roles`)
    expect(other).toEqual({ phone: null, roles: [] })
  })

  it('answers computed and member entries under their keys', async () => {
    const { data } = (await blog.get('/api/svc/companies?related=summary', ann)).body
    expect(data[0].relationships.summary.text).toMatch(/^Acme/)
    const post = await relationships(`/api/svc/posts/${posts[0]}?related=description`)
    expect(post).toEqual({ description: 'Words' })
  })

  it('nests by dots, merges heads, and takes related and include together', async () => {
    const user = await relationships(
      `/api/svc/users/${ann}?include=posts.comments,posts.owner&related=posts.comments.user,phone`,
    )
    expect(Object.keys(user)).toEqual(['posts', 'phone'])
    const [post] = user.posts
    expect(Object.keys(post.relationships)).toEqual(['comments', 'owner'])
    expect(post.relationships.comments).toHaveLength(3)
    expect(post.relationships.comments[0].relationships.user.type).toBe('users')
  })

  it('limits columns at every level, what keys and policies need is read but not shown', async () => {
    const user = await relationships(
      `/api/svc/users/${ann}?include=posts[title].comments[body|created_at]`,
    )
    const [post] = user.posts
    expect(Object.keys(post.attributes)).toEqual(['title'])
    expect(post.meta.authorizedToUpdate).toBe(true)
    expect(Object.keys(post.relationships.comments[0].attributes)).toEqual(['body', 'created_at'])
    const same = await relationships(`/api/svc/users/${ann}?include=posts[id,title]`)
    expect(Object.keys(same.posts[0].attributes)).toEqual(['title'])
  })

  it('never shows a hidden column, however it is asked for', async () => {
    const post = await relationships(`/api/svc/posts/${posts[0]}?include=owner[password|email]`)
    expect(Object.keys(post.owner.attributes)).toEqual(['email'])
  })

  it('takes 15 per parent, the related repository’s default, or relatablePerPage, clamped', async () => {
    expect((await relationships(`/api/svc/users/${ann}?include=posts`)).posts).toHaveLength(15)
    expect(
      (await relationships(`/api/svc/users/${ann}?include=posts&relatablePerPage=4`)).posts,
    ).toHaveLength(4)
    expect(
      (await relationships(`/api/svc/users/${ann}?include=posts&relatablePerPage=100000`)).posts,
    ).toHaveLength(17)
    const many = await blog.insert('posts', {
      title: 'Busy',
      published_at: '2026-01-01T00:00:00.000Z',
      owner_id: ann,
    })
    for (let n = 0; n < 105; n += 1)
      await blog.insert('comments', { body: `n ${n}`, post_id: many, user_id: ben })
    expect((await relationships(`/api/svc/posts/${many}?include=comments`)).comments).toHaveLength(
      100,
    )
    expect((await blog.delete(`/api/svc/posts/${many}`, ann)).status).toBe(409)
  })

  it('leaks no hidden row: to-many rows are absent, a hidden to-one is null, pages are full', async () => {
    const seenByAnn = await relationships(`/api/svc/users/${ben}?include=posts`, ann)
    expect(seenByAnn.posts.map((post: { id: string }) => Number(post.id))).toEqual([posts[17]])
    const seenByBen = await relationships(`/api/svc/users/${ben}?include=posts`, ben)
    expect(seenByBen.posts).toHaveLength(3)
    const comment = await blog.insert('comments', {
      body: 'On a draft',
      post_id: posts[19],
      user_id: ann,
    })
    expect((await relationships(`/api/svc/comments/${comment}?include=post`, ann)).post).toBeNull()
    expect((await relationships(`/api/svc/comments/${comment}?include=post`, ben)).post.id).toBe(
      String(posts[19]),
    )
  })

  it('gives related resources their meta on show, and on an index only when asked', async () => {
    const shown = await relationships(`/api/svc/posts/${posts[0]}?include=owner`)
    expect(shown.owner.meta).toMatchObject({ authorizedToShow: true })
    const { body } = await blog.get('/api/svc/posts?include=owner', ann)
    expect(body.data[0].meta).toBeDefined()
    expect(body.data[0].relationships.owner).not.toHaveProperty('meta')
    const asked = await blog.get('/api/svc/posts?include=owner&withMeta=true', ann)
    expect(asked.body.data[0].relationships.owner.meta).toMatchObject({ authorizedToShow: true })
  })

  it('ignores keys that are not declared, prototype names among them', async () => {
    const { status, body } = await blog.get(
      `/api/svc/posts/${posts[0]}?include=constructor.prototype,__proto__,nonsense.x,toString`,
      ann,
    )
    expect(status).toBe(200)
    expect(body.data.relationships ?? {}).toEqual({})
  })

  it.each([
    ['unbalanced brackets', 'owner[name'],
    ['a closing bracket alone', 'owner]name'],
    ['a path of 10,000 segments', Array.from({ length: 10_000 }, () => 'owner').join('.')],
    ['10,000 different paths', Array.from({ length: 10_000 }, (_, n) => `k${n}.x`).join(',')],
  ])('refuses %s with 400', async (_label, include) => {
    const { status, body } = await blog.get(`/api/svc/posts/${posts[0]}?include=${include}`, ann)
    expect(status).toBe(400)
    expect(Object.keys(body.errors)).toEqual(['include'])
  })

  it('is 400 where related records would exceed the limit', async () => {
    const include = Array.from({ length: 4 }, () => 'posts.owner').join('.')
    const path = `/api/svc/users/${ann}?relatablePerPage=100&include=${include}`
    const { status, body, statements } = await blog.get(path, ann)
    expect([status, Object.keys(body.errors)]).toEqual([400, ['include']])
    // The token, the user and each level up to the one that is too much: nothing is asked after it.
    expect(statements).toHaveLength(8)
  })

  it('sends one statement per relation asked for, for 1 parent and for 100', async () => {
    const include = 'include=posts.comments.user,roles,companies.users'
    for (const size of [1, 2]) {
      const { statements, body } = await blog.get(`/api/svc/users?perPage=${size}&${include}`, ann)
      expect(body.data).toHaveLength(size)
      // token, page, count, posts, comments, users, roles, companies, users
      expect(statements.length).toBeLessThanOrEqual(9)
    }
    const { statements } = await blog.get(`/api/svc/users/${ann}?${include}`, ann)
    expect(statements.length).toBeLessThanOrEqual(8)
    for (const size of [1, 15, 100]) {
      const wide = await blog.get(
        `/api/svc/comments?perPage=${size}&include=post.owner,user.phone`,
        ann,
      )
      expect(wide.body.data).toHaveLength(Math.min(size, wide.body.meta.total))
      expect(wide.statements.length).toBeLessThanOrEqual(7)
    }
  })
})
