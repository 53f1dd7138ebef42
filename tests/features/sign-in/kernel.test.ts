/** What the repository of users does with columns of power and with e-mails of others, for one record and for many. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../runtime/database/types.js'
import { updateMany } from '../../../runtime/features/bulk/bulk.js'
import { credentialsOf } from '../../../runtime/features/sign-in/credentials.js'
import { createThrottles } from '../../../runtime/features/sign-in/throttle.js'
import { boolean, email } from '../../../runtime/input/rules.js'
import { type BlogOptions, createBlog, storing } from '../../core/kernel/blog.js'
import { dialects, openDatabase } from '../../core/kernel/databases.js'
import { failure } from '../../core/kernel/failure.js'

describe.each(dialects)('credentials on %s', (dialect) => {
  let database: Database
  const ada = { id: 1, email: 'ada@x.org' }
  beforeAll(async () => {
    database = await openDatabase(dialect)
    const { users } = createBlog(database)
    for (const name of ['ada', 'bob', 'eve', 'dan']) {
      await users.store(null, { name, email: `${name}@x.org`, password: 'long enough' })
    }
  })
  afterAll(() => database.close())

  const usersWith = (options: BlogOptions = {}) => {
    const throttles = createThrottles({
      throttles: { changeEmail: { limit: 1, minutes: 60 } } as never,
      database,
      env: { THROTTLE_STORE: 'memory', TRUSTED_PROXIES: 0 },
    })
    const extensions = [storing(String), credentialsOf({ table: 'users', throttles })]
    const rules = { is_admin: boolean().optional(), email: email().optional() }
    const definitions = { users: { extensions, rules, unique: ['email'] } }
    return createBlog(database, { ...options, definitions }).users
  }

  test('a column of power is written only where a gate of the policy names it', async () => {
    const isAdmin = async () => (await usersWith().find(ada, '2')).is_admin
    await usersWith().patch(ada, '2', { is_admin: true })
    await updateMany(usersWith(), ada, [{ id: '2', is_admin: true }], { most: 10 })
    expect(await isAdmin()).toBe(false)
    const canUpdate = { is_admin: () => true }
    await usersWith({ policies: { users: { canUpdate } } }).patch(ada, '2', { is_admin: true })
    expect(await isAdmin()).toBe(true)
  })

  test('each record that would take an e-mail of somebody is an attempt, alone or in a list', async () => {
    const users = usersWith()
    const statusOf = async (rows: readonly object[]) =>
      (await failure(updateMany(users, ada, rows as never, { most: 10 }))).status
    // Of the two e-mails of each request, one is taken. Ten attempts are open, and both count while they are tried.
    const rows = (at: number) => [
      { id: '4', email: `new${at}@x.org` },
      { id: '3', email: 'bob@x.org' },
    ]
    const statuses: (number | undefined)[] = []
    for (let at = 0; at < 10; at++) statuses.push(await statusOf(rows(at)))
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 422), 429])
    const alone = await failure(users.patch(ada, '3', { email: 'bob@x.org' }))
    expect(alone.status).toBe(429)
  })
})
