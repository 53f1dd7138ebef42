/** `rateLimit: true`: a token that this process has not seen, behind an address whose made-up ones are too many. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Statement } from '../../../runtime/database/types.js'
import { databases } from '../../support/databases.js'
import { generateInto } from '../../support/generate.js'
import { emitFixture, openFolder, type Edits, type Project } from '../../support/project.js'
import { typeCheck } from '../../support/type-check.js'

const limited = (config: (text: string) => string = String): Edits => ({
  'manifest/index.ts': (text) =>
    text.replace('defineManifest({', 'defineManifest({\n  rateLimit: true,'),
  'config/svc.ts': (text) =>
    config(text)
      .replace('per_minute: 600', 'per_minute: 3')
      .replace("enforced: 'production'", "enforced: 'always'"),
})

const madeUp = (at: number) => `${at + 1}|${'x'.repeat(40)}`

/** Asks as a client behind that address does. */
const asker = (project: () => Project) => async (token: string, address: string) => {
  const headers = { 'x-forwarded-for': address, authorization: `Bearer ${token}` }
  return project().request('GET', '/api/svc/posts', { headers })
}

beforeAll(() => {
  process.env['TRUSTED_PROXIES'] = '1'
})
afterAll(() => {
  delete process.env['TRUSTED_PROXIES']
})

describe.each(databases)('tokens that were not seen yet, on %s', (name) => {
  let project: Project
  beforeAll(async () => {
    project = await openFolder(await emitFixture('blog', name, limited()), name)
  })
  afterAll(() => project.close())
  const ask = asker(() => project)

  /** The address has sent as many as it may. */
  async function useUp(address: string): Promise<void> {
    for (let at = 0; at < 30; at++) expect((await ask(madeUp(at), address)).status).toBe(401)
  }

  const statementsOf = async (work: () => Promise<void>) => {
    const sent: Statement[] = []
    const stop = project.database.observe((statement) => void sent.push(statement))
    await work()
    stop()
    return sent.map(({ sql }) => sql).filter((sql) => sql.includes('personal_access_tokens WHERE'))
  }

  test('a valid one has its own count, whatever others send from its address', async () => {
    await useUp('10.1.0.1')
    const ada = project.token(await project.user('Ada'))
    const answers = []
    for (let at = 0; at < 4; at++) answers.push(await ask(ada, '10.1.0.1'))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers[0]?.headers.get('ratelimit')).toMatch(/^"default";r=2;t=\d+$/)
  })

  test('a thousand made-up ones at once are one statement, and the valid one is found', async () => {
    await useUp('10.1.0.2')
    const bob = project.token(await project.user('Bob'))
    const tokens = Array.from({ length: 800 }, (_, at) => madeUp(at))
    tokens.splice(400, 0, bob)
    const statuses: number[] = []
    const sent = await statementsOf(async () => {
      const answers = await Promise.all(tokens.map((token) => ask(token, '10.1.0.2')))
      statuses.push(...answers.map(({ status }) => status))
    })
    expect(statuses.filter((status) => status === 429)).toHaveLength(800)
    expect(statuses[400]).toBe(200)
    expect(sent).toHaveLength(1)
  })

  test('with more than there is room for, the rest is refused without a statement', async () => {
    await useUp('10.1.0.3')
    const tokens = Array.from({ length: 3_000 }, (_, at) => madeUp(at))
    const statuses: number[] = []
    const sent = await statementsOf(async () => {
      const answers = await Promise.all(tokens.map((token) => ask(token, '10.1.0.3')))
      statuses.push(...answers.map(({ status }) => status))
    })
    expect(new Set(statuses)).toEqual(new Set([429]))
    expect(sent.length).toBeLessThanOrEqual(2)
  })

  test('one that was wrong once is asked for again, and its count is its own', async () => {
    const cy = await project.user('Cy')
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '10.1.0.4' }
    const login = {
      body: '{"email":"no@b.cd","password":"x"}',
      headers: { ...headers, authorization: `Bearer ${project.token(cy)}` },
    }
    expect((await ask(project.token(cy), '10.1.0.4')).status).toBe(200)
    expect((await project.request('POST', '/api/login', login)).status).toBe(401)
    for (let at = 0; at < 29; at++) await ask(madeUp(at), '10.1.0.4')
    const statuses = [await ask(project.token(cy), '10.1.0.4')]
    statuses.push(await ask(project.token(cy), '10.1.0.4'))
    expect(statuses.map(({ status }) => status)).toEqual([200, 429])
  })

  test.each([
    ['ended', "UPDATE personal_access_tokens SET expires_at = '2020-01-01T00:00:00.000+00:00'"],
    ['revoked', 'DELETE FROM personal_access_tokens'],
  ])('one that is %s is refused', async (how, change) => {
    const user = await project.user(`Dan ${how}`)
    const address = `10.1.1.${how.length}`
    await useUp(address)
    await project.database.query({ sql: `${change} WHERE user_id = ${user}`, access: 'write' }, [])
    expect((await ask(project.token(user), address)).status).toBe(429)
  })

  test('one with the secret of another is refused', async () => {
    await useUp('10.1.0.5')
    const one = project.token(await project.user('Eve'))
    const [, secret] = project.token(await project.user('Fay')).split('|')
    const [id] = one.split('|')
    expect((await ask(`${id}|${secret}`, '10.1.0.5')).status).toBe(429)
    expect((await ask('Basic', '10.1.0.5')).status).toBe(429)
  })
})

test('tokens of an outside issuer are found too', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }]
  const issuer = createServer((_, answer) => {
    answer.setHeader('content-type', 'application/json')
    answer.end(JSON.stringify({ keys }))
  })
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/`
  const jwt = `jwt: { issuer: 'https://issuer.test', audience: 'blog', jwks_url: '${url}', claim: 'sub', column: 'id' }`
  const folder = await emitFixture(
    'blog',
    'sqlite',
    limited((text) => text.replace('jwt: null', jwt)),
  )
  await generateInto(folder)
  const project = await openFolder(folder, 'sqlite')
  const ask = asker(() => project)
  const sign = (id: number) =>
    new SignJWT({ sub: String(id) })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer('https://issuer.test')
      .setAudience('blog')
      .setExpirationTime('5m')
      .sign(privateKey)
  try {
    const [ada, nobody] = [await sign(await project.user('Ada')), await sign(4711)]
    for (let at = 0; at < 30; at++) await ask(madeUp(at), '10.2.0.1')
    const statuses = []
    for (const token of [nobody, `${ada.slice(0, -9)}AAAAAAAAA`, ada]) {
      statuses.push((await ask(token, '10.2.0.1')).status)
    }
    expect(statuses).toEqual([429, 429, 200])
    expect(typeCheck(folder)).toBe('')
  } finally {
    await project.close()
    issuer.close()
  }
})
