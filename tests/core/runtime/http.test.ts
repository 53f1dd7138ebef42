import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { migrate } from '../../../runtime/database/migrations/migrate.js'
import { createTestApp } from './app.js'

describe('every answer', () => {
  const { app } = createTestApp()

  it.each([
    ['GET', '/api/things', 200],
    ['HEAD', '/api/things', 200],
    ['GET', '/nothing', 404],
    ['PUT', '/api/things', 405],
    ['GET', '/api/fails/bug', 500],
    ['GET', '/api/fails/missing', 404],
    ['GET', '/api/fails/invalid', 422],
    ['GET', '/api/%zz', 400],
    ['OPTIONS', '/api/things', 204],
  ])(
    '%s %s is %i with CORS and security headers and a request id',
    async (method, path, status) => {
      const answer = await app.request(path, { method, headers: { origin: 'https://a.example' } })
      expect(answer.status).toBe(status)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
      if (status >= 400) expect(answer.headers.get('content-type')).toBe('application/json')
    },
  )
})

describe('failures', () => {
  const { app, lines } = createTestApp()
  const body = async (path: string, method = 'GET') => (await app.request(path, { method })).json()

  it('are a message, and errors by field where there are some', async () => {
    expect(await body('/nothing')).toEqual({ message: 'Not found.' })
    expect(await body('/api/fails/missing')).toEqual({ message: 'Not found.' })
    expect(await body('/api/fails/invalid')).toEqual({
      message: 'is required. (and 1 more error)',
      errors: { title: ['is required.'], body: ['is too long.'] },
    })
    expect((await app.request('/api/fails/unique')).status).toBe(409)
  })

  it('of ours show only a request id, which the log explains', async () => {
    const answer = await app.request('/api/fails/bug')
    const shown = (await answer.json()) as { message: string; request_id: string }
    expect(shown).toEqual({
      message: 'Server error.',
      request_id: answer.headers.get('x-request-id'),
    })
    const line = lines.find((each) => each['msg'] === 'request failed')
    expect(line).toMatchObject({ requestId: shown.request_id, level: 50 })
  })

  it('with the wrong method name the right ones', async () => {
    const answer = await app.request('/api/things', { method: 'PATCH' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, DELETE')
    expect((await app.request('/api/things', { method: 'PROPFIND' })).status).toBe(405)
    expect((await app.request('/api/nothing', { method: 'PATCH' })).status).toBe(404)
  })
})

describe('strange paths', () => {
  const { app } = createTestApp()

  it.each([
    ['/api/things/%', 400],
    ['/api/things/%zz', 400],
    ['/api/things/%c3%28', 400],
    ['/api/things/%00', 400],
    ['/api/things/a%00b', 400],
    ['/api/things/%2e%2e', 404],
    ['/api/things/a%2Fb', 200],
    ['/api/things/%E2%82%AC', 200],
    ['/api/things/constructor', 200],
    ['/api/things/__proto__', 200],
    ['/api//things', 404],
    ['/api/things/1?a=%zz', 200],
  ])('%s is %i', async (path, status) => {
    expect((await app.request(path)).status).toBe(status)
  })
})

describe('CORS', () => {
  const { app } = createTestApp({
    config: { cors: { origins: ['https://app.example'], credentials: true, max_age: 60 } },
  })

  it('allows the named origins and no other', async () => {
    const good = await app.request('/api/fails/bug', { headers: { origin: 'https://app.example' } })
    expect(good.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(good.headers.get('access-control-allow-credentials')).toBe('true')
    expect(good.headers.get('vary')).toContain('Origin')
    const bad = await app.request('/api/things', { headers: { origin: 'https://evil.example' } })
    expect(bad.headers.get('access-control-allow-origin')).toBeNull()
    expect(bad.headers.get('vary')).toContain('Origin')
  })

  it('answers a preflight', async () => {
    const answer = await app.request('/api/things', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })
    expect(answer.status).toBe(204)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-max-age': '60',
    })
  })

  it.each([
    ['/api/things', 'GET, HEAD, POST, DELETE'],
    ['/api/things/7', 'GET, HEAD'],
    ['/nothing', null],
  ])('says what %s takes', async (path, allow) => {
    const answer = await app.request(path, { method: 'OPTIONS' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, allow])
  })
})

describe('the access log', () => {
  it('has method, path, status, time and request id, and no secrets', async () => {
    const { app, lines } = createTestApp()
    await app.request('/api/things?token=s3cret&search=ann', {
      headers: { authorization: 'Bearer 1|s3cret', 'x-request-id': 'from-proxy-1' },
    })
    await app.request(`/api/things/${'f'.repeat(64)}`)
    await app.request('/api/things', {
      method: 'POST',
      body: '{"password":"s3cret"}',
      headers: { 'content-type': 'application/json' },
    })
    expect(lines.map(({ method, path, status }) => ({ method, path, status }))).toEqual([
      { method: 'GET', path: '/api/things', status: 200 },
      { method: 'GET', path: '/api/things/…', status: 200 },
      { method: 'POST', path: '/api/things', status: 201 },
    ])
    expect(lines[0]).toMatchObject({ requestId: 'from-proxy-1', ms: expect.any(Number) })
    expect(JSON.stringify(lines)).not.toContain('s3cret')
  })

  it('replaces request ids that could not be one', async () => {
    const { app } = createTestApp()
    const answer = await app.request('/health', { headers: { 'x-request-id': 'a b"c' } })
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('health and readiness', () => {
  it('differ once the database is gone', async () => {
    const { app, database } = createTestApp()
    expect(await (await app.request('/health')).json()).toEqual({ status: 'ok' })
    expect((await app.request('/ready')).status).toBe(200)
    await database.close()
    expect((await app.request('/health')).status).toBe(200)
    const answer = await app.request('/ready')
    expect(answer.status).toBe(503)
    expect(await answer.text()).not.toContain('sqlite')
  })

  it('waits for the saved migrations', async () => {
    const migrations = mkdtempSync(join(tmpdir(), 'svc-ready-'))
    mkdirSync(join(migrations, '0_init'))
    writeFileSync(join(migrations, '0_init/migration.sql'), 'CREATE TABLE things (id INTEGER);')
    const { app, database } = createTestApp({ migrations })
    const answer = await app.request('/ready')
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ message: 'Migrations are pending: 0_init.' })
    await migrate(database, { folder: migrations })
    expect((await app.request('/ready')).status).toBe(200)
    let statements = 0
    database.observe(() => void (statements += 1))
    expect((await app.request('/ready')).status).toBe(200)
    expect(statements).toBeLessThanOrEqual(1)
    rmSync(migrations, { recursive: true })
  })
})

describe('Server-Timing', () => {
  it('counts the statements of each request in development, and is absent elsewhere', async () => {
    const { app } = createTestApp({ environment: 'development' })
    const [one, other] = await Promise.all([app.request('/api/things'), app.request('/health')])
    expect(one.headers.get('server-timing')).toMatch(/^db;desc="3 statements";dur=\d+\.\d$/)
    expect(other.headers.get('server-timing')).toMatch(/^db;desc="0 statements"/)
    const { app: quiet } = createTestApp({ environment: 'production' })
    expect((await quiet.request('/api/things')).headers.get('server-timing')).toBeNull()
  })
})
