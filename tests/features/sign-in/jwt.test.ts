import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readSignIn } from '../../../generator/features/sign-in/reader.js'
import { targetAt } from '../../../generator/write/target.js'
import { databases } from '../../support/databases.js'
import { configured, openIssuer, profile } from './issuer.js'
import { openAuth, password, withVerification, type AuthProject } from './project.js'

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
