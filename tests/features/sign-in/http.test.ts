import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkDependencies, newProject } from '../../core/cli/project.js'
import { databases, type DatabaseName, openFolder } from '../../support/project.js'
import { openAuth, password, type AuthProject } from './project.js'

let project: AuthProject

describe.each(databases)('signing in on %s', (name) => {
  beforeAll(async () => void (project = await openAuth(name)))
  afterAll(() => project.close())

  describe('an account', () => {
    registering()
  })
  describe('its tokens', () => {
    tokens()
  })
  describe('the profile and the password', () => {
    profiles(name)
  })
  describe('stored passwords', () => {
    hashes()
  })

  describe('bad input names the field', () => {
    const base = { name: 'X', email: 'x@example.test', password, password_confirmation: password }
    test.each<[string, Record<string, unknown>, string]>([
      ['no e-mail', { ...base, email: undefined }, 'email'],
      ['an array for text', { ...base, email: ['x@example.test'] }, 'email'],
      ['a number for text', { ...base, password: 12345678 }, 'password'],
      ['an object', { ...base, email: { $ne: null } }, 'email'],
      ['NUL', { ...base, password: 'abcd\0efgh', password_confirmation: 'abcd\0efgh' }, 'password'],
      ['half a character', { ...base, name: '\ud800' }, 'name'],
      ['short', { ...base, password: 'short', password_confirmation: 'short' }, 'password'],
      [
        'long',
        { ...base, password: 'x'.repeat(201), password_confirmation: 'x'.repeat(201) },
        'password',
      ],
      [
        'the e-mail',
        { ...base, password: 'X@example.test', password_confirmation: 'X@example.test' },
        'password',
      ],
      ['unconfirmed', { ...base, password_confirmation: 'another one' }, 'password_confirmation'],
      ['no confirmation', { ...base, password_confirmation: undefined }, 'password_confirmation'],
    ])('%s', async (_, body, field) => {
      const answer = await project.send('/api/register', body)
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toHaveProperty(field)
    })

    test('also at login, and a megabyte is refused before it is hashed', async () => {
      for (const bad of [[], 7, null, 'x'.repeat(300)]) {
        const answer = await project.send('/api/login', {
          email: 'ada@example.test',
          password: bad,
        })
        expect(answer.status).toBe(422)
        expect(answer.body.errors).toHaveProperty('password')
      }
      const huge = await project.send('/api/login', {
        email: 'a@b.test',
        password: 'x'.repeat(1_048_576),
      })
      expect(huge.status).toBe(413)
      for (const path of [
        '/api/register',
        '/api/login',
        '/api/svc/forgotPassword',
        '/api/svc/resetPassword',
      ]) {
        expect((await project.request('POST', path)).status, path).toBe(415)
        expect((await project.send(path, [])).status, path).toBe(400)
        expect((await project.send(path, {})).status, path).toBe(422)
      }
    })

    test('a password may be anything people write', async () => {
      const words = '🔑 пароль 密码 ñ'
      const more = { password: words, password_confirmation: words }
      expect((await project.register('unicode@example.test', more)).status).toBe(200)
      const login = { email: 'unicode@example.test', password: words }
      expect((await project.send('/api/login', login)).status).toBe(200)
    })
  })
})

