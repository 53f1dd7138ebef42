/** `bulk` with a cascade: what one request locks, it locks in the order of keys, whatever that of its list. */
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PostgresDatabase } from '../../../runtime/database/postgres/open.js'
import { openManifest } from '../../support/own-manifest.js'
import { type Answer, databases, type Project } from '../../support/project.js'

const manifest = { manifest: 'tests/features/bulk/manifests/locks.ts' }

const api = '/api/svc'
const ids = Array.from({ length: 20 }, (_, at) => String(at + 1))

describe.each(databases)('many records with what goes along on %s', (name) => {
  let project: Project
  let ann: number
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
  })
  afterAll(() => project.close())
  beforeEach(async () => {
    for (const table of ['files', 'folders']) {
      await project.database.query({ sql: `delete from ${table}`, access: 'write' }, [])
    }
    for (const id of ids) {
      await project.insert('folders', { id: Number(id), name: id })
      await project.insert('files', { id: 1000 + Number(id), name: id, folder_id: Number(id) })
    }
  })

  const removeMany = (list: readonly string[]) =>
    project.post(`${api}/folders/bulk/delete`, { ids: list }, ann)
  const there = async (key: string): Promise<unknown> =>
    (await project.get(`${api}/${key}?perPage=100`, ann)).body.data.length

  it('are deleted by one of two that delete the same in opposite orders', async () => {
    const answers = await Promise.all([removeMany(ids), removeMany(ids.toReversed())])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404])
    expect([await there('folders'), await there('files')]).toEqual([0, 0])
  })

  const requests: Record<string, () => Promise<Answer>> = {
    'are deleted': () => removeMany(['2', '1']),
    'are made below others': () =>
      project.post(
        `${api}/files/bulk`,
        ['2', '1'].map((id) => ({ name: 'new', folder_id: id })),
        ann,
      ),
    'are moved below others': () =>
      project.patch(
        `${api}/files/bulk`,
        ['2', '1'].map((id, at) => ({ id: String(at + 1010), folder_id: id })),
        ann,
      ),
  }
  const waits = async (client: pg.Client) => {
    const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    // In a transaction the first answer would stand.
    const isWaiting = async () => {
      await client.query('select pg_stat_clear_snapshot()')
      return (await client.query(sql)).rows.length > 0
    }
    while (!(await isWaiting())) await new Promise(setImmediate)
  }
  /** Returns true if the second folder is free while the request waits for the first one. */
  const locking = async (request: () => Promise<Answer>) => {
    const { pool } = project.database as PostgresDatabase
    const [holder, other] = [new pg.Client(pool.options), new pg.Client(pool.options)]
    await Promise.all([holder.connect(), other.connect()])
    try {
      await holder.query('begin')
      await holder.query('select 1 from folders where id = 1 for update')
      const answer = request()
      await waits(other)
      await other.query('select 1 from folders where id = 2 for update nowait')
      await holder.query('commit')
      expect((await answer).status).toBeLessThan(300)
    } finally {
      await Promise.all([holder.end(), other.end()])
    }
  }
  // SQLite has one writer: nothing is locked by rows.
  const locked = name === 'postgresql' ? Object.entries(requests) : []
  for (const [what, request] of locked) {
    it(`lock in the order of keys when they ${what}`, () => locking(request))
  }

  const goneMeanwhile = async () => {
    const { pool } = project.database as PostgresDatabase
    const holder = new pg.Client(pool.options)
    await holder.connect()
    try {
      await holder.query('begin')
      await holder.query('select 1 from folders where id in (1, 3) for update')
      await holder.query('update folders set deleted_at = now() where id in (1, 3)')
      const list = ['3', '2', '1'].map((id) => ({ name: 'new', folder_id: id }))
      const answer = project.post(`${api}/files/bulk`, list, ann)
      await waits(holder)
      await holder.query('commit')
      const { status, body } = await answer
      expect([status, Object.keys(body.errors)]).toEqual([422, ['0.folder_id', '2.folder_id']])
    } finally {
      await holder.end()
    }
  }
  if (name === 'postgresql') it('name each whose folder has gone meanwhile', goneMeanwhile)
})
