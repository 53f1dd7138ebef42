import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { databases } from '../../support/project.js'
import { openAuth, password, withVerification, type AuthProject } from './project.js'

const verified = vi.hoisted(() => ({ count: 0 }))
const compared = vi.hoisted(() => ({ count: 0 }))

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>()
  const timingSafeEqual: typeof real.timingSafeEqual = (one, other) => {
    compared.count += 1
    return real.timingSafeEqual(one, other)
  }
  return { ...real, timingSafeEqual }
})

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>()
  return {
    ...real,
    verify: async (...args: Parameters<typeof real.verify>) => {
      const isRight = await real.verify(...args)
      // Text that is no hash is refused before any work.
      verified.count += 1
      return isRight
    },
  }
})

describe.each(databases)('throttles on %s', (name) => {
  let project: AuthProject
  beforeAll(async () => {
    project = await openAuth(name, { env: { THROTTLE_LIMIT: '3', TRUSTED_PROXIES: '1' } })
  })
  afterAll(() => project.close())

  const from = (address: string) => ({ 'x-forwarded-for': `1.2.3.4, ${address}` })
  const login = (email: string, address: string) =>
    project.send('/api/login', { email, password: 'wrong' }, from(address))

  test('the fourth attempt of an address for one e-mail is 429, whatever the case of the e-mail', async () => {
    const tries = [' a@example.test', 'A@example.test', 'a@EXAMPLE.test', 'a@example.test']
    const answers = []
    for (const email of tries) answers.push(await login(email, '10.0.0.1'))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429])
    const { body, headers } = answers[3] ?? {}
    expect(body).toEqual({ message: 'Too many attempts.' })
    expect(Number(headers?.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(headers?.get('retry-after'))).toBeLessThanOrEqual(60)
    expect((await login('b@example.test', '10.0.0.1')).status).toBe(401)
    expect((await login('a@example.test', '10.0.0.2')).status).toBe(401)
  })

  test('one address that tries many e-mails is 429 too', async () => {
    const statuses = []
    for (let at = 0; at < 16; at++)
      statuses.push((await login(`m${at}@example.test`, '10.0.1.1')).status)
    expect(statuses).toEqual([...Array(15).fill(401), 429])
  })

  test('many addresses that try one e-mail are 429 too', async () => {
    const statuses = []
    for (let at = 0; at < 31; at++)
      statuses.push((await login('v@example.test', `10.0.2.${at}`)).status)
    expect(statuses).toEqual([...Array(30).fill(401), 429])
  })

  test('addresses of one IPv6 network count as one', async () => {
    const statuses = []
    for (let at = 1; at < 5; at++) {
      statuses.push((await login('six@example.test', `2001:db8:1:2::${at}`)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429])
  })

  test.each([
    ['IPv4', (port: number) => `10.0.4.1:${port}`],
    ['IPv6', (port: number) => `[2001:db8:7::1]:${port}`],
  ])('a proxy that writes the port too changes nothing: %s', async (_, address) => {
    const statuses = []
    for (let port = 4000; port < 4004; port++) {
      statuses.push((await login('port@example.test', address(port))).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429])
  })

  test('an invalid forwarded address counts as the address of the connection', async () => {
    const statuses = []
    for (const address of ['one', 'two', 'three', 'four']) {
      statuses.push((await login('none@example.test', address)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429])
  })

  test('each route counts its own attempts', async () => {
    const email = 'routes@example.test'
    const new_password = { password: 'long enough', password_confirmation: 'long enough' }
    for (const [path, body] of [
      ['/api/svc/forgotPassword', { email }],
      ['/api/svc/resetPassword', { email, token: 'x', ...new_password }],
      ['/api/svc/verify/1/no', {}],
      ['/api/register', { email: 'bad' }],
    ] as const) {
      const statuses = []
      for (let at = 0; at < 4; at++) {
        statuses.push((await project.send(path, body, from('10.0.3.1'))).status)
      }
      expect(statuses.slice(0, 3), path).not.toContain(429)
      expect(statuses[3], path).toBe(429)
    }
  })
})

test('on every route, one address with ever new e-mails is 429', async () => {
  const project = await openAuth('sqlite', { env: { THROTTLE_LIMIT: '2' } })
  const chosen = { password: 'long enough', password_confirmation: 'long enough' }
  const asks = {
    login: (email: string) => project.send('/api/login', { email, password: 'wrong' }),
    forgot: (email: string) => project.send('/api/svc/forgotPassword', { email }),
    reset: (email: string) =>
      project.send('/api/svc/resetPassword', { email, token: 'x', ...chosen }),
    verify: (_: string, at: number) => project.send(`/api/svc/verify/${at}/no`, {}),
  }
  for (const [route, ask] of Object.entries(asks)) {
    const statuses = []
    for (let at = 1; at <= 11; at++) statuses.push((await ask(`m${at}@example.test`, at)).status)
    expect(statuses.slice(0, 10), route).not.toContain(429)
    expect(statuses[10], route).toBe(429)
  }
  const { body } = await project.register('thief@example.test')
  const guess = { current_password: 'a guess', ...chosen }
  const guesses = []
  for (let at = 0; at < 3; at++) {
    guesses.push((await project.as(body.meta.token, 'PUT', '/api/password', guess)).status)
  }
  expect(guesses, 'the current password of a token').toEqual([422, 422, 429])
  await project.close()
})

test('a client cannot choose its address without a proxy', async () => {
  const project = await openAuth('sqlite', { env: { THROTTLE_LIMIT: '2' } })
  const statuses = []
  for (let at = 0; at < 3; at++) {
    const headers = { 'x-forwarded-for': `10.0.0.${at}` }
    const answer = await project.send('/api/login', { email: 'a@b.test', password: 'x' }, headers)
    statuses.push(answer.status)
  }
  expect(statuses).toEqual([401, 401, 429])
  await project.close()
})

test.each(databases)('processes share their counts through the database on %s', async (name) => {
  const project = await openAuth(name, { env: { THROTTLE_LIMIT: '4', THROTTLE_STORE: 'database' } })
  const { createThrottles } = await project.load<
    typeof import('../../../runtime/features/sign-in/throttle.js')
  >('runtime/features/sign-in/throttle.ts')
  const one = { limit: 6, minutes: 1 }
  const throttles = {
    register: one,
    login: one,
    forgotPassword: one,
    resetPassword: one,
    verifyEmail: one,
    sendVerification: one,
    changeEmail: one,
    changePassword: one,
  }
  const another = () =>
    createThrottles({
      throttles,
      database: project.database,
      env: { THROTTLE_LIMIT: 4, THROTTLE_STORE: 'database', TRUSTED_PROXIES: 0 },
    })
  const asked = { req: { header: () => undefined }, env: {} } as never
  const processes = [another(), another()]
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, async (_, at) =>
      processes[at % 2]?.request(asked, 'login', 'a@b.test'),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(4)
  const rows = await project.sql('SELECT key FROM rate_limits')
  expect(JSON.stringify(rows)).not.toContain('a@b.test')
  await project.close()
})

test.each(databases)(
  'a request that is 429 costs no statements and adds no counters, on %s',
  async (name) => {
    const project = await openAuth(name, {
      env: { THROTTLE_LIMIT: '2', THROTTLE_STORE: 'database' },
    })
    const login = (at: number) =>
      project.send('/api/login', { email: `m${at}@example.test`, password: 'wrong' })
    for (let at = 0; at < 11; at++) await login(at)
    const before = await project.sql('SELECT key FROM rate_limits')
    const refused = await login(99)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.statements).toEqual([])
    expect(await project.sql('SELECT key FROM rate_limits')).toEqual(before)
    await project.close()
  },
)

