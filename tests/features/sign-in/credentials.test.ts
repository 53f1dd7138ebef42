import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../support/project.js'
import { openAuth, password, withVerification, type AuthProject } from './project.js'

/**
 * Admins change everyone, passwords too; everybody else changes only themselves, and Eve not even
 * that. Nobody sees those called Hidden, or Eve.
 */
const withAdmins = (policy: string) =>
  policy
    .replace(
      'show: (user) => user !== null',
      "show: () => ({ name: { notIn: ['Hidden', 'Eve'] } })",
    )
    .replace(
      'update: (user) => ({ id: user?.id }),',
      `update: (user) => (user?.is_admin === true ? true : { id: user?.id, name: { not: 'Eve' } }),
  canUpdate: { password: (user) => user?.is_admin === true },`,
    )

describe.each(databases)('users as resources on %s', (name) => {
  let project: AuthProject
  beforeAll(async () => void (project = await openAuth(name, { manifest: withVerification })))
  afterAll(() => project.close())

  const verify = async (id: string) => {
    const now = new Date().toISOString()
    const time = name === 'sqlite' ? now.replace('Z', '+00:00') : now
    await project.sql('UPDATE users SET email_verified_at = ? WHERE id = ?', [time, Number(id)])
  }
  const person = async (email: string) => {
    const { body } = await project.register(email)
    await verify(body.id)
    return { id: String(body.id), token: String(body.meta.token) }
  }

  test('a new e-mail is not verified, in the answer and in the table', async () => {
    const { id, token } = await person('ada@example.test')
    const path = `/api/svc/users/${id}`
    const same = await project.as(token, 'PATCH', path, { email: 'ADA@example.test', name: 'A' })
    expect(same.body.data.attributes.email_verified_at).not.toBeNull()
    const { status, body } = await project.as(token, 'PATCH', path, { email: 'new@example.test' })
    expect(status).toBe(200)
    expect(body.data.attributes).toMatchObject({
      email: 'new@example.test',
      email_verified_at: null,
    })
    await verify(id)
    const put = { name: 'A', email: 'newer@example.test' }
    expect((await project.as(token, 'PUT', path, put)).status).toBe(200)
    const rows = await project.sql('SELECT email_verified_at FROM users WHERE id = ?', [Number(id)])
    expect(rows).toEqual([[null]])
  })

  test('a new e-mail written over GraphQL is not verified either', async () => {
    const { id, token } = await person('graph@example.test')
    const update = (input: object) =>
      project.as(token, 'POST', '/graphql', {
        query: `mutation ($id: ID!, $input: UserInput!) { updateUser(id: $id, input: $input) { email_verified_at } }`,
        variables: { id, input },
      })
    const { body } = await update({ email: 'graph2@example.test' })
    expect(body.data.updateUser).toEqual({ email_verified_at: null })
    const refused = await update({ password: 'another password' })
    expect(JSON.stringify(refused.body.errors)).toContain('The password cannot be changed here.')
  })

  test('a token alone does not change a password', async () => {
    const { id, token } = await person('own@example.test')
    const path = `/api/svc/users/${id}`
    for (const [method, value] of [
      ['PATCH', 'another password'],
      ['PUT', 'another password'],
      ['PATCH', null],
    ] as const) {
      const body = { name: 'A', email: 'own@example.test', password: value }
      const answer = await project.as(token, method, path, body)
      expect(answer).toMatchObject({
        status: 422,
        body: { errors: { password: ['The password cannot be changed here.'] } },
      })
    }
    const login = { email: 'own@example.test', password }
    expect((await project.send('/api/login', login)).status).toBe(200)
  })

  test('authorization errors win over validation errors', async () => {
    const ada = await person('first@example.test')
    const bob = await person('second@example.test')
    const change = { password: 'another password' }
    const answer = await project.as(ada.token, 'PATCH', `/api/svc/users/${bob.id}`, change)
    expect(answer.status).toBe(403)
  })

  test('a password equal to the e-mail is 422, wherever a user is made', async () => {
    const { token } = await person('maker@example.test')
    const made = { name: 'B', email: 'made@example.test', password: 'MADE@example.test' }
    const answer = await project.as(token, 'POST', '/api/svc/users', made)
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: { password: ['The password must not be the e-mail.'] } },
    })
  })
})

