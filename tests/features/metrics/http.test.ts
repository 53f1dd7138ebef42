/** `metrics: true`: what operators see of a server that runs. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { serve, type ServerType } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  load,
  databases,
  emitFixture,
  openFolder,
  type Edits,
  type Project,
} from '../../support/project.js'
import { typeCheck } from '../../support/type-check.js'

const measured: Edits = {
  'manifest/index.ts': (text) =>
    text.replace('defineManifest({', 'defineManifest({\n  metrics: true,\n  rateLimit: true,'),
  'config/svc.ts': (text) => text.replace('slow_statement_ms: 500', 'slow_statement_ms: 0'),
}

const secret = 'a secret that nobody logs'
const metricsToken = 'a token of sixteen and more'

describe.each(databases)('a server that is measured, on %s', (name) => {
  let project: Project
  let server: ServerType
  let url = ''
  let ada = 0
  const logged: { line: Record<string, unknown>; message: string }[] = []

  beforeAll(async () => {
    process.env['THROTTLE_LIMIT'] = '1'
    delete process.env['METRICS_TOKEN']
    const folder = await emitFixture('blog', name, measured)
    if (name === 'sqlite') expect(typeCheck(folder)).toBe('')
    project = await openFolder(folder, name)
    const loadOwn = (path: string) => load(folder, path)
    const { log } = await loadOwn('app/log.ts')
    vi.spyOn(log, 'warn').mockImplementation((...[line, message]: unknown[]) => {
      logged.push({ line: line as Record<string, unknown>, message: String(message) })
    })
    const { createApp } = await loadOwn('app/app.ts')
    const app = createApp()
    server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
    await new Promise((resolve) => server.once('listening', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    ada = await project.user('Ada')
  })
  afterAll(async () => {
    server.close()
    await project.close()
  })

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${url}${path}`, { method, headers: { connection: 'close', ...headers } })
  const asAda = () => ({ authorization: `Bearer ${project.token(ada)}` })
  const metrics = async () => (await ask('/metrics')).text()
  /** The value of a series. */
  const value = (text: string, series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1] ?? Number.NaN,
    )

  test('tells requests by their route, and no path, no value and no e-mail', async () => {
    await ask(`/api/svc/posts?search=${encodeURIComponent(secret)}`, asAda())
    await ask('/api/svc/posts/1357924680', asAda())
    await ask('/api/svc/posts/1357924680/comments', asAda())
    await ask('/nowhere/unheard-of')
    for (let at = 0; at < 2; at++) await ask('/api/register', {}, 'POST')
    const text = await metrics()
    const count = (method: string, route: string, status: number) =>
      value(
        text,
        `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`,
      )
    expect(count('GET', '/api/svc/posts', 200)).toBe(1)
    expect(count('GET', '/api/svc/posts/:id', 404)).toBe(1)
    expect(count('GET', '/api/svc/posts/:id/:relation', 404)).toBe(1)
    expect(count('GET', 'none', 404)).toBe(1)
    expect(count('POST', '/api/register', 429)).toBe(1)
    expect(value(text, 'http_requests_throttled_total{route="/api/register"}')).toBe(1)
    expect(text).not.toMatch(/1357924680|unheard-of|secret|example\.test/)
  })

  test('tells statements, connections and the event loop', async () => {
    const before = await metrics()
    await ask('/api/svc/posts', asAda())
    const after = await metrics()
    const reads = 'database_statement_duration_seconds_count{access="read"}'
    expect(value(after, reads)).toBeGreaterThan(value(before, reads))
    expect(value(after, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
    const own = name === 'sqlite' ? ['database_writes_waiting'] : ['database_pool_waiting']
    for (const gauge of own) expect(value(after, gauge)).toBe(0)
  })

  test('tells the writes that wait', async () => {
    const { turns, pool } = project.database as unknown as {
      turns?: { run(work: () => Promise<void>): Promise<void> }
      pool?: { connect(): Promise<{ release(): void }>; options: { max: number } }
    }
    if (pool !== undefined) {
      const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
      const waiting = pool.connect()
      expect(value(await metrics(), 'database_pool_waiting')).toBe(1)
      for (const client of held) client.release()
      ;(await waiting).release()
      return
    }
    let end = () => {}
    const held = turns?.run(() => new Promise<void>((resolve) => (end = resolve)))
    const waiting = turns?.run(async () => {})
    expect(value(await metrics(), 'database_writes_waiting')).toBe(1)
    end()
    await Promise.all([held, waiting])
  })

  test('logs slow statements with their shape and their request, and never a value', async () => {
    logged.length = 0
    const id = 'request-of-the-test'
    const headers = { ...asAda(), 'x-request-id': id }
    await ask(`/api/svc/posts?search=${encodeURIComponent(secret)}`, headers)
    const slow = logged.filter(({ message }) => message === 'slow statement')
    const ofRequest = slow.filter(({ line }) => line['requestId'] === id)
    expect(ofRequest.length).toBeGreaterThanOrEqual(2)
    expect(ofRequest.some(({ line }) => /from "posts"/i.test(String(line['sql'])))).toBe(true)
    for (const { line } of slow) expect(Object.keys(line)).toEqual(['requestId', 'ms', 'sql'])
    expect(JSON.stringify(logged)).not.toContain('secret')
  })

  test('is read by this machine alone, and by no proxy of it', async () => {
    expect((await ask('/metrics')).status).toBe(200)
    expect((await ask('/metrics', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(403)
    expect((await project.get('/metrics')).status).toBe(403)
  })
})

test('in production nobody reads without METRICS_TOKEN, and the start says so', async () => {
  const folder = await emitFixture('minimal', 'sqlite', {
    'manifest/index.ts': (text) => text.replace('repositories:', 'metrics: true, repositories:'),
  })
  const logged: unknown[] = []
  vi.stubEnv('DATABASE_URL', `file:${join(folder, 'test.sqlite')}`)
  vi.stubEnv('NODE_ENV', 'production')
  const { log } = await load(folder, 'app/log.ts')
  vi.spyOn(log, 'warn').mockImplementation((line) => void logged.push(line))
  const project = await openFolder(folder, 'sqlite', 'production')
  vi.unstubAllEnvs()
  const socket = { remoteAddress: '127.0.0.1' }
  expect((await project.request('GET', '/metrics', { socket })).status).toBe(403)
  expect(logged).toEqual([expect.stringContaining('METRICS_TOKEN is not set')])
  await project.close()
})

test('with METRICS_TOKEN, whoever sends it reads', async () => {
  process.env['METRICS_TOKEN'] = metricsToken
  const folder = await emitFixture('minimal', 'sqlite', {
    'manifest/index.ts': (text) =>
      text.replace('repositories:', 'metrics: true, rateLimit: true, repositories:'),
  })
  expect(typeCheck(folder)).toBe('')
  const project = await openFolder(folder, 'sqlite')
  delete process.env['METRICS_TOKEN']
  const statuses = []
  for (const given of [undefined, 'wrong', `${metricsToken}x`, metricsToken]) {
    const headers = given === undefined ? {} : { authorization: `Bearer ${given}` }
    statuses.push((await project.request('GET', '/metrics', { headers })).status)
  }
  expect(statuses).toEqual([401, 401, 401, 200])
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect(dependencies['prom-client']).toBe('15.1.3')
  await project.close()
})
