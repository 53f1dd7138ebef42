import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Statement } from '../../../runtime/database/types.js'
import {
  hashPassword,
  needsRehash,
  verifyPassword,
} from '../../../runtime/features/sign-in/password.js'
import { readBearer } from '../../../runtime/features/sign-in/token-text.js'
import { bearerToken, issueToken } from '../../../runtime/features/sign-in/tokens.js'
import { onError } from '../../../runtime/http/answers.js'
import type { ServerEnv } from '../../../runtime/http/context.js'
import {
  marked,
  names,
  openDatabase,
  statement,
  type Name,
  type Opened,
} from '../../core/runtime/databases.js'
import { usersOf } from '../../support/user-source.js'

interface User {
  id: number | string
  name: string
  is_admin: boolean
  created_at: string
}

const ids = ['integer', 'uuid'] as const
const uuid = '0198c0de-0000-7000-8000-000000000001'
const cases = names.flatMap((name) => ids.map((id) => ({ name, id })))
const silent = {
  warn: () => {},
  error: () => {},
  info: () => {},
  debug: () => {},
  fatal: () => {},
  isLevelEnabled: () => false,
}

describe.each(cases)('bearer tokens on $name with $id ids', ({ name, id }) => {
  let opened: Opened
  let app: Hono<ServerEnv<User>>
  let text: string
  const userId = id === 'integer' ? 1 : uuid
  const sent: Statement[] = []

  const sql = (text: string, parameters: (string | number)[] = []) =>
    opened.database.query(statement(marked(name, text)), parameters)

  beforeAll(async () => {
    opened = await openDatabase(name)
    for (const create of tables(name, id)) await sql(create)
    const time = name === 'sqlite' ? '2026-02-03T04:05:06.789+00:00' : '2026-02-03T04:05:06.789Z'
    const yes = name === 'sqlite' ? 1 : 'true'
    await sql('INSERT INTO users VALUES (?, ?, ?, ?, ?)', [userId, 'Ann', 'secret-hash', yes, time])
    text = (await issueToken(opened.database, { userId, name: 'laptop', ttl: null })).text
    app = createApp(opened, id)
    opened.database.observe((each) => void sent.push(each))
  })

  afterAll(() => opened.close())

  const ask = (authorization?: string, path = '/api/svc/users', method = 'GET') =>
    app.request(path, { method, headers: authorization === undefined ? {} : { authorization } })

  it('look like <id>|<40 characters> and are stored hashed', async () => {
    expect(text).toMatch(/^\d+\|[A-Za-z0-9]{40}$/)
    const [[stored] = []] = await sql('SELECT token FROM personal_access_tokens')
    expect(stored).toMatch(/^[0-9a-f]{64}$/)
    expect(text).not.toContain(stored)
  })

  it('load the user in one statement, without the password', async () => {
    sent.length = 0
    const answer = await ask(`Bearer ${text}`)
    expect(await answer.json()).toEqual({
      user: { id: userId, name: 'Ann', is_admin: true, created_at: '2026-02-03T04:05:06.789Z' },
      token: { id: 1, name: 'laptop', expires_at: null },
    })
    expect(sent.length).toBe(1)
    expect(sent[0]?.sql).not.toContain('password')
  })

  it('write last_used_at after the answer, and not again within a minute', async () => {
    await expect
      .poll(() => sql('SELECT last_used_at FROM personal_access_tokens'))
      .not.toEqual([[null]])
    sent.length = 0
    await ask(`Bearer ${text}`)
    // The write is put off to the next turn of the loop; this is the one after it.
    await turnOfTheLoop()
    await turnOfTheLoop()
    expect(sent.length).toBe(1)
  })

  it('are refused when wrong, foreign, expired, revoked or of a deleted user', async () => {
    const [number = '', secret = ''] = text.split('|')
    const other = secret.startsWith('A') ? `B${secret.slice(1)}` : `A${secret.slice(1)}`
    expect((await ask(`Bearer ${number}|${other}`)).status).toBe(401)
    expect((await ask(`Bearer 99|${secret}`)).status).toBe(401)
    const old = await issueToken(opened.database, { userId, name: 'old', ttl: -1 })
    expect((await ask(`Bearer ${old.text}`)).status).toBe(401)
    const fresh = await issueToken(opened.database, { userId, name: 'fresh', ttl: 1 })
    expect((await ask(`Bearer ${fresh.text}`)).status).toBe(200)
    await sql('DELETE FROM personal_access_tokens WHERE id = ?', [fresh.id])
    const refused = await ask(`Bearer ${fresh.text}`)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect(await refused.json()).toEqual({ message: 'Unauthenticated.' })
  })

  it('are not needed to read what is public, and only that', async () => {
    const statuses = [
      await ask(undefined, '/api/svc/posts'),
      await ask(undefined, '/api/svc/posts/1'),
      await ask(undefined, '/api/svc/posts/1', 'HEAD'),
      await ask('Bearer 1|wrong', '/api/svc/posts'),
      await ask(undefined, '/api/svc/posts', 'POST'),
      await ask(undefined, '/api/svc/posts/1/comments'),
      await ask(undefined, '/api/svc/users'),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200, 401, 401, 401, 401])
  })

  it.each([
    '',
    ' ',
    'Bearer',
    'Bearer ',
    'Bearer |',
    'Basic YTpi',
    'Bearer 1',
    'Bearer 1|',
    `Bearer ${'9'.repeat(400)}|x`,
    `Bearer 99999999999|${'a'.repeat(40)}`,
    `Bearer 4294967297|${'a'.repeat(40)}`,
    `Bearer -1|${'a'.repeat(40)}`,
    `Bearer 1e3|${'a'.repeat(40)}`,
    `Bearer 1|${'a'.repeat(7000)}`,
    "Bearer 1' OR '1'='1",
    'Bearer ÿþ',
    'Bearer 1|é',
  ])('%j is 401', async (header) => {
    expect((await ask(header)).status).toBe(401)
  })
})

