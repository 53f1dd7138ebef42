import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../support/project.js'
import { openAuth, password, withVerification, type AuthProject } from './project.js'

const verifying = (text: string) => text.replace('verify_email: false', 'verify_email: true')

/** Receivers of the mails so far. */
const receivers = async (project: AuthProject) =>
  [...(await project.mails()).matchAll(/^To: (\S+)$/gm)].map(([, to]) => to)

describe.each(databases)('mails to an address that a user entered, on %s', (name) => {
  let project: AuthProject
  beforeAll(async () => {
    project = await openAuth(name, {
      manifest: withVerification,
      config: verifying,
      env: { THROTTLE_LIMIT: '3' },
    })
  })
  afterAll(() => project.close())

  test('are limited: the fourth new e-mail of an account is 429', async () => {
    const { body } = await project.register('cannon@example.test')
    const change = (email: string) =>
      project.as(body.meta.token, 'PATCH', '/api/svc/profile', { email, name: 'C' })
    const answers = []
    for (let at = 0; at < 4; at++) answers.push(await change(`victim${at}@example.test`))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    const wait = Number(answers[3]?.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(60)
    expect(await receivers(project)).not.toContain('victim3@example.test')
    expect(
      (await project.as(body.meta.token, 'PUT', '/api/svc/profile', { email: 'x@y.test' })).status,
    ).toBe(429)
    // A form that sends the address it was given, and one without, are no attempts.
    for (let at = 0; at < 5; at++) {
      expect((await change('VICTIM2@example.test')).status).toBe(200)
    }
  })

  test('that cannot be sent leave the answer as it is', async () => {
    const { auth } = await project.load<{ auth: never }>('app/auth.ts')
    const { register } = await project.load<
      typeof import('../../../runtime/features/sign-in/sign-in.js')
    >('runtime/features/sign-in/sign-in.ts')
    const form = {
      name: 'A',
      email: 'broken@example.test',
      password,
      password_confirmation: password,
    }
    const mail = () => {
      throw new Error('a typing error in a template')
    }
    const { meta } = await register(auth, form, { device: 'test', mail })
    expect((await project.as(meta.token, 'GET', '/api/svc/profile')).status).toBe(200)
    expect(await receivers(project)).not.toContain('broken@example.test')
  })

  test('are sent again on request, within the same limit', async () => {
    const { body } = await project.register('lost@example.test')
    const { token } = body.meta
    const again = () => project.as(token, 'POST', '/api/svc/verify')
    const sent = async () => (await receivers(project)).filter((to) => to === 'lost@example.test')
    expect(await sent()).toHaveLength(1)
    const answer = await again()
    expect(answer).toMatchObject({ status: 200, body: { message: 'A new link is on its way.' } })
    expect(await sent()).toHaveLength(2)
    const links = [...(await project.mails()).matchAll(/id=(\d+)&emailHash=(\S+)/g)]
    const [, id, hash] = links.findLast(([, of]) => of === body.id) ?? []
    expect((await project.send(`/api/svc/verify/${id}/${hash}`, {})).status).toBe(200)
    expect((await again()).body).toEqual({ message: 'Your e-mail is verified already.' })
    expect(await sent()).toHaveLength(2)
    expect((await again()).status).toBe(200)
    expect((await again()).status).toBe(429)
    expect((await project.send('/api/svc/verify', {})).status).toBe(401)
  })
})

test('no verification link is sent where the config does not verify e-mails', async () => {
  const project = await openAuth('sqlite', { manifest: withVerification })
  const { body } = await project.register('ada@example.test')
  const answer = await project.as(body.meta.token, 'POST', '/api/svc/verify')
  expect(answer).toMatchObject({ status: 400, body: { message: 'E-mails are not verified here.' } })
  expect(await project.mails()).toBe('')
  await project.close()
})

test.each(databases)(
  'account routes need a token even where the config has no auth middleware, on %s',
  async (name) => {
    const project = await openAuth(name, {
      config: (text) => text.replace("['api', 'auth:token']", "['api']"),
    })
    const { body } = await project.register('ada@example.test')
    const { token } = body.meta
    const change = {
      current_password: password,
      password: 'another one',
      password_confirmation: 'another one',
    }
    for (const [method, path, given] of [
      ['GET', '/api/svc/profile'],
      ['PATCH', '/api/svc/profile', { name: 'Ada' }],
      ['GET', '/api/tokens'],
      ['PUT', '/api/password', change],
      ['POST', '/api/logout'],
    ] as const) {
      const request = {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(given ?? {}),
      }
      const anonymous = await project.request(method, path, method === 'GET' ? {} : request)
      expect(anonymous.status, path).toBe(401)
      expect((await project.as(token, method, path, given)).status, path).toBe(200)
    }
    expect((await project.as(token, 'GET', '/api/svc/profile')).status).toBe(401)
    await project.close()
  },
)

describe('a password with accents', () => {
  const [composed, decomposed] = ['NFC', 'NFD'].map((form) => 'pässwörd-é'.normalize(form))

  test.each(databases)('is the same from every keyboard, on %s', async (name) => {
    expect(composed).not.toBe(decomposed)
    const project = await openAuth(name)
    const email = 'zoe@example.test'
    const registered = await project.register(email, {
      password: composed,
      password_confirmation: composed,
    })
    expect(registered.status).toBe(200)
    expect((await project.send('/api/login', { email, password: decomposed })).status).toBe(200)
    const other = await project.register('bob@example.test', {
      password: decomposed,
      password_confirmation: decomposed,
    })
    expect(other.status).toBe(200)
    const login = { email: 'bob@example.test', password: composed }
    expect((await project.send('/api/login', login)).status).toBe(200)
    await project.close()
  })
})

test.each(databases)(
  'a user may have no password, but registering needs one, on %s',
  async (name) => {
    const project = await openAuth(name, {
      manifest: (text) => text.replace('password: password(),', 'password: password().nullable(),'),
    })
    for (const given of [
      { password: null, password_confirmation: null },
      { password: undefined },
    ]) {
      const { status, body } = await project.register('none@example.test', given)
      expect(status).toBe(422)
      expect(body.errors.password).toHaveLength(1)
    }
    await project.insert('users', { name: 'Sso', email: 'sso@example.test', is_admin: false })
    for (const guess of ['null', password]) {
      const login = { email: 'sso@example.test', password: guess }
      expect((await project.send('/api/login', login)).status).toBe(401)
    }
    await project.send('/api/svc/forgotPassword', { email: 'sso@example.test' })
    const { token, email } = await project.resetLink()
    const reset = { token, email, password, password_confirmation: password }
    expect((await project.send('/api/svc/resetPassword', reset)).status).toBe(200)
    expect((await project.send('/api/login', { email, password })).status).toBe(200)
    await project.close()
  },
)

test('a new password follows the rule of the manifest, wherever it is set', async () => {
  const project = await openAuth('sqlite', {
    manifest: (text) => text.replace('password: password(),', 'password: password().min(12),'),
  })
  const tooShort = { password: '123456789', password_confirmation: '123456789' }
  const said = ['The password must have at least 12 characters.']
  const refused = (answer: { status: number; body: { errors?: object } }) =>
    expect([answer.status, answer.body.errors]).toEqual([422, { password: said }])
  refused(await project.register('ada@example.test', tooShort))
  const { body } = await project.register('ada@example.test')
  const change = { current_password: password, ...tooShort }
  refused(await project.as(body.meta.token, 'PUT', '/api/password', change))
  await project.send('/api/svc/forgotPassword', { email: 'ada@example.test' })
  const link = await project.resetLink()
  refused(await project.send('/api/svc/resetPassword', { ...link, ...tooShort }))
  const right = { password: 'of twelve or more', password_confirmation: 'of twelve or more' }
  expect((await project.send('/api/svc/resetPassword', { ...link, ...right })).status).toBe(200)
  await project.close()
})

test('what user_with names is loaded by its key, whatever the database calls that', async () => {
  const project = await openAuth('sqlite', {
    roles: (text) => text.replace('repository({', "repository({\n  key: 'Role No',"),
    config: (text) => text.replace('user_with: []', "user_with: ['roles']"),
  })
  const { body } = await project.register('ada@example.test')
  expect((await project.as(body.meta.token, 'GET', '/api/svc/profile')).status).toBe(200)
  await project.close()
})

test('users whose ids are UUIDs sign in, verify, reset and log out like others', async () => {
  const project = await openAuth('postgresql', {
    manifest: (text) =>
      withVerification(text).replace("title: 'name',", "title: 'name',\n  id: 'uuid',"),
    posts: (text) => text.replace("owner_id: 'integer'", "owner_id: 'text'"),
    config: (text) => verifying(text).replace('user_with: []', "user_with: ['roles', 'posts']"),
  })
  const { body } = await project.register('ada@example.test')
  const { token } = body.meta
  const [, id, hash] = /id=([\w-]+)&emailHash=(\S+)/.exec(await project.mails()) ?? []
  expect(id).toBe(body.id)
  const chosen = { password: 'another password', password_confirmation: 'another password' }
  expect((await project.send(`/api/svc/verify/nobody/${hash}`, {})).status).toBe(403)
  expect((await project.send(`/api/svc/verify/${id}/${hash}`, {})).status).toBe(200)
  expect((await project.as(token, 'PATCH', '/api/svc/profile', { name: 'Ada' })).status).toBe(200)
  await project.send('/api/svc/forgotPassword', { email: 'ada@example.test' })
  const reset = { ...(await project.resetLink()), ...chosen }
  expect((await project.send('/api/svc/resetPassword', reset)).status).toBe(200)
  expect((await project.as(token, 'GET', '/api/svc/profile')).status).toBe(401)
  const login = await project.send('/api/login', { email: 'ada@example.test', ...chosen })
  expect((await project.as(login.body.meta.token, 'POST', '/api/logout')).status).toBe(200)
  await project.close()
})
