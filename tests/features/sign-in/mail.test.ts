import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGate } from '../../support/gate.js'
import { databases, type Answer } from '../../support/project.js'
import { openAuth, password, type AuthProject } from './project.js'

const sent = { message: 'Reset password link sent to your email.' }
const invalid = { message: 'Provided invalid token.' }

/** Statements about users and tokens: throttles count in the database on PostgreSQL. */
const asked = ({ statements }: Answer) =>
  statements.filter(({ sql }) => !sql.includes('rate_limits'))

describe.each(databases)('forgotten passwords on %s', (name) => {
  let project: AuthProject
  beforeAll(async () => {
    project = await openAuth(name)
    await project.register('Ada@example.test')
  })
  afterAll(() => project.close())

  const forgot = (email: string, more: object = {}, headers: Record<string, string> = {}) =>
    project.send('/api/svc/forgotPassword', { email, ...more }, headers)

  const reset = (token: string, email: string, next: string) =>
    project.send('/api/svc/resetPassword', {
      token,
      email,
      password: next,
      password_confirmation: next,
    })

  test('known and unknown e-mails get the same answer, before the lookup', async () => {
    await project.mails()
    const known = await forgot('ADA@example.test')
    await project.mails()
    const unknown = await forgot('eve@example.test')
    expect(known).toMatchObject({ status: 200, body: sent })
    expect(unknown).toMatchObject({ status: 200, body: sent })
    expect([asked(known), asked(unknown)]).toEqual([[], []])
    expect(await project.mails()).not.toContain('To: eve@example.test')
  })

  test('the link leads to the configured host, whatever the request says', async () => {
    await forgot(
      'ada@example.test',
      { url: 'https://evil.test/{token}' },
      {
        host: 'evil.test',
        'x-forwarded-host': 'evil.test',
        origin: 'https://evil.test',
      },
    )
    const mails = await project.mails()
    expect(mails).toContain('http://localhost:5173/password/reset?token=')
    expect(mails).not.toContain('evil.test')
  })

  test('a token is stored hashed, works once, and ends every other token', async () => {
    const { body } = await project.send('/api/login', { email: 'ada@example.test', password })
    await forgot('ada@example.test')
    const { token, email } = await project.resetLink()
    const stored = await project.sql('SELECT token FROM password_resets')
    expect(JSON.stringify(stored)).not.toContain(token)
    expect(stored[0]?.[0]).toMatch(/^[0-9a-f]{64}$/)
    const next = 'a second password'
    expect(await reset(token, email, next)).toMatchObject({
      status: 200,
      body: { message: 'Your password has been successfully reset.' },
    })
    expect((await project.as(body.meta.token, 'GET', '/api/svc/profile')).status).toBe(401)
    expect((await project.send('/api/login', { email, password: next })).status).toBe(200)
    expect(await reset(token, email, 'a third password')).toMatchObject({
      status: 400,
      body: invalid,
    })
    await project.sql('DELETE FROM password_resets')
  })

  test('of requests with one token at once, one goes through', async () => {
    await forgot('ada@example.test')
    const { token, email } = await project.resetLink()
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) => reset(token, email, `password number ${at}`)),
    )
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(400)])
    const winner = all.findIndex(({ status }) => status === 200)
    const login = { email, password: `password number ${winner}` }
    expect((await project.send('/api/login', login)).status).toBe(200)
  })

  test('a newer link that comes while a token is redeemed is not used up by it', async () => {
    await forgot('ada@example.test')
    const { token, email } = await project.resetLink()
    const newer = 'UPDATE password_resets SET token = ?'
    const { commit } = await project.meanwhile('SELECT token FROM password_resets', newer, [
      '0'.repeat(64),
    ])
    expect(await reset(token, email, 'whatever it is')).toMatchObject({
      status: 400,
      body: invalid,
    })
    await commit
    expect(await project.sql('SELECT token FROM password_resets')).toEqual([['0'.repeat(64)]])
    await project.sql('DELETE FROM password_resets')
  })

  test('a wrong, foreign or old token, and an unknown e-mail, are the same answer and work', async () => {
    await project.register('bob@example.test')
    await forgot('ada@example.test')
    const { token } = await project.resetLink()
    await project.mails()
    const wrong = await reset('x'.repeat(40), 'ada@example.test', 'whatever it is')
    const foreign = await reset(token, 'bob@example.test', 'whatever it is')
    const unknown = await reset(token, 'eve@example.test', 'whatever it is')
    const hour = new Date(Date.now() - 61 * 60_000).toISOString()
    const stored = name === 'sqlite' ? hour.replace('Z', '+00:00') : hour
    await project.sql('UPDATE password_resets SET created_at = ?', [stored])
    const old = await reset(token, 'ada@example.test', 'whatever it is')
    for (const answer of [wrong, foreign, unknown, old]) {
      expect(answer).toMatchObject({ status: 400, body: invalid })
      expect(asked(answer).length).toBe(1)
    }
  })

  test('an hour is not over after 59 minutes', async () => {
    await forgot('ada@example.test')
    const { token, email } = await project.resetLink()
    const recent = new Date(Date.now() - 59 * 60_000).toISOString()
    const stored = name === 'sqlite' ? recent.replace('Z', '+00:00') : recent
    await project.sql('UPDATE password_resets SET created_at = ?', [stored])
    expect((await reset(token, email, 'after a while')).status).toBe(200)
  })

  test('the new password is held to the rules, and the token survives a mistake', async () => {
    await forgot('ada@example.test')
    const { token, email } = await project.resetLink()
    for (const bad of ['short', 'x'.repeat(201), email, email.toUpperCase(), 'with\0nul in it']) {
      const answer = await reset(token, email, bad)
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toHaveProperty('password')
    }
    const unconfirmed = { token, email, password: 'long enough', password_confirmation: 'other' }
    const answer = await project.send('/api/svc/resetPassword', unconfirmed)
    expect(answer.body.errors).toHaveProperty('password_confirmation')
    for (const bad of [undefined, [], 7, { $ne: '' }]) {
      const { status, body } = await project.send('/api/svc/resetPassword', {
        token: bad,
        email,
        password: 'long enough',
        password_confirmation: 'long enough',
      })
      expect(status).toBe(422)
      expect(body.errors).toHaveProperty('token')
    }
    expect((await reset(token, email, 'long enough')).status).toBe(200)
  })

  test('a mail that cannot be sent, and one that takes long, harm no answer', async () => {
    const { auth } = await project.load<{ auth: { mailer: { send: () => Promise<void> } } }>(
      'app/auth.ts',
    )
    const send = auth.mailer.send
    try {
      auth.mailer.send = () => Promise.reject(new Error('no mail today'))
      expect(await forgot('ada@example.test')).toMatchObject({ status: 200, body: sent })
      await project.mails()
      const [began, gate] = [createGate(), createGate()]
      auth.mailer.send = () => {
        began.open()
        return gate.opened
      }
      expect(await forgot('ada@example.test')).toMatchObject({ status: 200, body: sent })
      await began.opened
      gate.open()
    } finally {
      auth.mailer.send = send
    }
  })
})
