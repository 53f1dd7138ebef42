/** Policies, gates and hooks may use the database, however few connections it has. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../../../runtime/database/postgres/open.js'
import { openSqlite } from '../../../runtime/database/sqlite/open.js'
import type { Database } from '../../../runtime/database/types.js'
import { freshDatabase } from '../../support/postgres.js'
import { type Blog, createBlog } from './blog.js'
import { createTables, dialects, execute } from './databases.js'

describe.each(dialects)('a pool of two connections on %s', (dialect) => {
  let database: Database
  let blog: Blog
  const ada = { id: 1 }

  beforeAll(async () => {
    database =
      dialect === 'sqlite'
        ? openSqlite(':memory:', { turnTimeoutMs: 20_000 })
        : openPostgres(await freshDatabase(), { max: 2, connectionTimeoutMs: 20_000 })
    await createTables(database)
    const asks = async () => (await execute(database, 'select 1')).length === 1
    const writes = async () => void (await execute(database, 'update tags set name = name'))
    blog = createBlog(database, {
      policies: {
        companies: {
          ...{ show: asks, store: asks, update: asks, delete: asks },
          ...{ attachUsers: asks, syncUsers: asks, detachUsers: asks },
        },
      },
      hooks: {
        companies: {
          computed: { summary: () => null, ranking: () => [] },
          fill: { updated_at: async () => (await asks(), new Date().toISOString()) },
          beforeStore: writes,
          afterStore: writes,
          beforeUpdate: writes,
          afterUpdate: writes,
          beforeDelete: writes,
          afterDelete: writes,
        },
      },
    })
  })
  afterAll(() => database.close())

  test('serves 50 requests at once whose policies and hooks use the database', async () => {
    for (let n = 1; n <= 3; n++) {
      await blog.users.store(null, { name: `U${n}`, email: `u${n}@x.org`, password: 'long enough' })
    }
    const { companies } = blog
    const { id } = await companies.store(ada, { name: 'Shared' })
    const spare = await Promise.all(
      Array.from({ length: 10 }, () => companies.store(ada, { name: 'Spare' })),
    )
    const requests = Array.from({ length: 10 }, (_, n) => [
      companies.store(ada, { name: 'New' }),
      companies.patch(ada, id, { name: `N${n}` }),
      companies.delete(ada, spare[n]?.id ?? ''),
      companies.attach(ada, id, 'users', { users: [1 + (n % 3)] }),
      n % 2 === 0
        ? companies.sync(ada, id, 'users', { users: [1, 2] })
        : companies.detach(ada, id, 'users', { users: [3] }),
    ])
    const outcomes = await Promise.allSettled(requests.flat())
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  })

  test('asks an attach anew when a record changes between its policy and its transaction', async () => {
    const { id } = await createBlog(database).companies.store(ada, { name: 'Before' })
    const seen: string[] = []
    const { companies } = createBlog(database, {
      policies: {
        companies: {
          attachUsers: async (_, { name }) => {
            seen.push(name)
            await execute(database, `update companies set name = 'After' where id = ?`, [
              Number(id),
            ])
            return true
          },
        },
      },
    })
    await companies.attach(ada, id, 'users', { users: [1] })
    expect(seen).toEqual(['Before', 'After'])
  })

  test('ends an attach whose records never rest as unavailable, with nothing written', async () => {
    const { id } = await createBlog(database).companies.store(ada, { name: '0' })
    let count = 0
    const { companies } = createBlog(database, {
      policies: {
        companies: {
          attachUsers: async () => {
            const next = String((count += 1))
            await execute(database, 'update companies set name = ? where id = ?', [
              next,
              Number(id),
            ])
            return true
          },
        },
      },
    })
    const failing = companies.attach(ada, id, 'users', { users: [1] })
    await expect(failing).rejects.toMatchObject({ name: 'UnavailableError' })
    const rows = 'select count(*) from company_user where company_id = ?'
    expect(Number((await execute(database, rows, [Number(id)]))[0]?.[0])).toBe(0)
  })
})