test('login verifies one Argon2 hash, whether the e-mail is known or not', async () => {
  const project = await openAuth('sqlite')
  await project.register('ada@example.test')
  await project.mails()
  const { hash } = await import('@node-rs/argon2')
  for (const [email, stored] of [
    ['sso@example.test', '!'],
    ['legacy@example.test', '$2b$10$abcdefghijklmnopqrstuv'],
    ['cut@example.test', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA'],
    ['older@example.test', await hash(password, { memoryCost: 8192, timeCost: 1 })],
  ] as const) {
    await project.insert('users', { name: 'X', email, password: stored, is_admin: false })
  }
  for (const email of ['ada', 'eve', 'sso', 'legacy', 'cut', 'older'].map(
    (who) => `${who}@example.test`,
  )) {
    verified.count = 0
    await project.send('/api/login', { email, password: 'a wrong one' })
    expect(verified.count, email).toBe(1)
  }
  verified.count = 0
  await project.send('/api/svc/forgotPassword', { email: 'ada@example.test' })
  await project.mails()
  expect(verified.count).toBe(0)
  await project.close()
})

describe.each(databases)('verification on %s', (name) => {
  let project: AuthProject
  beforeAll(async () => {
    project = await openAuth(name, {
      manifest: withVerification,
      config: (text) =>
        text
          .replace('verify_email: false', 'verify_email: true')
          .replace('user_with: []', "user_with: ['roles', 'posts', 'phone']")
          .replace('token_ttl: null', 'token_ttl: 30'),
    })
  })
  afterAll(() => project.close())

  const linkOf = async (email: string) => {
    const mails = (await project.mails())
      .split('---')
      .filter((mail) => mail.includes(`To: ${email}\n`))
    const [, id = '', hash = ''] =
      /verify-email\?id=(\w+)&emailHash=(\S+)/.exec(mails.at(-1) ?? '') ?? []
    return { id, hash }
  }
  const verify = (id: string, hash: string) =>
    project.request('POST', `/api/svc/verify/${id}/${hash}`)
  const verifiedAt = async (id: string) =>
    (await project.sql('SELECT email_verified_at FROM users WHERE id = ?', [Number(id)]))[0]?.[0]

  test('a link is mailed, and marks the address verified once', async () => {
    const { body } = await project.register('ada@example.test', {
      email_verified_at: '2026-01-01T00:00:00Z',
    })
    expect(body.attributes.email_verified_at).toBeNull()
    expect(Date.parse(body.meta.expires_at) - Date.now()).toBeGreaterThan(29 * 60_000)
    const { id, hash } = await linkOf('ada@example.test')
    expect(id).toBe(body.id)
    const answer = await verify(id, hash)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id, type: 'users', meta: { message: expect.any(String) } })
    expect(answer.body.attributes.email_verified_at).toMatch(/^20/)
    const first = await verifiedAt(id)
    expect((await verify(id, hash)).status).toBe(200)
    expect(await verifiedAt(id)).toEqual(first)
  })

  test('a verification link cannot be forged from known values', async () => {
    await project.register('bob@example.test')
    const { body } = await project.register('eve@example.test')
    const eve = await linkOf('eve@example.test')
    const bob = await linkOf('bob@example.test')
    const { createHash, createHmac } = await import('node:crypto')
    const sha1 = createHash('sha1').update('bob@example.test').digest('hex')
    const [expires = '', signature = ''] = bob.hash.split('-')
    const text = JSON.stringify(['verify-email', Number(expires), bob.id, 'bob@example.test'])
    const unkeyed = createHmac('sha256', '').update(text).digest('hex')
    for (const [id, hash] of [
      [bob.id, sha1],
      [bob.id, `${expires}-${unkeyed}`],
      [bob.id, eve.hash],
      [bob.id, `${Number(expires) + 1}-${signature}`],
      [bob.id, `${expires}-${'0'.repeat(64)}`],
      ['999999', bob.hash],
      ['nothing', bob.hash],
    ] as const) {
      const answer = await verify(id, hash)
      expect(answer).toMatchObject({ status: 403, body: { message: 'Invalid or expired link.' } })
    }
    expect(await verifiedAt(bob.id)).toBeNull()
    expect(body.id).toBe(eve.id)
    await project.sql('UPDATE users SET email = ? WHERE id = ?', [
      'gone@example.test',
      Number(eve.id),
    ])
    const { body: next } = await project.register('eve@example.test')
    expect((await verify(String(next.id), eve.hash)).status).toBe(403)
  })

  test('the link leads to the configured host, whatever the request says', async () => {
    const headers = {
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      origin: 'https://evil.test',
    }
    await project.send(
      '/api/register',
      {
        name: 'H',
        email: 'host@example.test',
        password,
        password_confirmation: password,
        url: 'https://evil.test',
      },
      headers,
    )
    const mails = await project.mails()
    expect(mails).toMatch(/To: host@example\.test\n[^]*http:\/\/localhost:5173\/verify-email\?id=/)
    expect(mails).not.toContain('evil.test')
  })

  test('a link marks the address it was sent to, not one that was written meanwhile', async () => {
    await project.register('meanwhile@example.test')
    const { id, hash } = await linkOf('meanwhile@example.test')
    const change = 'UPDATE users SET email = ? WHERE id = ?'
    const { commit } = await project.meanwhile('SELECT id, email, password', change, [
      'other@example.test',
      Number(id),
    ])
    await verify(id, hash)
    await commit
    expect(await verifiedAt(id)).toBeNull()
  })

  test('a link ends after a day', async () => {
    const { id, hash } = await linkOf('bob@example.test')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3600_000 })
    try {
      expect((await verify(id, hash)).status).toBe(403)
    } finally {
      vi.useRealTimers()
    }
  })

  test('a new address is not verified, and a link sent to the old one does not verify it', async () => {
    const { body } = await project.register('change@example.test')
    const old = await linkOf('change@example.test')
    await verify(old.id, old.hash)
    const { status } = await project.as(body.meta.token, 'PATCH', '/api/svc/profile', {
      email: 'New@example.test',
    })
    expect(status).toBe(200)
    expect(await verifiedAt(old.id)).toBeNull()
    expect((await verify(old.id, old.hash)).status).toBe(403)
    const fresh = await linkOf('new@example.test')
    expect((await verify(fresh.id, fresh.hash)).status).toBe(200)
  })

  test('relations of the user come with the token, in its statement', async () => {
    const { body } = await project.register('roles@example.test')
    const id = Number(body.id)
    const role = await project.insert('roles', { name: 'editor' })
    await project.link('role_user', { role_id: role, user_id: id })
    const { auth } = await project.load<{ auth: { find(id: number): Promise<unknown> } }>(
      'app/auth.ts',
    )
    expect(await auth.find(id)).toMatchObject({
      id,
      roles: [{ id: role, name: 'editor', created_at: expect.stringMatching(/^20.*Z$/) }],
      posts: [],
      phone: null,
    })
    const profile = await project.as(body.meta.token, 'GET', '/api/svc/profile')
    const tokens = profile.statements.filter(({ sql }) => sql.includes('personal_access_tokens t'))
    expect(tokens.length).toBe(1)
    expect(tokens[0]?.sql).toContain('role_user')
  })

  test('a token ends with its time', async () => {
    const { body } = await project.register('ttl@example.test')
    expect((await project.as(body.meta.token, 'GET', '/api/svc/profile')).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 60_000 })
    try {
      expect((await project.as(body.meta.token, 'GET', '/api/svc/profile')).status).toBe(401)
    } finally {
      vi.useRealTimers()
    }
  })
})