describe('reading a header', () => {
  it('takes the scheme in any case', () => {
    const secret = 'a'.repeat(40)
    expect(readBearer(`bearer 7|${secret}`)).toEqual({ id: 7, secret })
    expect(readBearer(`BEARER 2147483647|${secret}`)?.id).toBe(2147483647)
    expect(readBearer(`Bearer 2147483648|${secret}`)).toBeNull()
  })
})

describe('passwords', () => {
  it('are Argon2id, salted, and verified', async () => {
    const one = await hashPassword('correct horse')
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(await hashPassword('correct horse'))
    expect(await verifyPassword(one, 'correct horse')).toBe(true)
    expect(await verifyPassword(one, 'wrong')).toBe(false)
    expect(await verifyPassword('no hash', 'x')).toBe(false)
    expect(needsRehash(one)).toBe(false)
    expect(needsRehash(one.replace('t=2', 't=1'))).toBe(true)
  })
})

const columns = {
  name: 'text',
  password: 'password',
  is_admin: 'boolean',
  created_at: 'dateTime',
} as const

function createApp({ database }: Opened, id: 'integer' | 'uuid'): Hono<ServerEnv<User>> {
  const app = new Hono<ServerEnv<User>>()
  app.onError(onError)
  app.use(
    '/api/svc/*',
    bearerToken({
      log: silent,
      users: usersOf<User>(database, { id, ...columns }),
      publicReads: ['posts'],
    }),
  )
  app.all('/api/svc/*', (c) =>
    c.json({ user: c.get('user') ?? null, token: c.get('token') ?? null }),
  )
  return app
}

function tables(name: Name, id: 'integer' | 'uuid'): string[] {
  const key = id === 'integer' ? 'INTEGER' : name === 'sqlite' ? 'TEXT' : 'UUID'
  const time = name === 'sqlite' ? 'DATETIME' : 'TIMESTAMPTZ(3)'
  const own = name === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'SERIAL PRIMARY KEY'
  return [
    `CREATE TABLE users (id ${key} PRIMARY KEY, name TEXT, password TEXT, is_admin BOOLEAN, created_at ${time})`,
    `CREATE TABLE personal_access_tokens (id ${own}, user_id ${key} REFERENCES users (id) ON DELETE CASCADE, name TEXT, token TEXT, expires_at ${time}, last_used_at ${time}, created_at ${time})`,
  ]
}
