import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { emit } from '../../core/compile/emit.js'
import { program } from '../../support/program.js'

const run = promisify(execFile)

const script = `
import { createApp } from './app/app.js'
import { auth } from './app/auth.js'
import { database } from './app/database.js'
import { log } from './app/log.js'
import { migrate } from '#runtime/database/migrations/migrate.js'

await migrate(database, { folder: 'prisma/migrations', draft: 'run' })
const app = createApp()
const send = async (path: string, body: object, token = '') => {
  const named = { 'content-type': 'application/json', 'x-request-id': 'sent-to' + path.split('/').slice(0, 4).join('.') }
  const headers = { ...named, authorization: token === '' ? '' : 'Bearer ' + token }
  const answer = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answer.json()) as { meta?: { token: string } }
}
const email = 'ada@example.test'
const password = 'the-secret-password'
const made = await send('/api/register', { name: 'Ada', email, password, password_confirmation: password })
const token = made.meta?.token ?? ''
await send('/api/login', { email, password })
await send('/api/login', { email, password: 'the-wrong-password' })
await send('/api/svc/forgotPassword', { email })
await send('/api/svc/resetPassword', { email, token: 'the-reset-token', password: 'the-new-password', password_confirmation: 'the-new-password' })
await send('/api/svc/verify/1/' + 'the-email-hash'.repeat(6), {})
await send('/api/logout', {}, token)
await auth.settled()
const refusal = Object.assign(new Error('the write failed'), {
  detail: 'Failing row contains (1, the-row-of-the-driver)',
  parameters: ['the-parameter-of-the-driver'],
})
log.error({ err: new Error('wrapped', { cause: refusal }) }, 'as PostgreSQL tells it')
log.error({ err: refusal }, 'as PostgreSQL tells it')
console.log('TOKEN ' + token.split('|')[1])
await database.close()
`

test('nothing secret is logged, not even when a mail fails', async () => {
  const folder = await emit('blog', 'sqlite')
  writeFileSync(join(folder, 'talk.mts'), script)
  mkdirSync(join(folder, 'storage'))
  const { stdout, stderr } = await run(process.execPath, [await program(folder, 'talk.mts')], {
    cwd: folder,
    env: {
      ...process.env,
      DATABASE_URL: 'file:storage/test.sqlite',
      NODE_ENV: 'development',
      LOG_LEVEL: 'trace',
      APP_KEY: 'the-application-key-of-this-server',
      MAIL_MAILER: 'smtp',
      MAIL_FROM: 'no-reply@example.test',
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: '1',
      SMTP_USERNAME: 'somebody',
      SMTP_PASSWORD: 'the-smtp-password',
    },
  })
  const token = /TOKEN (\w+)/.exec(stdout)?.[1] ?? 'none'
  const logged = stdout.replace(/TOKEN \w+/, '') + stderr
  const lines = logged.split('\n').filter((line) => line.startsWith('{'))
  const failed = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /failed$/.test(msg))
  expect(failed.map(({ requestId, msg }) => [requestId, msg])).toEqual([
    ['sent-to.api.svc.forgotPassword', 'mailing a reset link failed'],
  ])
  expect(logged).toContain('"path":"/api/login"')
  expect(logged).toContain('"message":"the write failed"')
  for (const secret of [
    token,
    'the-secret-password',
    'the-wrong-password',
    'the-reset-token',
    'the-new-password',
    'the-application-key',
    'the-smtp-password',
    'password/reset?token',
    'argon2id',
    'the-email-hash',
    'the-row-of-the-driver',
    'the-parameter-of-the-driver',
  ]) {
    expect(logged, secret).not.toContain(secret)
  }
  rmSync(folder, { recursive: true })
})

test('the start warns of mails that are not sent, routes without auth middleware, and users without a way to sign in', async () => {
  const folder = await emit('blog', 'sqlite')
  const config = join(folder, 'config/svc.ts')
  const guarded = readFileSync(config, 'utf8')
  const start = async (MAIL_MAILER: string) => {
    const env = {
      ...process.env,
      DATABASE_URL: 'file:test.sqlite',
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      APP_KEY: 'the-application-key-of-this-server',
      FRONTEND_APP_URL: 'https://app.test',
      MAIL_FROM: 'no-reply@app.test',
      SMTP_HOST: '127.0.0.1',
      MAIL_MAILER,
    }
    writeFileSync(join(folder, 'start.mts'), "import './app/auth.js'\n")
    const file = await program(folder, 'start.mts')
    return (await run(process.execPath, [file], { cwd: folder, env })).stdout
  }
  expect(await start('smtp')).toBe('')
  const users = join(folder, 'app/Repositories/UserRepository.ts')
  writeFileSync(users, readFileSync(users, 'utf8').replace('max(120).nullish()', 'max(120)'))
  writeFileSync(
    config,
    guarded
      .replace("['api', 'auth:token']", "['api']")
      .replace("register_fields: ['name']", 'register_fields: []'),
  )
  const warned = await start('log')
  expect(warned).toContain('MAIL_MAILER=log: no mail is sent')
  expect(warned).toContain('`middleware` names no guard')
  expect(warned).toContain('registering always fails: users need name,')
  rmSync(folder, { recursive: true })
})