test('secrets are compared in constant time: tokens, reset tokens, verification links', async () => {
  const project = await openAuth('sqlite')
  const { body } = await project.register('ada@example.test')
  await project.send('/api/svc/forgotPassword', { email: 'ada@example.test' })
  await project.mails()
  const [id = ''] = String(body.meta.token).split('|')
  const chosen = { password: 'long enough', password_confirmation: 'long enough' }
  const wrong = { email: 'ada@example.test', token: 'x'.repeat(40), ...chosen }
  const doors = {
    token: () => project.as(`${id}|${'x'.repeat(40)}`, 'GET', '/api/svc/profile'),
    reset: () => project.send('/api/svc/resetPassword', wrong),
    verify: () => project.send(`/api/svc/verify/${body.id}/9999999999-${'0'.repeat(64)}`, {}),
  }
  for (const [door, ask] of Object.entries(doors)) {
    compared.count = 0
    expect((await ask()).status, door).toBeGreaterThanOrEqual(400)
    expect(compared.count, door).toBe(1)
  }
  await project.close()
})

const writable = (users: string) =>
  withVerification(users)
    .replaceAll('.readonly()', '')
    .replace('email, hasMany', 'email, hasMany, integer')
    .replace('password: password(),', 'password: password(),\n    credits: integer().default(0),')

