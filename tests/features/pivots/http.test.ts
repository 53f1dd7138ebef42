import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'

describe.each(databases)('attach, sync and detach on %s', (name) => {
  let blog: Project
  let ann: number
  let ben: number
  let company: number
  let tags: number[]

  beforeAll(async () => {
    blog = await openProject('blog', name)
    ann = await blog.user('Ann')
    ben = await blog.user('Ben')
    for (let n = 0; n < 30; n++) await blog.user(`Person ${n}`)
    tags = []
    for (const label of ['a', 'b', 'c']) tags.push(await blog.insert('tags', { name: label }))
  })
  beforeEach(async () => {
    company = await blog.insert('companies', { name: 'Acme' })
  })
  afterAll(() => blog.close())

  const at = (operation: string) => `/api/svc/companies/${company}/${operation}/users`

  async function staff(): Promise<[string, boolean][]> {
    const { body } = await blog.get(
      `/api/svc/companies/${company}?include=users&relatablePerPage=100`,
      ann,
    )
    return body.data.relationships.users
      .map(({ id, pivots }: { id: string; pivots: { is_admin: boolean } }) => [id, pivots.is_admin])
      .toSorted()
  }

  it.each(['attach', 'sync', 'detach'])(
    '%s names twenty ids of none, and counts the others',
    async (operation) => {
      const none = Array.from({ length: 900 }, (_, at) => 900_000 + at)
      const { status, body } = await blog.post(at(operation), { users: none }, ann)
      const named = none.slice(0, 20).join(', ')
      const text = `The users must be ids of records that exist: there is no ${named} and 880 more.`
      expect([status, body.errors]).toEqual([422, { users: [text] }])
    },
  )

  it('attach answers 201 with the pivots, sync 200, detach 204', async () => {
    const made = await blog.post(at('attach'), { users: [ann, ben], is_admin: true }, ann)
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      data: [ann, ben].map((id) => ({
        company_id: String(company),
        user_id: String(id),
        is_admin: true,
      })),
    })
    const again = await blog.post(at('attach'), { users: ann, is_admin: false }, ann)
    expect(again.body.data).toMatchObject([{ user_id: String(ann), is_admin: false }])
    expect(await staff()).toEqual([
      [String(ann), false],
      [String(ben), true],
    ])
    const synced = await blog.post(at('sync'), { users: [ben] }, ann)
    expect(synced.status).toBe(200)
    expect(synced.body.data).toMatchObject([{ user_id: String(ben), is_admin: true }])
    expect(await staff()).toEqual([[String(ben), true]])
    const gone = await blog.post(at('detach'), { users: [ben] }, ann)
    expect([gone.status, gone.body]).toEqual([204, null])
    expect(await staff()).toEqual([])
  })

  it('a morph relation answers the same', async () => {
    const path = (operation: string) => `/api/svc/companies/${company}/${operation}/tags`
    const made = await blog.post(path('attach'), { tags }, ann)
    expect(made.status).toBe(201)
    expect(made.body.data[0]).toEqual({
      taggable_type: 'companies',
      taggable_id: String(company),
      tag_id: String(tags[0]),
    })
    expect((await blog.post(path('detach'), { tags: [tags[0]] }, ann)).status).toBe(204)
    expect((await blog.post(path('sync'), { tags: [tags[1]] }, ann)).body.data).toHaveLength(1)
  })

  it('denied and invalid changes answer 401, 403, 404 and 422 as elsewhere', async () => {
    const status = async (path: string, body: unknown, as?: number) =>
      (await blog.post(path, body, as)).status
    const post = await blog.insert('posts', {
      title: 'Open',
      owner_id: ann,
      published_at: '2026-01-01T00:00:00.000Z',
    })
    const draft = await blog.insert('posts', { title: 'Draft', owner_id: ann })
    expect(await status(at('attach'), { users: [ann] })).toBe(401)
    for (const operation of ['attach', 'sync', 'detach']) {
      expect(await status(`/api/svc/posts/${post}/${operation}/tags`, { tags }, ben)).toBe(403)
      expect(await status(`/api/svc/posts/${draft}/${operation}/tags`, { tags }, ben)).toBe(404)
      expect(await status(`/api/svc/posts/2147483647/${operation}/tags`, { tags }, ann)).toBe(404)
      expect(await status(`/api/svc/posts/x/${operation}/tags`, { tags }, ann)).toBe(404)
      expect(
        await status(`/api/svc/posts/${post}/${operation}/comments`, { comments: [1] }, ann),
      ).toBe(404)
      expect(await status(`/api/svc/posts/${post}/${operation}/__proto__`, {}, ann)).toBe(404)
      expect(
        await status(`/api/svc/posts/${post}/${operation}/tags`, { tags: [999_999] }, ann),
      ).toBe(422)
      expect(await status(`/api/svc/posts/${post}/${operation}/tags`, {}, ann)).toBe(422)
      expect(await status(`/api/svc/posts/${post}/${operation}/tags`, [1], ann)).toBe(400)
    }
    const { body } = await blog.post(at('attach'), { users: [ann, 999_999], is_admin: 'x' }, ann)
    expect(body.errors).toEqual({
      is_admin: ['The is admin must be true or false.'],
      users: ['The users must be ids of records that exist: there is no 999999.'],
    })
    expect(await staff()).toEqual([])
  })

  it('sends a fixed number of statements, whatever the number of ids', async () => {
    const all = Array.from({ length: 30 }, (_, n) => ann + n)
    for (const operation of ['attach', 'sync', 'detach']) {
      const one = await blog.post(at(operation), { users: [ann] }, ann)
      const many = await blog.post(at(operation), { users: all }, ann)
      expect(many.statements.length).toBe(one.statements.length)
      // The token, two reads before and at most three inside the transaction, at most two writes.
      expect(many.statements.length).toBeLessThanOrEqual(8)
    }
  })

  it('24 concurrent changes leave what some order of them explains, and none is a 500', async () => {
    const [low, high] = [ann, ann + 10].map((from) =>
      Array.from({ length: 10 }, (_, n) => from + n),
    )
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, n) => {
          const operation = ['attach', 'sync', 'detach'][n % 3] ?? 'sync'
          const users = n % 2 === 0 ? low : high?.toReversed()
          return blog.post(at(operation), { users, is_admin: n % 4 < 2 }, ann)
        }),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 200, 204]))
      // Every operation is about one of two sets as a whole.
      const there = new Set((await staff()).map(([id]) => Number(id)))
      for (const set of [low, high]) {
        expect([0, 10]).toContain(set?.filter((id) => there.has(id)).length)
      }
    }
  })

  it('24 concurrent changes of a morph relation, from two owners, leave what some order of them explains', async () => {
    const post = await blog.insert('posts', { title: 'Tagged', owner_id: ann })
    const [first, ...rest] = tags
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => {
        const operation = ['attach', 'sync', 'detach'][n % 3] ?? 'sync'
        const named = n % 2 === 0 ? [first] : rest.toReversed()
        const owner = n % 4 < 2 ? `companies/${company}` : `posts/${post}`
        return blog.post(`/api/svc/${owner}/${operation}/tags`, { tags: named }, ann)
      }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 200, 204]))
    for (const owner of [`companies/${company}`, `posts/${post}`]) {
      const { body } = await blog.get(`/api/svc/${owner}/tags`, ann)
      const there = new Set(body.data.map(({ id }: { id: string }) => Number(id)))
      expect([0, rest.length]).toContain(rest.filter((id) => there.has(id)).length)
    }
  })
})
