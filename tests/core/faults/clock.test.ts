/** The clock of the machine jumps while the server runs: by a day, back and forth. Nobody is locked out for it, and nothing is kept for a day. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { type DatabaseName, toldOn } from '../../support/databases.js'
import { generateInto } from '../../support/generate.js'
import { freshDatabase } from '../../support/postgres.js'
import { change, emit } from '../compile/emit.js'
import { startServer, type ServerProcess } from './server-process.js'

const day = 86_400_000
const env = {
  ...{ APP_KEY: 'k'.repeat(32), FRONTEND_APP_URL: 'https://front.example', MAIL_MAILER: 'log' },
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('clock.mjs', import.meta.url))}`,
}

/** An issuer of tokens, whose key changes. */
async function issuer() {
  let jwk: object
  let sign: (user: string, now: number) => Promise<string>
  const renew = async (kid: string) => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256' }
    sign = (user, now) =>
      new SignJWT()
        .setProtectedHeader({ alg: 'ES256', kid })
        .setIssuer('https://issuer.test')
        .setAudience('blog')
        .setSubject(user)
        .setExpirationTime(Math.floor(now / 1000) + 300)
        .sign(privateKey)
  }
  await renew('one')
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, renew, sign: (user: string, now: number) => sign(user, now) }
}

async function deployedBlog(name: DatabaseName, jwks_url: string): Promise<string> {
  const folder = await emit('blog', name)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const jwt = { issuer: 'https://issuer.test', audience: 'blog', jwks_url }
  const text = JSON.stringify({ ...jwt, claim: 'sub', column: 'id' })
  change(join(folder, 'config/svc.ts'), /jwt: null/, `jwt: ${text}`)
  await generateInto(folder)
  const migrations = join(folder, 'prisma/migrations')
  mkdirSync(join(migrations, '1_init'))
  renameSync(join(migrations, 'draft.sql'), join(migrations, '1_init/migration.sql'))
  return folder
}

const told = toldOn('postgresql')

test.each(told)('a clock that jumps locks nobody out, on %s', async (name) => {
  const keys = await issuer()
  const folder = await deployedBlog(name, keys.url)
  const clock = join(folder, 'clock')
  let offset = 0
  const jump = (to: number) => writeFileSync(clock, String((offset = to)))
  const now = () => Date.now() + offset
  jump(0)
  const url = name === 'sqlite' ? `file:${join(folder, 'clock.sqlite')}` : await freshDatabase()
  const start = () => startServer(folder, { ...env, DATABASE_URL: url, CLOCK_OFFSET: clock })
  const server = await start()

  const password = 'long enough for it'
  const person = { name: 'Ann', email: 'ann@example.test', password }
  const form = { ...person, password_confirmation: password }
  const registered = await server.send('POST', '/api/register', form)
  const ann: string = registered.body.id
  const token: string = registered.body.meta.token
  const profile = async (text: string) =>
    (await server.send('GET', '/api/svc/profile', undefined, text)).status
  const guess = async (at: ServerProcess = server): Promise<readonly [number, number]> => {
    const wrong = { email: person.email, password: 'not the password' }
    const { status, headers } = await at.send('POST', '/api/login', wrong)
    return [status, Number(headers.get('retry-after'))]
  }
  const lastUsed = async (): Promise<number> => {
    const { body } = await server.send('GET', '/api/tokens', undefined, token)
    return Date.parse(body.data[0].last_used_at)
  }
  const askForLink = () => server.send('POST', '/api/svc/forgotPassword', { email: person.email })
  const mailed = () => {
    const path = join(folder, 'storage/logs/mail.log')
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    return [...text.matchAll(/token=([\w-]+)/g)].map(([, found]) => found)
  }

  expect(await profile(token)).toBe(200)
  expect(await profile(await keys.sign(ann, now()))).toBe(200)
  await askForLink()
  await expect.poll(() => mailed().length).toBe(1)
  let answer = await guess()
  for (let n = 0; n < 6; n += 1) answer = await guess()
  const isBrief = ([status, wait]: readonly [number, number]) => status === 429 && wait <= 60
  expect(isBrief(answer)).toBe(true)

  jump(-day)
  expect(isBrief(await guess())).toBe(true)
  // Requests that were counted tomorrow do not count today.
  if (name === 'postgresql') expect(await guess(await start())).toEqual([401, 0])
  expect(await profile(token)).toBe(200)
  await expect.poll(lastUsed).toBeLessThan(now() + 60_000)
  // The keys of the issuer are other ones, and are asked for although they were a moment ago.
  await keys.renew('two')
  expect(await profile(await keys.sign(ann, now()))).toBe(200)
  // A link of tomorrow is not valid for a day and an hour.
  const reset = (text: string | undefined) =>
    server.send('POST', '/api/svc/resetPassword', {
      ...{ email: person.email, token: text },
      ...{ password: `${password} 2`, password_confirmation: `${password} 2` },
    })
  expect((await reset(mailed()[0])).status).toBe(400)

  jump(day)
  expect((await guess())[1]).toBeLessThanOrEqual(60)
  expect(await profile(token)).toBe(200)
  expect(await profile(await keys.sign(ann, Date.now()))).toBe(401)
  expect(await profile(await keys.sign(ann, now()))).toBe(200)

  jump(0)
  await askForLink()
  await expect.poll(() => mailed().length).toBe(2)
  expect((await reset(mailed()[1])).status).toBe(200)
  expect(server.log().filter(({ level }) => Number(level) >= 50)).toEqual([])
})