test('a user cannot set is_admin or email_verified_at on themselves, even where the manifest lets requests write them', async () => {
  const project = await openAuth('sqlite', { manifest: writable })
  const power = { is_admin: true, email_verified_at: '2026-01-01T00:00:00Z' }
  const { body } = await project.register('mallory@example.test', { ...power, credits: 1000 })
  expect(body.attributes).toMatchObject({ is_admin: false, email_verified_at: null, credits: 0 })
  const { token } = body.meta
  const { status } = await project.as(token, 'PATCH', '/api/svc/profile', { ...power, name: 'M' })
  expect(status).toBe(200)
  const profile = await project.as(token, 'GET', '/api/svc/profile')
  expect(profile.body.data.attributes).toMatchObject({
    name: 'M',
    is_admin: false,
    email_verified_at: null,
  })
  const path = `/api/svc/users/${body.id}`
  const whole = { ...power, name: 'M', email: 'mallory@example.test' }
  const graphql = {
    query: `mutation ($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { is_admin email_verified_at } }`,
    variables: { id: body.id, input: power },
  }
  const made = { ...whole, email: 'made@example.test', password }
  const answers = [
    (await project.as(token, 'PATCH', path, power)).body.data.attributes,
    (await project.as(token, 'PUT', path, whole)).body.data.attributes,
    (await project.as(token, 'POST', '/graphql', graphql)).body.data.updateUser,
    (await project.as(token, 'POST', '/api/svc/users', made)).body.data.attributes,
  ]
  for (const attributes of answers) {
    expect(attributes).toMatchObject({ is_admin: false, email_verified_at: null })
  }
  await project.close()
})

test('a gate of the policy lets a user set them', async () => {
  const project = await openAuth('sqlite', {
    manifest: writable,
    policy: (text) => text.replace('update:', 'canUpdate: { is_admin: () => true },\n  update:'),
  })
  const { body } = await project.register('ada@example.test')
  const answer = await project.as(body.meta.token, 'PATCH', `/api/svc/users/${body.id}`, {
    is_admin: true,
    email_verified_at: '2026-01-01T00:00:00Z',
  })
  expect(answer.body.data.attributes).toMatchObject({ is_admin: true, email_verified_at: null })
  await project.close()
})
