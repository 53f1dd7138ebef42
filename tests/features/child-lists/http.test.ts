import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'

describe.each(databases)('records below a parent on %s', (name) => {
  let blog: Project
  let ann: number
  let ben: number
  let open: number
  let draft: number
  let other: number

  beforeAll(async () => {
    blog = await openProject('blog', name)
    ann = await blog.user('Ann')
    ben = await blog.user('Ben')
    const published_at = '2026-01-01T00:00:00.000Z'
    open = await blog.insert('posts', { title: 'Open', owner_id: ann, published_at })
    other = await blog.insert('posts', { title: 'Other', owner_id: ben, published_at })
    draft = await blog.insert('posts', { title: 'Draft', owner_id: ann })
    for (const post_id of [open, open, other, draft]) {
      await blog.insert('comments', { body: `On ${post_id}`, post_id, user_id: ann })
    }
    const tag = await blog.insert('tags', { name: 'news' })
    await blog.insert('tags', { name: 'unused' })
    await blog.link('taggables', { taggable_type: 'posts', taggable_id: open, tag_id: tag })
    await blog.insert('companies', { id: other, name: 'Of the same number' })
    await blog.link('taggables', { taggable_type: 'companies', taggable_id: other, tag_id: tag })
    const role = await blog.insert('roles', { name: 'editor' })
    await blog.link('role_user', { role_id: role, user_id: ann })
  })
  afterAll(() => blog.close())

  const comments = (post: number) => `/api/svc/posts/${post}/comments`

  it('lists those of the parent, with every parameter of an index', async () => {
    const { body, statements } = await blog.get(
      `${comments(open)}?perPage=1&include=post&sort=id`,
      ann,
    )
    expect(body.meta).toMatchObject({ total: 2, last_page: 2, path: comments(open) })
    expect(body.data[0]).toMatchObject({ type: 'comments', attributes: { post_id: String(open) } })
    expect(body.data[0].relationships.post.id).toBe(String(open))
    expect(body.links.next).toBe(`${comments(open)}?page=2&perPage=1&include=post&sort=id`)
    // The token, the parent, the page, the count, the posts.
    expect(statements.length).toBeLessThanOrEqual(5)
    expect((await blog.get(`${comments(open)}?search=nothing`, ann)).body.data).toEqual([])
  })

  it('does not narrow what is included below', async () => {
    const { body } = await blog.get(`${comments(open)}?include=post.comments`, ann)
    expect(body.data[0].relationships.post.relationships.comments).toHaveLength(2)
    const nested = await blog.get(
      `/api/svc/users/${ann}/posts?include=owner.posts.comments.post`,
      ann,
    )
    expect(nested.status).toBe(200)
    expect(nested.body.data[0].relationships.owner.relationships.posts.length).toBe(2)
  })

  it('shows, changes and deletes those of the parent only', async () => {
    const made = await blog.post(comments(open), { body: 'New', post_id: other }, ann)
    expect(made.status).toBe(201)
    expect(made.body.data.attributes).toMatchObject({
      body: 'New',
      post_id: String(open),
      user_id: String(ann),
    })
    const path = `${comments(open)}/${made.body.data.id}`
    expect(made.headers.get('location')).toBe(path)
    const elsewhere = `${comments(other)}/${made.body.data.id}`
    for (const [method, at] of [
      ['get', elsewhere],
      ['delete', elsewhere],
    ] as const) {
      expect((await blog[method](at, ann)).status).toBe(404)
    }
    expect((await blog.patch(elsewhere, { body: 'x' }, ann)).status).toBe(404)
    expect((await blog.put(elsewhere, { body: 'x' }, ann)).status).toBe(404)
    expect((await blog.get(path, ann)).body.data.attributes.body).toBe('New')
    const moved = await blog.patch(path, { body: 'Changed', post_id: other }, ann)
    expect(moved.body.data.attributes).toMatchObject({ body: 'Changed', post_id: String(open) })
    expect((await blog.put(path, { body: 'Put' }, ann)).body.data.attributes.body).toBe('Put')
    expect((await blog.delete(path, ann)).status).toBe(204)
    expect((await blog.get(path, ann)).status).toBe(404)
  })

  it('asks both policies', async () => {
    const hidden = comments(draft)
    expect((await blog.get(hidden, ben)).status).toBe(404)
    expect((await blog.post(hidden, { body: 'x' }, ben)).status).toBe(404)
    expect((await blog.get(hidden, ann)).body.data).toHaveLength(1)
    expect((await blog.get(hidden)).status).toBe(401)
    // A draft of Ann below Ann, asked by Ben.
    const posts = await blog.get(`/api/svc/users/${ann}/posts`, ben)
    expect(posts.body.data.map(({ id }: { id: string }) => id)).toEqual([String(open)])
    expect((await blog.get(`/api/svc/users/${ann}/posts/${draft}`, ben)).status).toBe(404)
    expect(
      (await blog.patch(`/api/svc/users/${ann}/posts/${open}`, { title: 'x' }, ben)).status,
    ).toBe(403)
  })

  it('a column the server fills with the signed-in user cannot be another', async () => {
    const body = { title: 'Not mine' }
    expect((await blog.post(`/api/svc/users/${ann}/posts`, body, ben)).status).toBe(403)
    const own = await blog.post(`/api/svc/users/${ben}/posts`, body, ben)
    expect(own.body.data.attributes.owner_id).toBe(String(ben))
  })

  it('fills the type and id of a morph', async () => {
    const made = await blog.post(`/api/svc/posts/${open}/image`, { url: '/a.png' }, ann)
    expect(made.status).toBe(201)
    const { body } = await blog.get(`/api/svc/posts/${open}?include=image`, ann)
    expect(body.data.relationships.image.id).toBe(made.body.data.id)
    expect((await blog.get(`/api/svc/posts/${other}/image/${made.body.data.id}`, ann)).status).toBe(
      404,
    )
  })

  it('reads the other kinds, where nothing new can be made', async () => {
    const ids = async (path: string) =>
      (await blog.get(path, ann)).body.data.map(
        ({ attributes }: { attributes: { name: string } }) => attributes.name,
      )
    expect(await ids(`/api/svc/posts/${open}/tags`)).toEqual(['news'])
    expect(await ids(`/api/svc/posts/${other}/tags`)).toEqual([])
    expect(await ids(`/api/svc/users/${ann}/roles`)).toEqual(['editor'])
    expect(await ids(`/api/svc/posts/${open}/owner`)).toEqual(['Ann'])
    for (const path of [`/api/svc/posts/${open}/tags`, `/api/svc/posts/${open}/owner`]) {
      const { status, headers } = await blog.post(path, { name: 'x' }, ann)
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  it('serves below a to-one relation what makes sense', async () => {
    const nobody = await blog.user('Eve')
    const mine = await blog.insert('posts', { title: 'Mine', owner_id: ann })
    const image = await blog.insert('images', {
      url: '/b.png',
      imageable_type: 'posts',
      imageable_id: String(mine),
    })
    const body = {
      name: 'Changed',
      title: 'Changed',
      email: 'changed@example.test',
      password: 'password',
    }
    // A record belongs to these: they are read there, and changed at their own address.
    for (const path of [
      `/api/svc/posts/${mine}/owner/${ann}`,
      `/api/svc/images/${image}/imageable/${mine}`,
    ]) {
      expect((await blog.get(path, ann)).status).toBe(200)
      const answers = [
        await blog.put(path, body, ann),
        await blog.patch(path, body, ann),
        await blog.delete(path, ann),
      ]
      for (const { status, headers } of answers) {
        expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
      }
    }
    expect((await blog.get(`/api/svc/users/${ann}`, ann)).body.data.attributes.name).toBe('Ann')
    expect((await blog.get(`/api/svc/posts/${mine}`, ann)).body.data.attributes.title).toBe('Mine')
    // These belong to a record.
    const below = `/api/svc/posts/${mine}/image/${image}`
    expect((await blog.patch(below, { url: '/c.png' }, ann)).status).toBe(200)
    expect((await blog.delete(below, ann)).status).toBe(204)
    // Who may not see the record learns nothing of it.
    const hidden = await blog.delete(`/api/svc/posts/${draft}/owner/${ann}`, nobody)
    expect(hidden.status).toBe(404)
  })

  it('shows what stands between, as includes do, in one statement more', async () => {
    const company = await blog.insert('companies', { name: 'Acme' })
    for (const user_id of [ann, ben]) {
      await blog.link('company_user', { company_id: company, user_id, is_admin: user_id === ben })
    }
    const path = `/api/svc/companies/${company}/users`
    const { body, statements } = await blog.get(`${path}?sort=id`, ann)
    const shown = body.data.map(({ id, pivots }: { id: string; pivots: unknown }) => [id, pivots])
    expect(shown).toEqual([
      [String(ann), { is_admin: false }],
      [String(ben), { is_admin: true }],
    ])
    // The token, the company, the page, its total, what stands between.
    expect(statements.length).toBeLessThanOrEqual(5)
    expect((await blog.get(`${path}/${ben}`, ann)).body.data.pivots).toEqual({ is_admin: true })
    const back = await blog.get(`/api/svc/users/${ben}/companies`, ann)
    expect(back.body.data[0].pivots).toEqual({ is_admin: true })
    const tags = await blog.get(`/api/svc/posts/${open}/tags`, ann)
    expect(tags.body.data[0].pivots).toEqual({})
    const included = await blog.get(`/api/svc/posts/${open}?include=tags`, ann)
    expect(included.body.data.relationships.tags[0].pivots).toEqual({})
    expect((await blog.get(`/api/svc/users/${ann}/posts`, ann)).body.data[0].pivots).toBeUndefined()
  })

  it.each(['nothing', 'description', 'constructor', '__proto__'])(
    '%s is no relation: 404',
    async (key) => {
      expect((await blog.get(`/api/svc/posts/${open}/${key}`, ann)).status).toBe(404)
      expect((await blog.post(`/api/svc/posts/${open}/${key}`, {}, ann)).status).toBe(404)
    },
  )

  it.each(['x', '0', '2147483648', '%00', '99999999999999999999'])('parent %s: 404', async (id) => {
    expect((await blog.get(`/api/svc/posts/${id}/comments`, ann)).status).toBeLessThan(500)
    expect((await blog.get(`/api/svc/posts/${id}/comments`, ann)).status).toBeGreaterThanOrEqual(
      400,
    )
  })
})
