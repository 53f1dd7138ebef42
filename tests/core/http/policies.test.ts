import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'

describe.each(databases)('policies on %s', (name) => {
  let blog: Project
  let ann: number
  let ben: number

  beforeAll(async () => {
    blog = await openProject('blog', name)
    ann = await blog.user('Ann')
    ben = await blog.user('Ben')
    await blog.insert('posts', { title: 'Draft of Ann', owner_id: ann })
    await blog.insert('posts', { title: 'Draft of Ben', owner_id: ben })
  })
  afterAll(() => blog.close())

  const seen = async (as: number) => {
    const { body } = await blog.get('/api/svc/posts', as)
    return body.data.map((item: { attributes: { title: string } }) => item.attributes.title)
  }

  it('two users never share the filter of a compiled statement', async () => {
    for (let round = 0; round < 3; round += 1) {
      expect(await seen(ann)).toEqual(['Draft of Ann'])
      expect(await seen(ben)).toEqual(['Draft of Ben'])
    }
    const first = await blog.get('/api/svc/posts', ann)
    const second = await blog.get('/api/svc/posts', ben)
    const page = ({ statements }: typeof first) => statements.map(({ sql }) => sql)
    // One text serves both: only the parameters differ.
    expect(page(first)).toEqual(page(second))
  })

  it('flags cost no statement of their own', async () => {
    const { statements } = await blog.get('/api/svc/users', ann)
    // The token, the page, and on SQLite its total.
    expect(statements.length).toBeLessThanOrEqual(name === 'sqlite' ? 3 : 2)
  })

  it.each(['', '/1', '?search=x', '?include=owner'])(
    'answers 401 without a token on posts%s',
    async (path) => {
      const { status, body, headers } = await blog.get(`/api/svc/posts${path}`)
      expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }])
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/)
    },
  )

  it.each([
    'Bearer',
    'Bearer ',
    'Bearer |',
    'Bearer 1|',
    'Bearer 1|wrong',
    'Bearer 999999|wrong',
    'Bearer abc|def',
    'Bearer 1e400|x',
    'Bearer 99999999999999999999|x',
    'Basic dXNlcjpwYXNz',
    `Bearer 1|${'x'.repeat(10_000)}`,
    "Bearer 1'--|x",
  ])('answers 401 to the header %.40s', async (authorization) => {
    const { status } = await blog.request('GET', '/api/svc/posts', { headers: { authorization } })
    expect(status).toBe(401)
  })
})
