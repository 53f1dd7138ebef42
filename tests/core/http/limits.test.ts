/** Limits of one request: the size of its answer, and its use of the database. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codes, ask } from '../../features/graphql/ask.js'
import { type Answer, databases, openProject, type Project } from '../../support/project.js'

const limit = 200_000
const edits = {
  'config/svc.ts': (text: string) => text.replace('16_777_216', String(limit)),
  'manifest/posts.ts': (text: string) =>
    text.replace('textarea,', 'json,\n  textarea,').replace(
      'textarea().nullable(),',
      `textarea().nullable(),
         story: textarea().max(70_000).nullable(),
         facts: json().max(20).nullable(),
         more: json().nullable(),`,
    ),
}

describe.each(databases)('the answer of one request on %s', (name) => {
  let blog: Project
  let ann: number
  const published_at = '2026-01-01T00:00:00.000Z'

  beforeAll(async () => {
    blog = await openProject('blog', name, edits)
    ann = await blog.user('Ann')
    const large = { title: 'Large', description: 'x'.repeat(50_000), owner_id: ann, published_at }
    const post = await blog.insert('posts', large)
    for (let n = 0; n < 50; n++) {
      await blog.insert('comments', { body: `Comment ${n}`, post_id: post, user_id: ann })
    }
    // Each of these characters is six bytes of JSON, and three in memory.
    const odd = { title: 'Odd', description: '\u0001'.repeat(20_000), owner_id: ann, published_at }
    for (let n = 0; n < 3; n++) await blog.insert('posts', odd)
  })
  afterAll(() => blog.close())

  const bytes = ({ body }: Answer) => Buffer.byteLength(JSON.stringify(body))

  function expectTooLarge(answer: Answer): void {
    expect([answer.status, answer.body.message]).toEqual([
      400,
      `The answer is larger than ${limit} bytes (limits.response_bytes): ` +
        'ask for fewer records, fewer includes or fewer fields.',
    ])
  }

  it('is refused before it is built where many records share a large one', async () => {
    const answer = await blog.get('/api/svc/comments?perPage=50&include=post.comments.post', ann)
    expectTooLarge(answer)
    // The token, the page, its total and the posts: fifty times the one post is known to be too much.
    expect(answer.statements.length).toBeLessThanOrEqual(4)
  })

  it('counts what it sends, however records are read', async () => {
    const sizes = []
    for (let perPage = 1; ; perPage++) {
      const answer = await blog.get(`/api/svc/comments?perPage=${perPage}&include=post`, ann)
      if (answer.status !== 200) {
        expectTooLarge(answer)
        break
      }
      sizes.push(bytes(answer))
    }
    // A post is 50,000 bytes and as many more as the last comment had.
    expect([sizes.length, Number(sizes.at(-1)) <= limit]).toEqual([3, true])
    const fields = 'include=post[title]&perPage=50'
    expect((await blog.get(`/api/svc/comments?${fields}`, ann)).status).toBe(200)
  })

  it('counts bytes, not characters', async () => {
    const one = await blog.get('/api/svc/posts?perPage=1', ann)
    expect([one.status, bytes(one) > 120_000]).toEqual([200, true])
    expectTooLarge(await blog.get('/api/svc/posts?perPage=2', ann))
  })

  it('counts the values inside JSON, which take more than their text', async () => {
    const more = Array.from({ length: 5_000 }, () => ({}))
    for (const [at, title] of ['Full', 'Full', 'Fuller'].entries()) {
      const { status } = await blog.post('/api/svc/posts', { title, published_at, more }, ann)
      expect([at, status]).toEqual([at, 201])
    }
    const one = await blog.get('/api/svc/posts?title=Fuller', ann)
    expect([one.status, one.body.data[0].attributes.more]).toEqual([200, more])
    expectTooLarge(await blog.get('/api/svc/posts?title=Full', ann))
    const text = Array(3).fill('[{,'.repeat(3_000))
    const words = { title: 'Words', published_at, more: text }
    expect((await blog.post('/api/svc/posts', words, ann)).status).toBe(201)
    expect((await blog.get('/api/svc/posts?title=Words', ann)).status).toBe(200)
  })

  it('is limited in GraphQL, for all fields and aliases together', async () => {
    const fields = 'a: description b: description c: description d: description'
    const small = await ask(blog, '{ postList(first: 1) { id description } }', { as: ann })
    expect(small.body.errors).toBeUndefined()
    for (const query of [
      `{ postList(match: { title: "Large" }) { ${fields} } }`,
      `{ a: postList { description } b: postList { description } }`,
      '{ commentList(first: 50) { post { description } } }',
    ]) {
      const answer = await ask(blog, query, { as: ann })
      expect([query, codes(answer)]).toEqual([query, ['BAD_USER_INPUT']])
      expect(answer.body.errors[0].message).toContain('limits.response_bytes')
    }
  })

  it('begins with how many values a body holds', async () => {
    const body = { title: 'New', more: Array(100_001).fill(1) }
    const answer = await blog.post('/api/svc/posts', body, ann)
    expect([answer.status, answer.body.message]).toEqual([
      400,
      'The JSON holds more than 100000 values.',
    ])
    expect((await blog.post('/api/svc/posts', { ...body, more: [1] }, ann)).status).toBe(201)
  })

  it('begins with what may be written: texts and JSON have a length, in REST and GraphQL', async () => {
    const input = 'mutation ($input: PostInput!) { createPost(input: $input) { id } }'
    for (const [field, most, value] of [
      ['description', 65_535, (length: number) => 'x'.repeat(length)],
      ['story', 70_000, (length: number) => 'x'.repeat(length)],
      ['facts', 20, (length: number) => ['x'.repeat(length - 4)]],
      ['more', 1_000_000, (length: number) => ['x'.repeat(length - 4)]],
    ] as const) {
      const body = (length: number) => ({ title: 'New', [field]: value(length) })
      const unit = Array.isArray(value(most)) ? 'characters of JSON' : 'characters'
      const message = `The ${field} must not be longer than ${most} ${unit}.`
      const refused = await blog.post('/api/svc/posts', body(most + 1), ann)
      expect([refused.status, refused.body.errors]).toEqual([422, { [field]: [message] }])
      const variables = { input: body(most + 1) }
      const asked = await ask(blog, input, { as: ann, variables })
      expect(asked.body.errors[0].extensions.errors).toEqual({ [field]: [message] })
      const written = await ask(blog, input, { as: ann, variables: { input: body(most) } })
      expect(written.body.errors).toBeUndefined()
    }
  })

  it('looks for 200 characters and 1,000 values at most, in REST and GraphQL', async () => {
    const list = (count: number) => Array.from({ length: count }, (_, n) => n).join()
    for (const [most, query, argument] of [
      [200, (text: string) => `search=${text}`, (text: string) => `search: "${text}"`],
      [1000, (text: string) => `title=${text}`, (text: string) => `match: { title: "${text}" }`],
    ] as const) {
      const text = (length: number) => (most === 200 ? 'x'.repeat(length) : list(length))
      const statuses = [most, most + 1].map(
        async (length) => (await blog.get(`/api/svc/posts?${query(text(length))}`, ann)).status,
      )
      expect(await Promise.all(statuses)).toEqual([200, 400])
      for (const field of ['postList', 'postListTotal']) {
        const below = field === 'postList' ? '{ id }' : ''
        const found = [most, most + 1].map(async (length) =>
          codes(await ask(blog, `{ ${field}(${argument(text(length))}) ${below} }`, { as: ann })),
        )
        expect(await Promise.all(found)).toEqual([[], ['BAD_USER_INPUT']])
      }
    }
  })

  it('lets others be served between the fields of a GraphQL request, and holds two connections', async () => {
    const fields = Array.from(
      { length: 9 },
      (_, n) =>
        `a${n}: commentList(first: 3) { id post { id owner { id } comments(first: 3) { id } } }`,
    )
    let turns = 0
    let isAnswered = false
    const held = connectionsOf(blog)
    const answer = ask(blog, `{ ${fields.join(' ')} }`, { as: ann }).finally(() => {
      isAnswered = true
    })
    // oxlint-disable-next-line no-unmodified-loop-condition -- the answer sets it
    while (!isAnswered) {
      await turn()
      turns += 1
      held()
    }
    expect((await answer).body.errors).toBeUndefined()
    expect(turns).toBeGreaterThanOrEqual(9)
    expect(held()).toBe(name === 'sqlite' ? 0 : 2)
  })

  it('costs statements, totals and searches in GraphQL, in fields, fragments and variables', async () => {
    const searches = (count: number, value: string) =>
      Array.from({ length: count }, (_, n) => `a${n}: postListTotal(search: ${value})`).join(' ')
    const cost = async (query: string, variables = {}) =>
      codes(await ask(blog, query, { as: ann, variables }))
    expect(await cost(`{ ${searches(9, '"x"')} }`)).toEqual([])
    expect(await cost(`{ ${searches(10, '"x"')} }`)).toEqual(['QUERY_REFUSED'])
    const given = `query ($s: String) { ${searches(10, '$s')} }`
    expect(await cost(given, { s: 'x' })).toEqual(['QUERY_REFUSED'])
    expect(await cost(given, { s: ' ' })).toEqual([])
  })
})

/** The most connections of the pool that were in use at once from now on. */
function connectionsOf({ database }: Project): () => number {
  let most = 0
  return () => {
    if ('pool' in database) {
      const { totalCount, idleCount } = database.pool as Pool
      most = Math.max(most, totalCount - idleCount)
    }
    return most
  }
}
