import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'

describe.each(databases)('posts that are public, of users who are not, on %s', (name) => {
  let project: Project
  let ada: number
  beforeAll(async () => {
    process.env['THROTTLE_LIMIT'] = '100000'
    project = await openProject('blog', name, {
      'manifest/posts.ts': (text) =>
        text.replace("title: 'title',", "title: 'title',\n  public: true,"),
      // Harmless, it seems: every route of users needs a token.
      'app/Policies/UserPolicy.ts': (text) =>
        text.replace('show: (user) => user !== null', 'show: () => true'),
    })
    ada = await project.user('Ada')
    const bob = await project.user('Bob')
    const row = { description: '-', published_at: '2026-02-03T04:05:06.000Z' }
    await project.insert('posts', { ...row, title: 'One', owner_id: bob })
    await project.insert('posts', { ...row, title: 'Two', owner_id: ada })
  })
  afterAll(() => project.close())

  const titles = async (query: string, as?: number) => {
    const { status, body } = await project.get(`/api/svc/posts?${query}`, as)
    expect(status).toBe(200)
    return body.data.map((post: { attributes: { title: string } }) => post.attributes.title)
  }

  test('are read without a token', async () => {
    expect((await project.get('/api/svc/posts')).body.data.length).toBe(2)
    expect((await project.get('/api/svc/users')).status).toBe(401)
  })

  test.each(['include=owner', 'related=owner', 'include=owner[email].companies'])(
    '%s shows no user without a token, and shows users with one',
    async (query) => {
      const { body } = await project.get(`/api/svc/posts?${query}`)
      expect(JSON.stringify(body)).not.toContain('@example.test')
      expect(body.data[0].relationships.owner).toBeNull()
      const known = await project.get(`/api/svc/posts?${query}`, ada)
      expect(JSON.stringify(known.body)).toContain('@example.test')
    },
  )

  test('a stranger neither searches nor sorts by users', async () => {
    expect(await titles('search=Ada')).toEqual([])
    expect(await titles('search=Ada', ada)).toEqual(['Two'])
    expect(await titles('sort=owner.name,id')).toEqual(['One', 'Two'])
    expect(await titles('sort=owner.name,id', ada)).toEqual(['Two', 'One'])
  })

  test('the same holds over GraphQL', async () => {
    const query = '{ postList { title owner { email } } }'
    const ask = (as?: number) => project.post('/graphql', { query }, as)
    const { body } = await ask()
    expect(body.data.postList.map(({ owner }: { owner: unknown }) => owner)).toEqual([null, null])
    expect(JSON.stringify((await ask(ada)).body)).toContain('ada@example.test')
  })
})