function registering(): void {
  test('registering gives the bare resource, its flags, and a token that works', async () => {
    const { status, body } = await project.register(' Ada@Example.test ', { name: 'Ada' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      type: 'users',
      attributes: { name: 'Ada', email: 'ada@example.test', is_admin: false },
      meta: {
        authorizedToShow: true,
        authorizedToStore: true,
        authorizedToUpdate: true,
        authorizedToDelete: true,
        token: expect.stringMatching(/^\d+\|[A-Za-z0-9]{40}$/),
        expires_at: null,
      },
    })
    expect(JSON.stringify(body)).not.toContain('argon2')
    const profile = await project.as(body.meta.token, 'GET', '/api/svc/profile')
    expect(profile.body.data).toMatchObject({ id: body.id, type: 'users' })
  })

  test('registering takes e-mail and password; a name is optional, and one that is sent is checked', async () => {
    const short = { email: 'short@example.test', password, password_confirmation: password }
    const { status, body } = await project.send('/api/register', short)
    expect([status, body.attributes.name, body.meta.token !== undefined]).toEqual([200, null, true])
    const named = await project.register('named@example.test', { name: 'Bo' })
    expect(named.body.attributes.name).toBe('Bo')
    const long = await project.register('long@example.test', { name: 'x'.repeat(121) })
    expect([long.status, Object.keys(long.body.errors)]).toEqual([422, ['name']])
    const without = await project.send('/api/register', {})
    expect(without.status).toBe(422)
    expect(Object.keys(without.body.errors).toSorted()).toEqual(['email', 'password'])
  })

  test('signing in takes the e-mail in any case, and gives the same shape', async () => {
    const { status, body } = await project.send('/api/login', {
      email: ' ADA@example.TEST ',
      password,
    })
    expect(status).toBe(200)
    expect(body.attributes.email).toBe('ada@example.test')
    expect(body.meta.token).toMatch(/^\d+\|[A-Za-z0-9]{40}$/)
  })

  test('an unknown e-mail and a wrong password get the same answer', async () => {
    await project.mails()
    const wrong = await project.send('/api/login', { email: 'ada@example.test', password: 'no' })
    const unknown = await project.send('/api/login', { email: 'eve@example.test', password: 'no' })
    expect(wrong).toMatchObject({ status: 401, body: { message: 'Invalid credentials.' } })
    expect(unknown.body).toEqual(wrong.body)
    expect(unknown.status).toBe(wrong.status)
    expect(unknown.statements.length).toBe(wrong.statements.length)
  })

  test('sets nothing that is not asked for', async () => {
    const { status, body } = await project.register('mass@example.test', {
      is_admin: true,
      id: 4711,
      email_verified_at: '2026-01-01T00:00:00Z',
      created_at: '2000-01-01T00:00:00Z',
    })
    expect(status).toBe(200)
    expect(body.id).not.toBe('4711')
    expect(body.attributes.is_admin).toBe(false)
    expect(body.attributes.created_at).not.toMatch(/^2000/)
  })

  test('one e-mail registers once, however many ask at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        project.register(at % 2 === 0 ? 'race@example.test' : 'RACE@example.test'),
      ),
    )
    const statuses = all.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, ...Array.from({ length: 23 }, () => 422)])
    const rows = await project.sql('SELECT id FROM users WHERE lower(email) = ?', [
      'race@example.test',
    ])
    expect(rows.length).toBe(1)
    expect(all.find(({ status }) => status === 422)?.body.errors).toHaveProperty('email')
  })
}

function tokens(): void {
  test('tokens are stored hashed, listed without their text, and revoked one by one', async () => {
    const { body } = await project.send('/api/login', { email: 'ada@example.test', password })
    const { token } = body.meta
    const stored = await project.sql('SELECT token FROM personal_access_tokens')
    expect(JSON.stringify(stored)).not.toContain(token.split('|')[1])
    const { body: list } = await project.as(token, 'GET', '/api/tokens')
    expect(JSON.stringify(list)).not.toContain(token.split('|')[1])
    const others = list.data.filter((each: { is_current: boolean }) => !each.is_current)
    expect(list.data.length - others.length).toBe(1)
    const gone = await project.as(token, 'DELETE', `/api/tokens/${others[0].id}`)
    expect(gone.status).toBe(204)
    const again = await project.as(token, 'DELETE', `/api/tokens/${others[0].id}`)
    expect(again.status).toBe(404)
  })

  test("nobody revokes another's token", async () => {
    const { body: eve } = await project.register('eve2@example.test')
    const { body: ada } = await project.send('/api/login', { email: 'ada@example.test', password })
    const [id] = ada.meta.token.split('|')
    expect((await project.as(eve.meta.token, 'DELETE', `/api/tokens/${id}`)).status).toBe(404)
    expect((await project.as(ada.meta.token, 'GET', '/api/tokens')).status).toBe(200)
  })

  test('logging out ends this token only', async () => {
    const login = () => project.send('/api/login', { email: 'ada@example.test', password })
    const [one, other] = [await login(), await login()]
    const answer = await project.as(one.body.meta.token, 'POST', '/api/logout')
    expect(answer).toMatchObject({ status: 200, body: { message: 'Successfully logged out.' } })
    expect((await project.as(one.body.meta.token, 'GET', '/api/svc/profile')).status).toBe(401)
    expect((await project.as(other.body.meta.token, 'GET', '/api/svc/profile')).status).toBe(200)
  })

  test('a request that needs a token is 401 without', async () => {
    for (const [method, path] of [
      ['POST', '/api/logout'],
      ['GET', '/api/tokens'],
      ['GET', '/api/svc/profile'],
      ['PATCH', '/api/svc/profile'],
      ['PUT', '/api/password'],
      ['GET', '/api/svc/users'],
    ] as const) {
      expect((await project.request(method, path)).status, path).toBe(401)
    }
  })
}

