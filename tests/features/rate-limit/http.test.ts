/** `rateLimit: true`: how many requests one caller may make, whatever they ask. */
import { cpSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { credentialsIn } from '../../../runtime/features/rate-limit/credentials.js'
import { Counters } from '../../../runtime/http/counters.js'
import { load, emitFixture, openFolder, type Edits, type Project } from '../../support/project.js'

const asked: Edits = {
  'manifest/index.ts': (text) =>
    text.replace('defineManifest({', 'defineManifest({\n  rateLimit: true,'),
}
const limited = (enforced: string): Edits => ({
  ...asked,
  'config/svc.ts': (text) =>
    text.replace('per_minute: 600', 'per_minute: 3').replace("enforced: 'production'", enforced),
})

describe('a server that limits requests', () => {
  let project: Project
  let ada = 0
  let bob = 0
  beforeAll(async () => {
    process.env['TRUSTED_PROXIES'] = '1'
    process.env['THROTTLE_LIMIT'] = '100000'
    const folder = await emitFixture('blog', 'sqlite', limited("enforced: 'always'"))
    project = await openFolder(folder, 'sqlite')
    ada = await project.user('Ada')
    bob = await project.user('Bob')
  })
  afterAll(async () => {
    delete process.env['TRUSTED_PROXIES']
    await project.close()
  })

  const last = <Each>(all: readonly Each[]) => all.at(-1) as Each
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const get = (
    path: string,
    address: string,
    more: { as?: number; token?: string; header?: string } = {},
  ) => {
    const { token, header = token && `Bearer ${token}` } = more
    const headers = { ...from(address), ...(header && { authorization: header }) }
    return project.request('GET', path, { headers, as: more.as })
  }

  test('counts a token wherever it comes from, and says what is left', async () => {
    const answers = []
    for (let at = 0; at < 4; at++) {
      answers.push(await get('/api/svc/posts', `10.0.0.${at}`, { as: ada }))
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    const told = answers.map(({ headers }) => headers.get('ratelimit'))
    expect(told.map((text) => text?.replace(/t=\d+$/, 't'))).toEqual([
      '"default";r=2;t',
      '"default";r=1;t',
      '"default";r=0;t',
      '"default";r=0;t',
    ])
    const { headers, body, statements } = last(answers)
    expect(headers.get('ratelimit-policy')).toBe('"default";q=3;w=60')
    expect(body).toEqual({ message: 'Too many requests.' })
    expect(statements).toEqual([])
    expect(headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/)
    expect((await get('/api/svc/posts', '10.0.0.1', { as: bob })).status).toBe(200)
  })

  test('counts an address without a token, on every route, and load balancers never', async () => {
    const paths = ['/api/svc/posts', '/openapi.json', '/nowhere', '/graphql', '/health', '/ready']
    const statuses = []
    for (const path of paths) statuses.push((await get(path, '10.0.1.1')).status)
    expect(statuses).toEqual([401, 200, 404, 429, 200, 200])
    expect((await get('/openapi.json', '10.0.1.2')).status).toBe(200)
  })

  const madeUp = (at: number) => `${at + 1}|${'x'.repeat(40)}`

  test('made-up tokens count for their address, and shut out nobody with a token', async () => {
    const eve = await project.user('Eve')
    expect((await get('/api/svc/posts', '10.0.2.1', { as: eve })).status).toBe(200)
    const answers = []
    // One of the 30 was Eve's first: nothing was known of her token.
    for (let at = 0; at < 30; at++) {
      answers.push(await get('/api/svc/posts', '10.0.2.1', { token: madeUp(at) }))
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array(29).fill(401), 429])
    // It might have been a valid one: that is asked for all of those at once.
    expect(last(answers).statements).toHaveLength(1)
    expect((await get('/api/svc/posts', '10.0.2.1', { as: eve })).status).toBe(200)
    expect((await get('/openapi.json', '10.0.2.1')).status).toBe(200)
    const body = JSON.stringify({ email: 'eve@example.test', password: 'wrong' })
    const headers = { ...from('10.0.2.2'), 'content-type': 'application/json' }
    expect((await project.request('POST', '/api/login', { body, headers })).status).toBe(401)
  })

  test('however it is spelled, a header is one caller', async () => {
    const cy = await project.user('Cy')
    const spelled = (scheme: string, spaces: number) =>
      get('/api/svc/posts', '10.0.5.1', {
        header: `${scheme}${' '.repeat(spaces)}${project.token(cy)}`,
      })
    const statuses = []
    for (const [at, scheme] of ['Bearer', 'bearer', 'BEARER', 'beareR'].entries()) {
      statuses.push((await spelled(scheme, at + 1)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    const unread = []
    for (let at = 0; at < 4; at++) {
      unread.push((await get('/api/svc/posts', '10.0.5.2', { header: `x${at}` })).status)
    }
    expect(unread).toEqual([401, 401, 401, 429])
  })

  test('a token that was revoked counts for its address too', async () => {
    const dan = await project.user('Dan')
    const ask = (address = '10.0.6.1') => get('/api/svc/posts', address, { as: dan })
    expect((await ask()).status).toBe(200)
    await project.database.query(
      { sql: `DELETE FROM personal_access_tokens WHERE user_id = ${dan}`, access: 'write' },
      [],
    )
    for (let at = 0; at < 29; at++) await get('/api/svc/posts', '10.0.6.1', { token: madeUp(at) })
    // Its third, of three.
    const statuses = [(await ask('10.0.6.2')).status, (await ask()).status]
    expect(statuses).toEqual([401, 429])
  })

  test.each([
    // A guard that reads the header, and one that reads nothing.
    ['a header that the guard reads otherwise', 'GET', '/api/svc/posts', 'Bearer\t', ''],
    ['a login that fails', 'POST', '/api/login', 'Bearer ', '{"email":"no@b.cd","password":"x"}'],
  ])('%s gives no token its count back', async (_, method, path, scheme, body) => {
    const user = await project.user(`Fay ${method}`)
    const ask = () => get('/api/svc/posts', '10.0.7.1', { as: user })
    const headers = {
      ...from('10.0.7.1'),
      authorization: scheme + project.token(user),
      'content-type': 'application/json',
    }
    const statuses = [(await ask()).status, (await ask()).status]
    const refused = await project.request(method, path, { headers, ...(body && { body }) })
    statuses.push(refused.status, (await ask()).status)
    expect(statuses).toEqual([200, 200, 401, 429])
  })

  test('ends with its minute, by a clock that does not jump', async () => {
    const ask = async () => (await get('/openapi.json', '10.0.3.1')).status
    for (let at = 0; at < 3; at++) await ask()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    try {
      expect(await ask()).toBe(429)
    } finally {
      vi.useRealTimers()
    }
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 61_000)
    try {
      expect(await ask()).toBe(200)
    } finally {
      clock.mockRestore()
    }
  })

  test('says so in the document of the API', async () => {
    const { body } = await get('/openapi.json', '10.0.4.1')
    const { paths, components } = body
    expect(Object.keys(components.responses['429'].headers)).toContain('RateLimit')
    for (const [path, item] of Object.entries<Record<string, { responses?: object }>>(paths)) {
      for (const [method, { responses }] of Object.entries(item)) {
        if (responses === undefined) continue
        const isProbe = path === '/health' || path === '/ready'
        expect('429' in responses, `${method} ${path}`).toBe(!isProbe)
      }
    }
  })
})

test('callers that there is no room for take the place of those who asked least lately', () => {
  const counters = new Counters(2)
  const add = (key: string) => counters.add(key, 60).count
  expect([add('hammers'), add('victim'), add('hammers')]).toEqual([1, 1, 2])
  expect([add('other'), add('hammers'), add('victim')]).toEqual([1, 3, 1])
})

const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.'

test.each([
  ['Bearer 7|abc', 'bearer 7|abc'],
  ['bEARER  \t 7|abc', 'bearer 7|abc'],
  // Each is the byte 0xff: base64url has four bits to spare there.
  [`Bearer ${jwt}_w`, `bearer ${jwt}_w`],
  [`Bearer ${jwt}_x`, `bearer ${jwt}_w`],
  ['Basic YTpi', 'basic YTpi'],
  ['7|abc', null],
  ['Bearer', null],
  [undefined, null],
])('%s is the caller %s', (header, caller) => expect(credentialsIn(header)).toBe(caller))

test('with the config that svc writes, it counts in production alone', async () => {
  const folder = await emitFixture('minimal', 'sqlite', {
    'manifest/index.ts': (text) => text.replace('repositories:', 'rateLimit: true, repositories:'),
  })
  const copy = `${folder}-production`
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
  const logged: unknown[] = []
  const told = async (at: string, environment: 'test' | 'production') => {
    const project = await openFolder(at, 'sqlite', environment)
    const { log } = await load(at, 'app/log.ts')
    vi.spyOn(log, 'warn').mockImplementation((line) => void logged.push(line))
    const { headers } = await project.get('/nowhere')
    for (const forwarded of ['10.0.0.1', '10.0.0.2']) {
      await project.request('GET', '/nowhere', { headers: { 'x-forwarded-for': forwarded } })
    }
    await project.close()
    return headers.get('ratelimit')
  }
  expect(await told(folder, 'test')).toBeNull()
  expect(logged).toEqual([])
  expect(await told(copy, 'production')).toBe('"default";r=599;t=60')
  expect(logged).toEqual([expect.stringContaining('TRUSTED_PROXIES is 0')])
})
