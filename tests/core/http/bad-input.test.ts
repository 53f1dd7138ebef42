import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, openProject, type Project } from '../../support/project.js'

describe.each(databases)('bad input on %s', (name) => {
  let blog: Project
  let ann: number

  beforeAll(async () => {
    blog = await openProject('blog', name)
    ann = await blog.user('Ann')
  })
  afterAll(() => blog.close())

  const send = (body: string, contentType = 'application/json', method = 'POST') =>
    blog.request(method, '/api/svc/posts', {
      as: ann,
      body,
      headers: { 'content-type': contentType },
    })

  it.each([
    ['malformed JSON', '{"title":', 400],
    ['an empty body', '', 400],
    ['null', 'null', 400],
    ['an array', '[]', 400],
    ['a number', '7', 400],
    ['a string', '"title"', 400],
    ['JSON nested 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400],
    ['an object nested 100,000 deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 400],
    ['20 MB', JSON.stringify({ title: 'x'.repeat(20_000_000) }), 413],
    ['a NUL byte', JSON.stringify({ title: 'a\u0000b' }), 422],
    ['a lone surrogate', '{"title":"a\\ud800b"}', 422],
    ['an array for a text', '{"title":["a"]}', 422],
    ['an object for a text', '{"title":{"a":1}}', 422],
    ['null for a required text', '{"title":null}', 422],
    ['a date that is none', '{"title":"a","published_at":"2026-13-45T00:00:00Z"}', 422],
    ['a number for a date', '{"title":"a","published_at":1e400}', 422],
    ['a far year', '{"title":"a","published_at":"+275760-09-13T00:00:00.001Z"}', 422],
  ])('answers %s with a clear 4xx', async (_label, body, status) => {
    const answer = await send(body)
    expect(answer.status).toBe(status)
    expect(answer.body.message).toEqual(expect.any(String))
    expect((await blog.get('/api/svc/posts', ann)).status).toBe(200)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
  ])('answers the content type "%s" with 415', async (contentType) => {
    expect((await send('{"title":"a"}', contentType)).status).toBe(415)
  })

  it.each([
    '/api/svc/nothing',
    '/api/svc/constructor',
    '/api/svc/__proto__/1',
    '/api/svc/posts/1/nothing/at/all',
    '/api/nothing',
    '/nothing',
  ])('answers %s with a JSON 404', async (path) => {
    const { status, body } = await blog.get(path, ann)
    expect(status).toBe(404)
    expect(body.message).toEqual(expect.any(String))
  })

  it('answers a known path with another method with 405 and Allow', async () => {
    const { status, headers } = await blog.request('PUT', '/api/svc/posts', { as: ann })
    expect(status).toBe(405)
    expect(headers.get('allow')).toContain('POST')
  })

  it.each([
    '/api/svc/posts/%',
    '/api/svc/posts/%E0%A4%A',
    '/api/svc/posts?search=%',
    '/api/svc/posts?title=%00',
    '/api/svc/posts?search=%00',
    '/api/svc/posts?title=%ED%A0%80',
  ])('never answers %s with a 500', async (path) => {
    expect((await blog.get(path, ann)).status).toBeLessThan(500)
  })

  it('puts no query, stack or policy into an answer', async () => {
    const answers = await Promise.all([
      send('{'),
      blog.get('/api/svc/posts/1e400', ann),
      blog.get('/api/svc/posts?page=-1', ann),
      blog.get('/api/svc/posts'),
    ])
    for (const { body } of answers) {
      expect(JSON.stringify(body)).not.toMatch(/select|insert|policy|node_modules|\.ts|stack/i)
    }
  })

  it('sends CORS headers with errors too', async () => {
    for (const path of ['/api/svc/posts', '/nothing']) {
      const { headers } = await blog.request('GET', path, {
        headers: { origin: 'https://app.example' },
      })
      expect(headers.get('access-control-allow-origin')).not.toBeNull()
    }
  })
})
