/** A select is filtered by its options, and by nothing else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'
import { ask, codes } from '../graphql/ask.js'

describe.each(databases)('a filter by a select on %s', (name) => {
  let blog: Project
  let ann: number
  beforeAll(async () => {
    blog = await openProject('blog', name, {
      'manifest/posts.ts': (text) =>
        text
          .replace("from 'svckit'", "from 'svckit'\nimport { select } from 'svckit'")
          .replace('match: {', "match: { status: 'text',")
          .replace('fields: {', "fields: { status: select(['open', 'paid']).default('open'),"),
    })
    ann = await blog.user('Ann')
  })
  afterAll(() => blog.close())

  test.each([
    'status=open',
    'status=open,paid',
    'status=open&status=paid',
    'status=open&filter[status]=paid&status=null',
    '-status=open',
    'filter[status]=paid',
    'status=null',
  ])('takes %s', async (query) => {
    expect((await blog.get(`/api/svc/posts?${query}`, ann)).status).toBe(200)
  })

  test.each([
    'status=opne',
    'status=open&status=opne',
    'status=open,opne',
    '-status=opne',
    'status=',
  ])('refuses %s, and says what there is', async (query) => {
    const { status, body } = await blog.get(`/api/svc/posts?${query}`, ann)
    expect([status, body.message]).toEqual([400, expect.stringContaining('one of open, paid')])
  })

  test('is in the document', async () => {
    const { body } = await blog.get('/openapi.json', ann)
    const items = { type: 'string', enum: ['open', 'paid'] }
    for (const key of ['Post.status', 'Post.without.status']) {
      expect(body.components.parameters[key].schema.anyOf[0]).toMatchObject({ items })
    }
  })

  test('is refused in GraphQL too', async () => {
    const answer = await ask(blog, '{ posts(match: { status: "opne" }) { data { id } } }', {
      as: ann,
    })
    expect(codes(answer)).toEqual([expect.stringMatching(/BAD|VALIDATION/)])
  })
})
