import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'

describe.each(databases)('resources of the blog on %s', (name) => {
  let blog: Project
  let ann: number
  let ben: number

  beforeAll(async () => {
    blog = await openProject('blog', name)
    ann = await blog.user('Ann')
    ben = await blog.user('Ben')
  })
  afterAll(() => blog.close())

  const post = (columns: Record<string, unknown> = {}) =>
    blog.insert('posts', {
      title: 'A post',
      description: 'Words',
      published_at: '2026-01-02T03:04:05.678Z',
      owner_id: ann,
      ...columns,
    })

  describe('show', () => {
    it('answers the resource object of the specification, and nothing more', async () => {
      const id = await post({
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
      })
      const { status, body, headers } = await blog.get(`/api/svc/posts/${id}`, ann)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toMatch(/^application\/json/)
      expect(body).toEqual({
        data: {
          id: String(id),
          type: 'posts',
          attributes: {
            title: 'A post',
            description: 'Words',
            published_at: '2026-01-02T03:04:05.678Z',
            owner_id: String(ann),
            created_at: '2026-01-01T00:00:00.000Z',
            updated_at: '2026-01-01T00:00:00.000Z',
          },
          meta: {
            authorizedToShow: true,
            authorizedToStore: true,
            authorizedToUpdate: true,
            authorizedToDelete: true,
          },
        },
      })
    })

    it('shows another user in the flags what they may not do', async () => {
      const { body } = await blog.get(`/api/svc/posts/${await post()}`, ben)
      expect(body.data.meta).toEqual({
        authorizedToShow: true,
        authorizedToStore: true,
        authorizedToUpdate: false,
        authorizedToDelete: false,
      })
    })

    it('never shows a password', async () => {
      const { body } = await blog.get(`/api/svc/users/${ann}`, ann)
      expect(Object.keys(body.data.attributes)).toEqual([
        'name',
        'email',
        'is_admin',
        'created_at',
        'updated_at',
      ])
    })

    it('answers 404 alike for what is hidden, what is gone and what cannot be an id', async () => {
      const hidden = await post({ published_at: null })
      const answers = await Promise.all(
        [hidden, 999_999, 'abc', '1e400', '-1', '0', '1.5', '99999999999999999999', "1'--"].map(
          (id) => blog.get(`/api/svc/posts/${id}`, ben),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    })
  })

  describe('store', () => {
    it('answers 201 with Location and the stored resource', async () => {
      const { status, headers, body } = await blog.post('/api/svc/posts', { title: 'New' }, ann)
      expect(status).toBe(201)
      expect(headers.get('location')).toBe(`/api/svc/posts/${body.data.id}`)
      expect(body.data.attributes).toMatchObject({
        title: 'New',
        description: null,
        published_at: null,
        owner_id: String(ann),
      })
      const shown = await blog.get(`/api/svc/posts/${body.data.id}`, ann)
      expect(shown.body).toEqual(body)
    })

    it('names every failing field at once', async () => {
      const { status, body } = await blog.post(
        '/api/svc/posts',
        { title: 'x'.repeat(161), description: 7, published_at: 'yesterday' },
        ann,
      )
      expect(status).toBe(422)
      expect(Object.keys(body.errors)).toEqual(['title', 'description', 'published_at'])
      expect(body.message).toBe(`${body.errors.title[0]} (and 2 more errors)`)
    })

    it('ignores unknown, read-only, filled and hidden keys', async () => {
      const { status, body } = await blog.post(
        '/api/svc/posts',
        {
          title: 'Mine',
          owner_id: ben,
          id: 4711,
          created_at: '1999-01-01T00:00:00Z',
          nonsense: 1,
          __proto__: 1,
        },
        ann,
      )
      expect(status).toBe(201)
      expect(body.data.attributes.owner_id).toBe(String(ann))
      expect(body.data.id).not.toBe('4711')
      expect(body.data.attributes.created_at).not.toMatch(/^1999/)
    })

    it('keeps is_admin out of reach', async () => {
      const { status, body } = await blog.post(
        '/api/svc/users',
        { name: 'Eve', email: 'eve@example.test', password: 'long enough', is_admin: true },
        ann,
      )
      expect(status).toBe(201)
      expect(body.data.attributes.is_admin).toBe(false)
      const patched = await blog.patch(`/api/svc/users/${ann}`, { is_admin: true }, ann)
      expect(patched.body.data.attributes.is_admin).toBe(false)
    })

    it('is 422 for a foreign key to a row the user may not see, as for a missing one', async () => {
      const hidden = await post({ published_at: null })
      for (const id of [hidden, 999_999, 'abc', null, {}, 1.5]) {
        const { status, body } = await blog.post(
          '/api/svc/comments',
          { body: 'Hm', post_id: id },
          ben,
        )
        expect(status).toBe(422)
        expect(Object.keys(body.errors)).toEqual(['post_id'])
      }
      const { status } = await blog.post('/api/svc/comments', { body: 'Hm', post_id: hidden }, ann)
      expect(status).toBe(201)
    })

    it('lets one of many simultaneous e-mails in, the others get 422 on the field', async () => {
      const answers = await Promise.all(
        Array.from({ length: 24 }, () =>
          blog.post(
            '/api/svc/users',
            { name: 'Race', email: 'race@example.test', password: 'long enough' },
            ann,
          ),
        ),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      const refused = answers.filter(({ status }) => status === 422)
      expect(refused).toHaveLength(23)
      for (const { body } of refused) expect(Object.keys(body.errors)).toEqual(['email'])
    })

    it('keeps text as it was sent', async () => {
      const title = `Ünï "quotes" \\ % _ 😀 \u2028 <script>`
      const { body } = await blog.post('/api/svc/posts', { title }, ann)
      expect(body.data.attributes.title).toBe(title)
    })
  })

  describe('update', () => {
    it('PATCH writes the keys present and leaves the rest', async () => {
      const id = await post()
      const { status, body } = await blog.patch(`/api/svc/posts/${id}`, { title: 'Changed' }, ann)
      expect(status).toBe(200)
      expect(body.data.attributes).toMatchObject({ title: 'Changed', description: 'Words' })
      expect(Date.parse(body.data.attributes.updated_at)).toBeGreaterThanOrEqual(
        Date.parse(body.data.attributes.created_at),
      )
    })

    it('PUT wants the required fields, PATCH does not', async () => {
      const id = await post()
      const put = await blog.put(`/api/svc/posts/${id}`, { description: 'Only this' }, ann)
      expect(put.status).toBe(422)
      expect(Object.keys(put.body.errors)).toEqual(['title'])
      const whole = await blog.put(`/api/svc/posts/${id}`, { title: 'T', description: null }, ann)
      expect(whole.body.data.attributes).toMatchObject({ title: 'T', description: null })
    })

    it('PUT empties what is not there, and takes back what GET showed', async () => {
      const id = await post()
      const { body: shown } = await blog.get(`/api/svc/posts/${id}`, ann)
      const same = await blog.put(`/api/svc/posts/${id}`, shown.data.attributes, ann)
      const { updated_at, ...attributes } = shown.data.attributes
      expect(updated_at).toEqual(expect.any(String))
      expect(same.body.data.attributes).toMatchObject(attributes)
      const { body } = await blog.put(`/api/svc/posts/${id}`, { title: 'Only this' }, ann)
      expect(body.data.attributes).toMatchObject({
        title: 'Only this',
        description: null,
        published_at: null,
        owner_id: String(ann),
      })
      const user = await blog.user('Cleo')
      const before = (await blog.get(`/api/svc/users/${user}`, user)).body.data.attributes
      const put = await blog.put(`/api/svc/users/${user}`, before, user)
      expect([put.status, put.body.data.attributes.name]).toEqual([200, 'Cleo'])
    })

    it('is 403 on a visible row of another user, 404 on a hidden one, 401 without a token', async () => {
      const visible = await post()
      const hidden = await post({ published_at: null })
      const change = { title: 'Taken' }
      expect((await blog.patch(`/api/svc/posts/${visible}`, change, ben)).status).toBe(403)
      expect((await blog.patch(`/api/svc/posts/${hidden}`, change, ben)).status).toBe(404)
      expect((await blog.patch(`/api/svc/posts/${visible}`, change)).status).toBe(401)
      const { body } = await blog.get(`/api/svc/posts/${visible}`, ann)
      expect(body.data.attributes.title).toBe('A post')
    })

    it('accepts an empty patch', async () => {
      const id = await post()
      const { status, body } = await blog.patch(`/api/svc/posts/${id}`, {}, ann)
      expect(status).toBe(200)
      expect(body.data.attributes.title).toBe('A post')
    })
  })

  describe('delete', () => {
    it('answers 204 without a body, and the row is gone', async () => {
      const id = await post()
      const { status, body } = await blog.delete(`/api/svc/posts/${id}`, ann)
      expect([status, body]).toEqual([204, null])
      expect((await blog.get(`/api/svc/posts/${id}`, ann)).status).toBe(404)
      expect((await blog.delete(`/api/svc/posts/${id}`, ann)).status).toBe(404)
    })

    it('is 409 while other rows point at it', async () => {
      const id = await post()
      await blog.insert('comments', { body: 'Hi', post_id: id, user_id: ben })
      const { status, body } = await blog.delete(`/api/svc/posts/${id}`, ann)
      expect(status).toBe(409)
      expect(body.message).toMatch(/still/)
    })

    it('is 403 on a visible row of another user', async () => {
      expect((await blog.delete(`/api/svc/posts/${await post()}`, ben)).status).toBe(403)
    })
  })
})
