import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProject, type Project } from '../../support/project.js'

const edits = {
  'manifest/posts.ts': (text: string) =>
    text.replace('text().max(160)', 'text().max(160).folded()'),
  'app/Policies/CommentPolicy.ts': (text: string) =>
    text.replace('show: (user) => user !== null', "show: () => ({ body: { gte: 'a' } })"),
}

/** A server made by `initdb` in a usual shell has a language's order, not that of the code points. */
describe('a PostgreSQL with the locale of a language', () => {
  let blog: Project
  let ann: number
  const titles = ['Zoe', 'ann', 'Bob', 'Émile', '100%', '😀']

  beforeAll(async () => {
    blog = await openProject('blog', 'postgresql', edits, 'test', 'en-US')
    ann = await blog.user('Ann')
    for (const title of titles) await blog.post('/api/svc/posts', { title }, ann)
  })
  afterAll(() => blog.close())

  const titlesOf = async (query: string) => {
    const { status, body } = await blog.get(`/api/svc/posts?${query}`, ann)
    expect(status).toBe(200)
    return body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)
  }

  it('sorts text as that language does', async () => {
    expect(await titlesOf('sort=title')).toEqual(['😀', '100%', 'ann', 'Bob', 'Émile', 'Zoe'])
  })

  it('searches folded text as SQLite does', async () => {
    expect(await titlesOf('search=EMILE')).toEqual(['Émile'])
    expect(await titlesOf('search=😀')).toEqual(['😀'])
    expect(await titlesOf('search=%25')).toEqual(['100%'])
  })

  it('compares in conditions by code point, in SQL as in memory', async () => {
    const post_id = Number((await blog.get('/api/svc/posts?search=bob', ann)).body.data[0].id)
    for (const body of ['Zebra', 'apple', 'émile']) {
      await blog.insert('comments', { body, post_id, user_id: ann })
    }
    const { body } = await blog.get(`/api/svc/posts/${post_id}?include=comments`, ann)
    const bodies = body.data.relationships.comments.map(
      (each: { attributes: { body: string } }) => each.attributes.body,
    )
    expect(bodies).toEqual(['émile', 'apple'])
  })
})
