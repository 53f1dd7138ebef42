/** Nothing that is sent is accepted and ignored, where queries are strict; and some things never are. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Edits, type Project } from '../../support/project.js'

const edits: Edits = {
  'config/svc.ts': (text) => text.replace('strict_queries: false', 'strict_queries: true'),
  'app/Policies/PostPolicy.ts': (text) =>
    text.replace('  show: ', '  canSee: { published_at: () => false },\n  show: '),
}

describe.each(databases)('strict queries on %s', (name) => {
  let blog: Project
  let ann = 0
  let post = 0

  beforeAll(async () => {
    blog = await openProject('blog', name, edits)
    ann = await blog.user('Ann', { is_admin: true })
    post = await blog.insert('posts', { title: 'One', description: 'x', owner_id: ann })
  })
  afterAll(() => blog.close())

  const said = async (path: string) => {
    const { status, body } = await blog.get(`/api/svc/${path}`, ann)
    return [status, body.message ?? '']
  }

  it.each([
    ['posts?bogus=1', 'The bogus parameter is not known. For a list of posts there are page, '],
    ['posts?titel=x', "The titel parameter is not known: 'title' is."],
    ['posts?filter[titel]=x', "The titel parameter is not known: 'title' is."],
    ['posts?-titel=x', "The titel parameter is not known: 'title' is."],
    ['posts?serch=x', "The serch parameter is not known: 'search' is."],
    ['posts?constructor=x', 'The constructor parameter is not known. '],
    ['posts?sort=titel', "There is no 'titel' to sort posts by. 'title' is one."],
    ['posts?include=onwer', "There is no 'onwer' to include with posts. 'owner' is one."],
    ['posts?include=owner[id|nmae]', "There is no 'nmae' to include with users. 'name' is one."],
    ['posts?include=comments.post[x]', "There is no 'x' to include with posts. They have id, "],
    ['images?search=x', 'The search parameter cannot be answered: images have nothing to search.'],
    ['companies?name=a&name=b', 'The name parameter must not be sent more than once.'],
    ['posts?withMeta=maybe', 'The withMeta parameter must be true or false.'],
    ['posts?withMeta=', 'The withMeta parameter must be true or false.'],
    ['posts/1?withMeta=TRUE', 'The withMeta parameter must be true or false.'],
    ['posts/1/comments?withMeta[]=yes', 'The withMeta[] parameter must be true or false.'],
    ['posts/1?page=2', 'The page parameter is not known. For a record of posts there are include'],
    ['posts/1?title=x', 'The title parameter is not known. '],
    ['posts/1?search=x', 'The search parameter is not known. '],
    ['posts/1?sort=title', 'The sort parameter is not known. '],
    ['posts/1/comments?bogus=1', 'The bogus parameter is not known. For a list of comments'],
    ['posts/1/owner?bogus=1', 'The bogus parameter is not known. For a list of users'],
  ])('%s is 400 and names what was probably meant', async (path, message) => {
    const [status, text] = await said(path.replace('posts/1', `posts/${post}`))
    expect([status, text]).toEqual([400, expect.stringContaining(message)])
  })

  it('names no column that the user may not see', async () => {
    for (const path of [
      'posts?publshed_at=1',
      'posts?sort=publshed_at',
      'posts?bogus=1',
      'comments?include=post[publshed_at]',
    ]) {
      const [status, text] = await said(path)
      expect([status, text]).toEqual([400, expect.not.stringContaining('published_at')])
    }
    expect((await said('posts?published_at=2026-01-01'))[0]).toBe(400)
  })

  it('answers what is known as ever', async () => {
    const known = 'page=1&perPage=2&sort=-title&search=o&title=One&include=owner&withMeta=true'
    expect(await said(`posts?${known}&filter[title]=One&related=tags&relatablePerPage=2`)).toEqual([
      200,
      '',
    ])
    expect(await said(`posts/${post}?include=owner[id|name]&withMeta=1`)).toEqual([200, ''])
    expect(await said('posts?withMeta=false')).toEqual([200, ''])
    expect(await said('posts?withMeta=0')).toEqual([200, ''])
  })

  it('takes no parameter with a write, and does nothing', async () => {
    const answer = await blog.request('DELETE', `/api/svc/posts/${post}?force=true`, { as: ann })
    expect([answer.status, answer.body.message]).toEqual([
      400,
      'The force parameter is not known: a write takes none.',
    ])
    expect((await said(`posts/${post}`))[0]).toBe(200)
  })

  it('takes no parameter that routes of signing in do not know', async () => {
    const asked = async (method: string, path: string) => {
      const { status, body } = await blog.request(method, `/api/${path}`, { as: ann })
      return [status, body.message ?? '']
    }
    for (const [method, path] of writes) {
      const answer = await asked(method, `${path}?bogus=1`)
      expect([path, ...answer]).toEqual([
        ...[path, 400, 'The bogus parameter is not known: a write takes none.'],
      ])
    }
    expect(await asked('GET', 'tokens?bogus=1')).toEqual([
      ...[400, 'The bogus parameter is not known: there are none here.'],
    ])
    expect(await asked('GET', 'svc/profile?includ=posts')).toEqual([
      ...[400, expect.stringContaining("The includ parameter is not known: 'include' is.")],
    ])
    expect((await asked('GET', 'svc/profile?include=posts'))[0]).toBe(200)
    expect((await asked('GET', 'tokens'))[0]).toBe(200)
  })
})

/** Of signing in. */
const writes = [
  ['POST', 'register'],
  ['POST', 'login'],
  ['POST', 'svc/forgotPassword'],
  ['POST', 'svc/resetPassword'],
  ['POST', 'svc/verify'],
  ['POST', 'svc/verify/1/x'],
  ['POST', 'logout'],
  ['PUT', 'svc/profile'],
  ['PATCH', 'svc/profile'],
  ['DELETE', 'tokens/1'],
  ['PUT', 'password'],
] as const