describe.each(databases)('a policy that lets admins set passwords, on %s', (name) => {
  let project: AuthProject
  let admin: { id: string; token: string }
  beforeAll(async () => {
    project = await openAuth(name, { policy: withAdmins })
    const { body } = await project.register('admin@example.test')
    const yes = name === 'sqlite' ? 1 : 'true'
    await project.sql('UPDATE users SET is_admin = ? WHERE id = ?', [yes, Number(body.id)])
    admin = { id: body.id, token: body.meta.token }
  })
  afterAll(() => project.close())

  const set = (id: string, next: string, more: object = {}) =>
    project.as(admin.token, 'PATCH', `/api/svc/users/${id}`, { password: next, ...more })

  test('a new password ends every token and reset link of that user, and of no other', async () => {
    const { body } = await project.register('ada@example.test')
    const { body: other } = await project.register('bob@example.test')
    await project.send('/api/svc/forgotPassword', { email: 'ada@example.test' })
    const { token, email } = await project.resetLink()
    expect((await set(body.id, 'set by an admin')).status).toBe(200)
    const profile = async (text: string) =>
      (await project.as(text, 'GET', '/api/svc/profile')).status
    expect(await profile(body.meta.token)).toBe(401)
    expect(await profile(other.meta.token)).toBe(200)
    expect(await profile(admin.token)).toBe(200)
    const reset = { token, email, password: 'by a link', password_confirmation: 'by a link' }
    expect((await project.send('/api/svc/resetPassword', reset)).status).toBe(400)
    const login = { email: 'ada@example.test', password: 'set by an admin' }
    expect((await project.send('/api/login', login)).status).toBe(200)
  })

  test('a change that fails ends no token', async () => {
    const { body } = await project.register('keep@example.test')
    expect((await set(body.id, 'short')).status).toBe(422)
    expect((await set(body.id, 'KEEP@example.test')).status).toBe(422)
    expect((await set(body.id, 'long enough', { email: 'admin@example.test' })).status).toBe(422)
    expect((await project.as(body.meta.token, 'GET', '/api/svc/profile')).status).toBe(200)
    const login = { email: 'keep@example.test', password }
    expect((await project.send('/api/login', login)).status).toBe(200)
  })

  test('admins change their own password with the current one', async () => {
    expect((await set(admin.id, 'another password')).status).toBe(422)
    const { body } = await project.register('plain@example.test')
    const path = `/api/svc/users/${body.id}`
    const own = await project.as(body.meta.token, 'PATCH', path, { password: 'another password' })
    expect(own.status).toBe(422)
  })

  test('a user who may not see their own record still changes it at the profile, as `update` allows', async () => {
    const { body } = await project.register('hidden@example.test', { name: 'Hidden' })
    const { token } = body.meta
    const path = `/api/svc/users/${body.id}`
    expect((await project.as(token, 'PATCH', path, { is_admin: false })).status).toBe(404)
    const changed = await project.as(token, 'PATCH', '/api/svc/profile', {
      email: 'h@example.test',
    })
    expect(changed).toMatchObject({
      status: 200,
      body: {
        data: { attributes: { email: 'h@example.test' }, meta: { authorizedToShow: false } },
      },
    })
    const { body: eve } = await project.register('eve@example.test', { name: 'Eve' })
    const refused = await project.as(eve.meta.token, 'PATCH', '/api/svc/profile', { name: 'Ann' })
    expect(refused.status).toBe(403)
  })
})