function profiles(name: DatabaseName): void {
  test('the profile takes its fields, and none that are guarded', async () => {
    const { body } = await project.register('profile@example.test')
    const { token } = body.meta
    for (const method of ['PUT', 'PATCH']) {
      const answer = await project.as(token, method, '/api/svc/profile', {
        name: `Changed by ${method}`,
        is_admin: true,
        password: 'something else',
        id: 1,
      })
      expect(answer.status).toBe(200)
      expect(answer.body.data).toMatchObject({
        id: body.id,
        attributes: { name: `Changed by ${method}`, is_admin: false },
      })
    }
    expect(
      (await project.send('/api/login', { email: 'profile@example.test', password })).status,
    ).toBe(200)
    const included = await project.as(token, 'GET', '/api/svc/profile?include=posts')
    expect(included.body.data.relationships).toEqual({ posts: [] })
  })

  test('a password changes with the current one, and ends the other tokens', async () => {
    const { body: first } = await project.register('change@example.test')
    const { body: second } = await project.send('/api/login', {
      email: 'change@example.test',
      password,
    })
    const change = (current: string, next: string) =>
      project.as(second.meta.token, 'PUT', '/api/password', {
        current_password: current,
        password: next,
        password_confirmation: next,
      })
    const wrong = await change('not this one', 'another password')
    expect(wrong).toMatchObject({
      status: 422,
      body: { errors: { current_password: [expect.any(String)] } },
    })
    const address = await change(password, 'CHANGE@example.test')
    expect(address).toMatchObject({
      status: 422,
      body: { errors: { password: [expect.any(String)] } },
    })
    expect((await change(password, 'another password')).status).toBe(200)
    expect((await project.as(first.meta.token, 'GET', '/api/svc/profile')).status).toBe(401)
    expect((await project.as(second.meta.token, 'GET', '/api/svc/profile')).status).toBe(200)
    const login = { email: 'change@example.test', password }
    expect((await project.send('/api/login', login)).status).toBe(401)
  })

  test('of two changes at once with one current password, one goes through', async () => {
    const { body } = await project.register('twice@example.test')
    const change = (next: string) =>
      project.as(body.meta.token, 'PUT', '/api/password', {
        current_password: password,
        password: next,
        password_confirmation: next,
      })
    const all = await Promise.all(['the first of two', 'the second of two'].map(change))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })

  test('signing in clears tokens that have ended, and no others', async () => {
    const { body } = await project.register('ended@example.test')
    const [kept = ''] = String(body.meta.token).split('|')
    const { body: other } = await project.send('/api/login', {
      email: 'ended@example.test',
      password,
    })
    const past = name === 'sqlite' ? '2026-01-01T00:00:00.000+00:00' : '2026-01-01T00:00:00.000Z'
    const [ended = ''] = String(other.meta.token).split('|')
    const end = 'UPDATE personal_access_tokens SET expires_at = ? WHERE id = ?'
    await project.sql(end, [past, Number(ended)])
    await project.send('/api/login', { email: 'ended@example.test', password })
    await project.mails()
    const rows = await project.sql('SELECT id FROM personal_access_tokens WHERE user_id = ?', [
      Number(body.id),
    ])
    expect(rows.flat()).toContain(Number(kept))
    expect(rows.flat()).not.toContain(Number(ended))
  })

  test('a user has a hundred tokens; then those that were not used for longest end', async () => {
    const { body } = await project.register('many@example.test')
    const [first = ''] = String(body.meta.token).split('|')
    expect((await project.as(body.meta.token, 'GET', '/api/svc/profile')).status).toBe(200)
    const past = name === 'sqlite' ? '2026-01-01T00:00:00.000+00:00' : '2026-01-01T00:00:00.000Z'
    const one = `(${body.id}, 'old', 'many-' || ?, '${past}')`
    await project.sql(
      `INSERT INTO personal_access_tokens (user_id, name, token, created_at) VALUES ${Array(120).fill(one).join()}`,
      Array.from({ length: 120 }, (_, at) => String(at)),
    )
    await project.mails()
    const { body: last } = await project.send('/api/login', {
      email: 'many@example.test',
      password,
    })
    await project.mails()
    const { body: list } = await project.as(last.meta.token, 'GET', '/api/tokens')
    const ids = list.data.map(({ id }: { id: number }) => id)
    expect(ids).toHaveLength(100)
    expect(ids).toContain(Number(first))
    const rows = await project.sql('SELECT id FROM personal_access_tokens WHERE user_id = ?', [
      body.id,
    ])
    expect(rows).toHaveLength(100)
  })

  test('a reset link that was mailed before does not outlive a change', async () => {
    const { body } = await project.register('linked@example.test')
    await project.send('/api/svc/forgotPassword', { email: 'linked@example.test' })
    const { token, email } = await project.resetLink()
    const next = { password: 'another password', password_confirmation: 'another password' }
    const change = { current_password: password, ...next }
    expect((await project.as(body.meta.token, 'PUT', '/api/password', change)).status).toBe(200)
    const reset = { token, email, password: 'by a link', password_confirmation: 'by a link' }
    expect((await project.send('/api/svc/resetPassword', reset)).status).toBe(400)
  })

  test('a login whose password changes while it is verified is 401', async () => {
    const { hashPassword } = await project.load<
      typeof import('../../../runtime/features/sign-in/password.js')
    >('runtime/features/sign-in/password.ts')
    await project.register('racing@example.test')
    const hash = await hashPassword('the new password')
    const change = 'UPDATE users SET password = ? WHERE email = ?'
    const { commit } = await project.meanwhile('SELECT id, email, password', change, [
      hash,
      'racing@example.test',
    ])
    const login = (text: string) =>
      project.send('/api/login', { email: 'racing@example.test', password: text })
    const { status, body } = await login(password)
    await commit
    expect({ status, body }).toEqual({ status: 401, body: { message: 'Invalid credentials.' } })
    expect((await login('the new password')).status).toBe(200)
  })
}

