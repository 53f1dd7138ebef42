/** On PostgreSQL, a total is not counted again as long as the same rows are visible, and is exact nevertheless. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { current } from '../../../runtime/features/transactions/current.js'
import { joinTransactions } from '../../../runtime/features/transactions/join.js'
import { inOneTransaction } from '../../../runtime/features/transactions/one-transaction.js'
import { openManifest } from '../../support/own-manifest.js'
import { load, type Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/core/http/manifests/direct-way.ts',
  policies: {
    Note: {
      show: '(user) => any({ is_open: true }, { owner: { is: { name: user?.name } } })',
      update: '(user) => user?.is_admin === true',
    },
  },
}

interface User {
  readonly id: number
  readonly name: string
}

describe('totals on PostgreSQL', () => {
  let project: Project
  let other: pg.Client
  let index: (user: User, query?: object) => Promise<{ total: number; data: unknown[] }>
  let sent: (readonly [string, readonly unknown[]])[] = []
  const users: User[] = []

  beforeAll(async () => {
    project = await openManifest(manifest, 'postgresql')
    const { repositories } = await load(project.folder, 'app/Repositories/index.ts')
    index = repositories['notes'].index
    const { database } = project
    other = new pg.Client((database as unknown as { pool: pg.Pool }).pool.options)
    await other.connect()
    const { query } = database
    const watched = (...[statement, values, caller]: Parameters<typeof query>) => {
      sent.push([statement.sql, values])
      return query(statement, values, caller)
    }
    database.query = Object.assign(watched, query)
    for (const name of ['Ann', 'Ben']) users.push({ id: await project.user(name), name })
    for (let at = 0; at < 30; at += 1) {
      const [owner_id, is_open] = [users[at % 2]?.id, at % 3 === 0]
      await project.insert('notes', { title: `${at}`, likes: at, owner_id, is_open })
    }
  })
  afterAll(async () => {
    await other.end()
    await project.close()
  })

  /** What is told, and what is true. */
  async function totals(user: User, query: object = {}) {
    const { total } = await index(user, query)
    const where = `deleted_at is null and (is_open or owner_id = ${user.id})`
    const { rows } = await other.query<{ n: number }>(
      `select count(*)::int as n from notes where ${where}`,
    )
    return { total, truly: rows[0]?.n }
  }

  async function expectRight(...queries: readonly object[]) {
    for (const user of users) {
      for (const query of queries.length === 0 ? [{}] : queries) {
        const { total, truly } = await totals(user, query)
        expect([user.name, query, total]).toEqual([user.name, query, truly])
      }
    }
  }

  /** Runs the statement of the last list, and says whether it counted. */
  async function didCount(user: User, query: object = {}): Promise<boolean> {
    sent = []
    await index(user, query)
    const [sql = '', values = []] = sent.at(-1) ?? []
    const { rows } = await other.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${sql}`,
      [...values],
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Aggregate')
    return !/Aggregate \(never executed\)/.test(plan)
  }

  test('are counted once, for each user and their rows', async () => {
    await expectRight({}, { page: 2, perPage: 4 })
    const [ann, ben] = users as [User, User]
    expect([await didCount(ann), await didCount(ben)]).toEqual([false, false])
    // The total is that of all pages.
    expect(await didCount(ann, { page: 2, perPage: 4 })).toBe(false)
    await expectRight({}, { page: 2, perPage: 4 })
  })

  test('are counted again after every write of anybody, and are right', async () => {
    const [ann] = users as [User]
    const writes = [
      `insert into notes (title, likes, is_open, created_at, updated_at) values ('x', 1, true, now(), now())`,
      `update notes set deleted_at = now() where id = 4`,
      `update notes set owner_id = ${users[1]?.id} where id = 3`,
      'delete from notes where id = 7',
      `update users set name = name where id = ${ann.id}`,
    ]
    for (const write of writes) {
      await expectRight()
      await other.query(write)
      await expectRight({}, { page: 2, perPage: 4 })
    }
  })

  test('do not have what is not committed, and have it once it is', async () => {
    const [ann] = users as [User]
    const { total } = await index(ann)
    await other.query('begin')
    await other.query('update notes set is_open = false')
    expect((await index(ann)).total).toBe(total)
    await other.query('savepoint a')
    await other.query('delete from notes where id = 1')
    await other.query('rollback to a')
    expect((await index(ann)).total).toBe(total)
    await other.query('commit')
    expect((await index(ann)).total).toBeLessThan(total)
    await expectRight()
  })

  test('of random writes and lists are those of the database', async () => {
    let state = 5
    const next = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    for (let at = 0; at < 60; at += 1) {
      const id = 1 + next(30)
      if (next(2) === 0)
        await other.query(`update notes set is_open = not is_open where id = ${id}`)
      await expectRight({ page: 1 + next(2), perPage: 5 })
    }
  })

  test('in a transaction have what it wrote, and tell nobody else before it is committed', async () => {
    joinTransactions(project.database as Parameters<typeof joinTransactions>[0], {
      transaction_ms: 5000,
    })
    const [ann] = users as [User]
    const { total } = await index(ann)
    const undone = inOneTransaction(project.database, 'a test', async ({ query }) => {
      const inside = [(await index(ann)).total]
      for (const id of [1, 2]) {
        const sql = `insert into notes (title, likes, is_open, created_at, updated_at) values ('${id}', 1, true, now(), now())`
        await query({ sql, access: 'write' }, [])
        inside.push((await index(ann)).total)
      }
      expect(inside).toEqual([total, total + 1, total + 2])
      expect(await current.exit(() => index(ann))).toMatchObject({ total })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect((await index(ann)).total).toBe(total)
  })

  test('beyond the last page are counted', async () => {
    await expectRight({ page: 900, perPage: 4 })
  })
})
