/** `requestLimit: true`: how many requests one caller may make, whatever they ask. */
import { cpSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { emitFixture, openFolder, type Edits, type Project } from '../support/project.js'

const asked: Edits = {
  'manifest/index.ts': (text) =>
    text.replace('openapi: true,', 'openapi: true,\n  requestLimit: true,'),
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

  const from = (address: string) => ({ 'x-forwarded-for': address })
  const get = (path: string, address: string, more: { as?: number; token?: string } = {}) => {
    const token = more.token === undefined ? {} : { authorization: `Bearer ${more.token}` }
    const headers = { ...from(address), ...token }
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
    const [last] = answers.slice(-1)
    expect(last?.headers.get('ratelimit-policy')).toBe('"default";q=3;w=60')
    expect(last?.body).toEqual({ message: 'Too many requests.' })
    expect(last?.statements).toEqual([])
    expect(last?.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/)
    expect((await get('/api/svc/posts', '10.0.0.1', { as: bob })).status).toBe(200)
  })

  test('counts an address without a token, on every route, and load balancers never', async () => {
    const paths = ['/api/svc/posts', '/openapi.json', '/nowhere', '/graphql', '/health', '/ready']
    const statuses = []
    for (const path of paths) statuses.push((await get(path, '10.0.1.1')).status)
    expect(statuses).toEqual([401, 200, 404, 429, 200, 200])
    expect((await get('/openapi.json', '10.0.1.2')).status).toBe(200)
  })

  test('made-up tokens are no way around it', async () => {
    const statuses = []
    for (let at = 0; at < 31; at++) {
      statuses.push((await get('/api/svc/posts', '10.0.2.1', { token: `${at}|x` })).status)
    }
    expect(statuses).toEqual([...Array(30).fill(401), 429])
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

test('with the config that svc writes, it counts in production alone', async () => {
  const folder = await emitFixture('minimal', 'sqlite', {
    'manifest/index.ts': (text) =>
      text.replace('repositories:', 'requestLimit: true, repositories:'),
  })
  const copy = `${folder}-production`
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
  const told = async (at: string, environment: 'test' | 'production') => {
    const project = await openFolder(at, 'sqlite', environment)
    const { headers } = await project.get('/nowhere')
    await project.close()
    return headers.get('ratelimit')
  }
  expect(await told(folder, 'test')).toBeNull()
  expect(await told(copy, 'production')).toBe('"default";r=599;t=60')
})