function hashes(): void {
  test('a correct password whose hash has other parameters is hashed anew', async () => {
    const { hash } = await import('@node-rs/argon2')
    await project.register('old@example.test')
    const old = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    await project.sql('UPDATE users SET password = ? WHERE email = ?', [old, 'old@example.test'])
    const login = (text: string) =>
      project.send('/api/login', { email: 'old@example.test', password: text })
    const stored = async () =>
      String(
        (
          await project.sql('SELECT password FROM users WHERE email = ?', ['old@example.test'])
        )[0]?.[0],
      )
    expect((await login('wrong password')).status).toBe(401)
    expect(await stored()).toBe(old)
    expect((await login(password)).status).toBe(200)
    expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await login(password)).status).toBe(200)
  })

  test('a hash is not made anew where the password changed meanwhile', async () => {
    const { hash } = await import('@node-rs/argon2')
    await project.register('rehash@example.test')
    const old = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    const next = await hash('the new password', { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    const change = 'UPDATE users SET password = ? WHERE email = ?'
    await project.sql(change, [old, 'rehash@example.test'])
    const { commit } = await project.meanwhile('SELECT id, email, password', change, [
      next,
      'rehash@example.test',
    ])
    const login = (text: string) =>
      project.send('/api/login', { email: 'rehash@example.test', password: text })
    expect((await login(password)).status).toBe(401)
    await commit
    expect((await login('the new password')).status).toBe(200)
  })
}

test('a project of svc new registers by e-mail and password, and takes a name', async () => {
  const folder = await newProject()
  linkDependencies(folder)
  const project = await openFolder(folder, 'sqlite')
  const register = (email: string, more = {}) =>
    project.post('/api/register', { email, password, password_confirmation: password, ...more })
  const { status, body } = await register('ada@example.test')
  expect([status, body.attributes.name]).toEqual([200, null])
  expect((await register('bo@example.test', { name: 'Bo' })).body.attributes.name).toBe('Bo')
  await project.close()
})
