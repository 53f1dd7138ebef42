/** What shut everybody out once, at its real size: 108,000 HEADs with made-up tokens from 18 addresses. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emitFixture, openFolder, type Project } from '../../support/project.js'

let project: Project
let ada = 0
beforeAll(async () => {
  process.env['TRUSTED_PROXIES'] = '1'
  const folder = await emitFixture('blog', 'sqlite', {
    'manifest/index.ts': (text) =>
      text.replace('defineManifest({', 'defineManifest({\n  rateLimit: true,'),
    'config/svc.ts': (text) => text.replace("enforced: 'production'", "enforced: 'always'"),
  })
  project = await openFolder(folder, 'sqlite')
  ada = await project.user('Ada')
})
afterAll(async () => {
  delete process.env['TRUSTED_PROXIES']
  await project.close()
})

const head = (token: string, address: string) =>
  project.request('HEAD', '/api/svc/posts', {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
  })

test('made-up tokens of 18 addresses keep nobody else from anything', async () => {
  const attackers = Array.from({ length: 18 }, (_, at) => `203.0.113.${at}`)
  expect((await head(project.token(ada), '203.0.113.0')).status).toBe(200)
  const statuses = new Map<number, number>()
  for (let at = 0; at < 6_000; at++) {
    for (const [place, address] of attackers.entries()) {
      const token = `${at * 18 + place + 1}|${'x'.repeat(40)}`
      const { status } = await head(token, address)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  expect([...statuses.keys()]).toEqual([401, 429])
  expect((await head('1|', '203.0.113.0')).status).toBe(429)
  const body = JSON.stringify({ email: 'ada@example.test', password: 'wrong' })
  const login = (address: string) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
    return project.request('POST', '/api/login', { body, headers })
  }
  const others = [
    await head(project.token(ada), '203.0.113.0'), // the address of an attacker
    await head(project.token(await project.user('Bob')), '198.51.100.7'),
    await login('198.51.100.7'),
    await login('203.0.113.0'),
  ]
  expect(others.map(({ status }) => status)).toEqual([200, 200, 401, 401])
})