describe('a write on which its caller relies', () => {
  let blog: Project
  let ann = 0

  beforeAll(async () => {
    blog = await openProject('blog', 'sqlite')
    ann = await blog.user('Ann', { is_admin: true })
  })
  afterAll(() => blog.close())

  it.each([
    ['If-Match', '"1"', 'no version of a record is kept here'],
    ['Idempotency-Key', 'a', 'a repetition would be done again'],
    ['If-None-Match', '*', 'POST alone makes a record'],
    ['If-Unmodified-Since', 'Tue, 01 Jul 2025 00:00:00 GMT', 'a second is too long'],
    ['Prefer', 'return=minimal, max-affected=3', 'is not honoured here'],
  ])(
    'with %s is 400, whatever the config says, and nothing is written',
    async (header, value, why) => {
      const headers = { [header]: value, 'content-type': 'application/json' }
      const body = JSON.stringify({ name: 'A' })
      const made = await blog.request('POST', '/api/svc/companies', { as: ann, body, headers })
      expect([made.status, made.body.message]).toEqual([400, expect.stringContaining(why)])
      expect((await blog.get('/api/svc/companies', ann)).body.data).toEqual([])
      const read = await blog.request('GET', '/api/svc/companies', { as: ann, headers })
      expect(read.status).toBe(200)
      for (const [method, path] of writes) {
        const answer = await blog.request(method, `/api/${path}`, { as: ann, body: '{}', headers })
        expect([path, answer.status, answer.body.message]).toEqual([
          ...[path, 400, expect.stringContaining(why)],
        ])
      }
      // Nor was the token ended.
      expect((await blog.get('/api/tokens?bogus=1', ann)).body.data).toHaveLength(1)
    },
  )

  it.each(['If-Match', 'Idempotency-Key'])(
    'over GraphQL with %s is 400, and a query is answered',
    async (header) => {
      const headers = { [header]: 'a', 'content-type': 'application/json' }
      const ask = (query: string) =>
        blog.request('POST', '/graphql', { as: ann, headers, body: JSON.stringify({ query }) })
      const made = await ask('mutation { createCompany(input: { name: "A" }) { id } }')
      expect([made.status, made.body]).toEqual([
        400,
        {
          errors: [
            {
              message: expect.stringContaining(`The ${header} header cannot be honoured`),
              extensions: { code: 'BAD_USER_INPUT' },
            },
          ],
        },
      ])
      const read = await ask('{ companyList { id } }')
      expect([read.status, read.body]).toEqual([200, { data: { companyList: [] } }])
    },
  )
})
