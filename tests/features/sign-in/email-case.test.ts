import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../support/project.js'
import { openAuth, password, type AuthProject } from './project.js'

describe.each(databases)('an e-mail that a seed wrote with capitals, on %s', (name) => {
  let project: AuthProject
  beforeAll(async () => {
    project = await openAuth(name)
    const { hashPassword } = await project.load<
      typeof import('../../../runtime/features/sign-in/password.js')
    >('runtime/features/sign-in/password.ts')
    await project.insert('users', {
      name: 'Ada',
      email: 'Ada@Example.TEST',
      password: await hashPassword(password),
      is_admin: false,
    })
  })
  afterAll(() => project.close())

  test.each(['ada@example.test', 'Ada@Example.TEST', 'ADA@EXAMPLE.TEST'])(
    '%s signs in',
    async (email) => {
      const { status, body } = await project.send('/api/login', { email, password })
      expect(status).toBe(200)
      expect(body.attributes.email).toBe('Ada@Example.TEST')
    },
  )

  test('it cannot be registered, stored or updated to again, in whatever case', async () => {
    const { body: bob } = await project.register('bob@example.test')
    const taken = {
      status: 422,
      body: { errors: { email: ['The email has already been taken.'] } },
    }
    for (const email of ['ada@example.test', 'Ada@Example.TEST']) {
      expect(await project.register(email)).toMatchObject(taken)
      const made = { name: 'Eve', email, password }
      expect(await project.as(bob.meta.token, 'POST', '/api/svc/users', made)).toMatchObject(taken)
      const own = `/api/svc/users/${bob.id}`
      expect(await project.as(bob.meta.token, 'PATCH', own, { email })).toMatchObject(taken)
      const profile = await project.as(bob.meta.token, 'PATCH', '/api/svc/profile', { email })
      expect(profile).toMatchObject(taken)
    }
  })

  test('the database rejects two that differ only in case', async () => {
    const twin = { name: 'Eve', email: 'aDA@example.test', password: '-', is_admin: false }
    await expect(project.insert('users', twin)).rejects.toThrow(/unique/)
  })

  test('a reset link works, and ends the tokens', async () => {
    const { body } = await project.send('/api/login', { email: 'ada@example.test', password })
    await project.send('/api/svc/forgotPassword', { email: 'ADA@example.test' })
    const { token } = await project.resetLink()
    expect(await project.mails()).toContain('To: Ada@Example.TEST\n')
    const next = { password: 'a second one', password_confirmation: 'a second one' }
    const reset = { token, email: 'aDa@example.test', ...next }
    expect((await project.send('/api/svc/resetPassword', reset)).status).toBe(200)
    expect((await project.as(body.meta.token, 'GET', '/api/svc/profile')).status).toBe(401)
    const login = { email: 'ada@example.test', password: 'a second one' }
    expect((await project.send('/api/login', login)).status).toBe(200)
  })

  test('looking up a user by e-mail reads an index, not the table', async () => {
    const { foldedEmail } = await project.load<
      typeof import('../../../runtime/features/sign-in/emails.js')
    >('runtime/features/sign-in/emails.ts')
    const lookup = `SELECT id FROM users WHERE ${foldedEmail(name)} = 'x' ORDER BY id LIMIT 1`
    const plan =
      name === 'sqlite'
        ? await project.sql(`EXPLAIN QUERY PLAN ${lookup}`)
        : await project.database.transaction(async (connection) => {
            const ask = (sql: string) => connection.query({ sql, access: 'write' }, [])
            await ask('SET LOCAL enable_seqscan = off')
            return ask(`EXPLAIN ${lookup}`)
          })
    expect(JSON.stringify(plan)).toContain('users_email_any_case')
  })
})
