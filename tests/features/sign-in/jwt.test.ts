import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readSignIn } from '../../../generator/features/sign-in/reader.js'
import { targetAt } from '../../../generator/write/target.js'
import { jwtProvider } from '../../../runtime/features/sign-in/jwt.js'
import { databases, toldOn } from '../../support/databases.js'
import { generateInto } from '../../support/generate.js'
import { emitFixture, openFolder } from '../../support/project.js'
import { typeCheck } from '../../support/type-check.js'
import { usersOf } from '../../support/user-source.js'
import { openAuth, password, withVerification, type AuthProject } from './project.js'

interface Claims {
  readonly issuer: string
  readonly audience: string
  readonly expires: string
  readonly foreign: boolean
}

/** An issuer on this machine: its keys, and tokens of its own or forged ones. */
async function openIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const other = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const rare = await generateKeyPair('ES512')
  const rareJwk = { ...(await exportJWK(rare.publicKey)), kid: 'rare', use: 'sig' }
  const server = await listen((_, answer) => {
    answer.setHeader('content-type', 'application/json')
    answer.end(JSON.stringify({ keys: [jwk, rareJwk] }))
  })
  const sign = (claims: Record<string, unknown>, more: Partial<Claims> = {}) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(more.issuer ?? 'https://issuer.test')
      .setAudience(more.audience ?? 'blog')
      .setExpirationTime(more.expires ?? '5m')
      .sign(more.foreign === true ? other.privateKey : privateKey)
  const signForEver = (claims: Record<string, unknown>) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer('https://issuer.test')
      .setAudience('blog')
      .sign(privateKey)
  const signRarely = (claims: Record<string, unknown>) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES512', kid: 'rare' })
      .setIssuer('https://issuer.test')
      .setAudience('blog')
      .setExpirationTime('5m')
      .sign(rare.privateKey)
  return { ...server, sign, signForEver, signRarely }
}

async function listen(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() }
}

const configured = (url: string, claim: string, column: string) => (text: string) =>
  text.replace(
    'jwt: null',
    `jwt: { issuer: 'https://issuer.test', audience: 'blog', jwks_url: '${url}', claim: '${claim}', column: '${column}' }`,
  )

const profile = async (project: AuthProject, token: string) =>
  (await project.as(token, 'GET', '/api/svc/profile')).status

test.each([
  ["    jwt: { issuer: 'a' },", true],
  ["\t\tjwt: { issuer: 'a' },", true],
  ["  auth: { token_ttl: 1, jwt: { issuer: 'a' } },", true],
  ["  auth: { 'jwt': issuer },", true],
  ['  auth: { token_ttl: 1, jwt },', true],
  ['    jwt: null,', false],
  ["  auth: { 'jwt': null },", false],
  ['    /** A jwt of another: { issuer }. */', false],
])('%j in config/svc.ts: are there tokens of an outside issuer?', (text, is) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-jwt-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'config'))
  writeFileSync(join(folder, 'config/svc.ts'), `export const config = {\n${text}\n}\n`)
  expect(readSignIn(targetAt(folder)).hasJwt).toBe(is)
})

describe.each(databases)('tokens of an outside issuer on %s', (name) => {
  let project: AuthProject
  let issuer: Awaited<ReturnType<typeof openIssuer>>

  beforeAll(async () => {
    issuer = await openIssuer()
    const config = configured(issuer.url, 'email', 'email')
    project = await openAuth(name, { manifest: withVerification, config })
    await project.register('ada@example.test')
    await project.register('unverified@example.test')
    const now = new Date().toISOString()
    const time = name === 'sqlite' ? now.replace('Z', '+00:00') : now
    const verify = 'UPDATE users SET email_verified_at = ? WHERE email = ?'
    await project.sql(verify, [time, 'ada@example.test'])
  })
  afterAll(async () => {
    await project.close()
    issuer.close()
  })

  const ada = { email: 'ada@example.test', email_verified: true }
  const status = (token: string) => profile(project, token)

  test('are those of the user they name, in any case', async () => {
    const answer = await project.as(await issuer.sign(ada), 'GET', '/api/svc/profile')
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { attributes: { email: ada.email } } },
    })
    expect(await status(await issuer.sign({ ...ada, email: 'ADA@example.TEST' }))).toBe(200)
  })

  test('are 401 when the issuer, the audience, the time, the signature or a claim is wrong', async () => {
    const { sign } = issuer
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(ada)).toString('base64url')}.x`
    expect(await status(await sign(ada, { issuer: 'https://evil.test' }))).toBe(401)
    expect(await status(await sign(ada, { audience: 'shop' }))).toBe(401)
    expect(await status(await sign(ada, { expires: '-1m' }))).toBe(401)
    expect(await status(await sign(ada, { foreign: true }))).toBe(401)
    expect(await status(await sign({ ...ada, email_verified: false }))).toBe(401)
    expect(await status(await sign({ email: 'eve@example.test', email_verified: true }))).toBe(401)
    expect(await status(await sign({ ...ada, email: 'ada\0@example.test' }))).toBe(401)
    expect(await status(await sign({}))).toBe(401)
    expect(await status(await issuer.signForEver(ada))).toBe(401)
    expect(await status(none)).toBe(401)
    expect(await status(await issuer.signRarely(ada)), 'an algorithm of no list').toBe(401)
  })

  test('open no account whose e-mail is not verified: anyone could have registered it', async () => {
    const claims = { email: 'unverified@example.test', email_verified: true }
    expect(await status(await issuer.sign(claims))).toBe(401)
  })

  test('do not replace our own', async () => {
    const { body } = await project.send('/api/login', { email: ada.email, password })
    expect(await status(body.meta.token)).toBe(200)
  })

  test('are not ours to end', async () => {
    const answer = await project.as(await issuer.sign(ada), 'POST', '/api/logout')
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('issuer')
  })
})

test.each(toldOn('sqlite'))('a claim that cannot be an id is 401, on %s', async (name) => {
  const issuer = await openIssuer()
  const project = await openAuth(name, { config: configured(issuer.url, 'sub', 'id') })
  const { body } = await project.register('ada@example.test')
  for (const sub of ['abc', '9'.repeat(30), '1.5', ' ', 'a\0b', '\ud800']) {
    expect(await profile(project, await issuer.sign({ sub })), sub).toBe(401)
  }
  expect(await profile(project, await issuer.sign({ sub: String(body.id) }))).toBe(200)
  for (const sub of [`0${body.id}`, `${body.id}.0`, ` ${body.id}`, `${body.id}e0`]) {
    expect(await profile(project, await issuer.sign({ sub })), sub).toBe(401)
  }
  await project.close()
  issuer.close()
})

test('a subject that two users share is 401', async () => {
  const issuer = await openIssuer()
  const project = await openAuth('sqlite', {
    manifest: (users) =>
      users.replace(
        'password: password(),',
        'password: password(),\n    subject: text().nullable().readonly(),',
      ),
    config: configured(issuer.url, 'sub', 'subject'),
  })
  const ada = await project.user('Ada', { subject: 'one' })
  const token = await issuer.sign({ sub: 'one' })
  expect(await profile(project, token)).toBe(200)
  await project.user('Eve', { subject: 'one' })
  expect(await profile(project, token)).toBe(401)
  expect(ada).toBeGreaterThan(0)
  await project.close()
  issuer.close()
})

test.each([
  ['that people write themselves', 'name', /people write 'name' themselves/],
  ['that nobody verifies', 'email', /never verified/],
  ['that is not there', 'subject', /no column 'subject'/],
])('a column %s stops the start', async (_, column, message) => {
  const config = configured('http://127.0.0.1:1/', 'sub', column)
  await expect(openAuth('sqlite', { config })).rejects.toThrow(message)
})

test('an issuer of before the next `svc generate` stops the start, and says so', async () => {
  const folder = await emitFixture('blog', 'sqlite')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const config = join(folder, 'config/svc.ts')
  writeFileSync(
    config,
    configured('http://127.0.0.1:1/', 'sub', 'id')(readFileSync(config, 'utf8')),
  )
  await expect(openFolder(folder, 'sqlite')).rejects.toThrow(
    /auth.jwt needs.*\n  fix {4}run `svc gen/,
  )
  await generateInto(folder)
  expect(typeCheck(folder)).toBe('')
})

const literalIssuer = configured('http://127.0.0.1:1/', 'sub', 'id')('jwt: null')

test.each([
  ['in a constant of one line', `const outside = { ${literalIssuer} }`, '    ...outside'],
  ['after a tab', '', `\t\t${literalIssuer}`],
  ['from another file', `import { outside } from './outside.js'`, '    ...{ jwt: outside }'],
])('an issuer %s is found by `svc generate`', async (_, before, use) => {
  const folder = await emitFixture('blog', 'sqlite')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const config = join(folder, 'config/svc.ts')
  const text = readFileSync(config, 'utf8').replace('    jwt: null', use)
  writeFileSync(config, text.replace('export const config', `${before}\n\n$&`))
  await generateInto(folder)
  expect(readFileSync(join(folder, 'app/auth.ts'), 'utf8')).toContain('findByJwt')
})

test('an issuer without keys is 503, and the log says why, once', async () => {
  const issuer = await openIssuer()
  const broken = await listen((_, answer) => void answer.writeHead(500).end())
  const project = await openAuth('sqlite')
  const lines: string[] = []
  const find = jwtProvider(
    {
      issuer: 'https://issuer.test',
      audience: 'blog',
      jwks_url: broken.url,
      claim: 'sub',
      column: 'id',
    },
    {
      users: usersOf(project.database, { id: 'integer' }),
      writable: [],
      log: { error: (_: unknown, line?: string) => void lines.push(line ?? '') },
    },
  )
  const token = await issuer.sign({ sub: '1' })
  await expect(find?.(token)).rejects.toThrow()
  await expect(find?.(token)).rejects.toThrow()
  expect(lines).toEqual([`auth.jwt: no keys from ${broken.url}`])
  await project.close()
  broken.close()
  issuer.close()
})
