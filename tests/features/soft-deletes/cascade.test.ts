/** `cascade`: what goes into the trash with a record comes back with it, and nothing else. */
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PostgresDatabase } from '../../../runtime/database/postgres/open.js'
import { createGate, type Gate } from '../../support/gate.js'
import { openManifest } from '../../support/own-manifest.js'
import { databases, type DatabaseName, type Answer, type Project } from '../../support/project.js'

const manifest = {
  manifest: 'tests/features/soft-deletes/manifests/cascade.ts',
  files: {
    'app/Hooks/FolderHooks.ts': `import type { FolderModel, HooksFor } from '#app/Models.js'
import { waits } from './waits.js'

export const FolderHooks: HooksFor<FolderModel> = { insideDelete: () => waits('folder goes') }
`,
    'app/Hooks/FileHooks.ts': `import type { FileModel, HooksFor } from '#app/Models.js'
import { waits } from './waits.js'

export const FileHooks: HooksFor<FileModel> = {
  beforeStore: () => waits('file is made'),
  beforeUpdate: () => waits('file is moved'),
  beforeRestore: () => waits('file is brought back'),
}
`,
    'app/Hooks/NoteHooks.ts': `import type { HooksFor, NoteModel } from '#app/Models.js'
import { waits } from './waits.js'

export const NoteHooks: HooksFor<NoteModel> = { beforeStore: () => waits('note is made') }
`,
    'app/Hooks/PageEntityHooks.ts': `import type { HooksFor, PageEntityModel } from '#app/Models.js'
import { waits } from './waits.js'

export const PageEntityHooks: HooksFor<PageEntityModel> = { insideStore: () => waits('page is inserted') }
`,
    'app/Hooks/waits.ts': `interface Waiting { readonly arrived: { open(): void }; readonly goOn: { readonly opened: Promise<void> } }

export async function waits(where: string): Promise<void> {
  const { waiting } = globalThis as unknown as { waiting: Map<string, Waiting> }
  const found = waiting.get(where)
  waiting.delete(where)
  found?.arrived.open()
  await found?.goOn.opened
}
`,
  },
}

/** Where hooks wait until a test lets them go on. */
const waiting = new Map<string, { readonly arrived: Gate; readonly goOn: Gate }>()
Object.assign(globalThis, { waiting })

const api = '/api/svc'

let project: Project
let ann: number

const run = (sql: string) => project.database.query({ sql, access: 'write' }, [])

const ids = async (key: string) =>
  ((await project.get(`${api}/${key}?perPage=100`, ann)).body.data as { id: string }[])
    .map(({ id }) => Number(id))
    .toSorted((one, other) => one - other)
const all = async () => [
  await ids('folders'),
  await ids('files'),
  await ids('pages'),
  await ids('notes'),
]
const remove = async (path: string) => (await project.delete(`${api}/${path}`, ann)).status
const restore = async (path: string) =>
  (await project.post(`${api}/${path}/restore`, {}, ann)).status

/** What a request answers that waits in a hook until the other one is through. */
async function meanwhile(where: string, request: () => Promise<Answer>, other: () => unknown) {
  const [arrived, goOn] = [createGate(), createGate()]
  waiting.set(where, { arrived, goOn })
  const answer = request()
  await arrived.opened
  await other()
  goOn.open()
  return answer
}
const goes = () => remove('folders/1')

const shelf = '11111111-1111-4111-8111-111111111111'
const onShelf = async (...files: number[]) => {
  await project.insert('shelves', { id: shelf, name: 'shelf' })
  await run(`update files set shelf_id = '${shelf}' where id in (${files.join()})`)
}
const trashed = async (key: string) =>
  (
    (await project.get(`${api}/${key}?perPage=100&trashed=only`, ann)).body.data as {
      id: string
    }[]
  )
    .map(({ id }) => Number(id))
    .toSorted((one, other) => one - other)

describe.each(databases)('going along on %s', (name) => {
  beforeAll(async () => {
    project = await openManifest(manifest, name)
    ann = await project.user('Ann')
  })
  afterAll(() => project.close())
  beforeEach(async () => {
    for (const table of ['notes', 'pages', 'files', 'folders', 'shelves'])
      await run(`delete from ${table}`)
    for (const folder of [1, 2]) {
      await project.insert('folders', { id: folder, name: `${folder}` })
      const note = { noteable_type: 'folders', noteable_id: `${folder}` }
      await project.insert('notes', { id: folder, name: `${folder}`, ...note })
      for (const file of [folder * 10, folder * 10 + 1]) {
        await project.insert('files', { id: file, name: `${file}`, folder_id: folder })
        await project.insert('pages', { id: file * 10, name: '', file_id: file })
        await project.insert('pages', { id: file * 10 + 1, name: '', file_id: file })
      }
    }
  })

  describe('restored', () => {
    restored(name)
  })
  describe('while others write', () => {
    besideOthers()
  })
  describe('below two records', () => {
    belowTwo()
  })
  if (name === 'postgresql') {
    describe('while another program writes', () => {
      besidePrograms()
    })
  }
})

function restored(name: DatabaseName): void {
  it('is stamped at one instant, and restored exactly', async () => {
    expect([await remove('files/10'), await remove('pages/110')]).toEqual([204, 204])
    const before = await all()
    expect(before).toEqual([
      [1, 2],
      [11, 20, 21],
      [111, 200, 201, 210, 211],
      [1, 2],
    ])
    expect(await remove('folders/1')).toBe(204)
    expect(await all()).toEqual([[2], [20, 21], [200, 201, 210, 211], [2]])
    const stamps = await run(`select deleted_at from folders where id = 1
      union select removed_at from files where id = 11
      union select deleted_at from pages where id = 111
      union select deleted_at from notes where id = 1`)
    expect(stamps).toHaveLength(1)
    expect(await restore('folders/1')).toBe(200)
    expect(await all()).toEqual(before)
    expect(await restore('files/10')).toBe(200)
    expect(await ids('pages')).toEqual([100, 101, 111, 200, 201, 210, 211])
  })

  it('costs as many statements for many as for one, in one transaction', async () => {
    const few = await project.delete(`${api}/folders/2`, ann)
    for (let id = 1000; id < 1040; id++) {
      await project.insert('files', { id, name: `${id}`, folder_id: 1 })
    }
    const many = await project.delete(`${api}/folders/1`, ann)
    expect(many.statements).toHaveLength(few.statements.length)
    expect(await all()).toEqual([[], [], [], []])
  })

  it('comes back whole or not at all: a key of theirs that is taken is told', async () => {
    await remove('folders/1')
    await project.insert('files', { id: 30, name: '10', folder_id: 2 })
    const answer = await project.post(`${api}/folders/1/restore`, {}, ann)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['files']])
    expect(await all()).toEqual([[2], [20, 21, 30], [200, 201, 210, 211], [2]])
    await run('update files set removed_at = created_at where id = 30')
    expect(await restore('folders/1')).toBe(200)
    expect(await ids('files')).toEqual([10, 11, 20, 21])
  })

  const now = name === 'sqlite' ? `datetime('now')` : 'clock_timestamp()'

  it('comes back where SQL put all of it into the trash', async () => {
    await run(
      name === 'sqlite' ? 'select 1' : 'alter table folders alter deleted_at type timestamptz(6)',
    )
    await run(
      name === 'sqlite' ? 'select 1' : 'alter table files alter removed_at type timestamptz(6)',
    )
    await run(`update folders set deleted_at = ${now} where id = 1`)
    await run(
      'update files set removed_at = (select deleted_at from folders where id = 1) where id = 10',
    )
    const before = name === 'sqlite' ? `datetime('now', '-1 second')` : `- interval '1 microsecond'`
    const other =
      name === 'sqlite' ? before : `(select deleted_at from folders where id = 1) ${before}`
    await run(`update files set removed_at = ${other} where id = 11`)
    expect(await restore('folders/1')).toBe(200)
    expect([await ids('folders'), await ids('files')]).toEqual([
      [1, 2],
      [10, 20, 21],
    ])
    expect(await restore('files/11')).toBe(200)
  })
}

function besideOthers(): void {
  it('is not made, or moved, below a record that has gone meanwhile', async () => {
    const before = await run('select id, folder_id from files order by id')
    const make = () => project.post(`${api}/files`, { name: 'new', folder_id: '1' }, ann)
    const made = await meanwhile('file is made', make, goes)
    expect({ status: made.status, fields: Object.keys(made.body.errors) }).toEqual({
      status: 422,
      fields: ['folder_id'],
    })
    expect(await restore('folders/1')).toBe(200)
    const below = () => project.post(`${api}/folders/1/files`, { name: 'new' }, ann)
    expect((await meanwhile('file is made', below, goes)).status).toBe(404)
    expect(await restore('folders/1')).toBe(200)
    const move = () => project.patch(`${api}/files/20`, { folder_id: '1' }, ann)
    expect((await meanwhile('file is moved', move, goes)).status).toBe(422)
    expect(await restore('folders/1')).toBe(200)
    const note = () => project.post(`${api}/folders/1/notes`, { name: 'new' }, ann)
    expect((await meanwhile('note is made', note, goes)).status).toBe(404)
    expect(await restore('folders/1')).toBe(200)
    expect(await run('select id, folder_id from files order by id')).toEqual(before)
    const other = () => project.patch(`${api}/folders/1`, { name: 'other' }, ann)
    expect((await meanwhile('file is made', make, other)).status).toBe(201)
  })

  it('is not brought back below a record that is in the trash', async () => {
    const refused = async (path: string, field: string) => {
      const answer = await project.post(`${api}/${path}/restore`, {}, ann)
      expect([path, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([
        ...[path, 422, [field]],
      ])
    }
    expect([await remove('files/10'), await goes()]).toEqual([204, 204])
    await refused('files/10', 'folder_id')
    await refused('files/11', 'folder_id')
    await refused('pages/110', 'file_id')
    await refused('notes/1', 'noteable_id')
    expect(await all()).toEqual([[2], [20, 21], [200, 201, 210, 211], [2]])
    // Deleting the folder for good would take along one that is there.
    expect(await restore('folders/1')).toBe(200)
    expect(await restore('files/10')).toBe(200)
    expect(await all()).toEqual([
      [1, 2],
      [10, 11, 20, 21],
      [100, 101, 110, 111, 200, 201, 210, 211],
      [1, 2],
    ])
    expect([await remove('files/20'), await restore('files/20')]).toEqual([204, 200])
  })

  it('is not brought back below a record that has gone meanwhile', async () => {
    expect(await remove('files/10')).toBe(204)
    const back = () => project.post(`${api}/files/10/restore`, {}, ann)
    const answer = await meanwhile('file is brought back', back, goes)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['folder_id']])
  })
}

function belowTwo(): void {
  it('stays where another one that takes it along is in the trash, and comes back with that', async () => {
    const before = await all()
    await onShelf(10, 20)
    expect([await remove('folders/1'), await remove(`shelves/${shelf}`)]).toEqual([204, 204])
    expect(await restore('folders/1')).toBe(200)
    expect(await all()).toEqual([
      [1, 2],
      [11, 21],
      [110, 111, 210, 211],
      [1, 2],
    ])
    expect([await trashed('files'), await trashed('pages')]).toEqual([
      [10, 20],
      [100, 101, 200, 201],
    ])
    expect(await restore(`shelves/${shelf}`)).toBe(200)
    expect(await all()).toEqual(before)
  })

  it('comes back with the last of those that take it along', async () => {
    const before = await all()
    await onShelf(10, 20)
    await remove('pages/100')
    expect([await remove(`shelves/${shelf}`), await remove('folders/1')]).toEqual([204, 204])
    expect(await restore(`shelves/${shelf}`)).toBe(200)
    expect([await ids('files'), await trashed('files')]).toEqual([
      [20, 21],
      [10, 11],
    ])
    expect(await restore('folders/1')).toBe(200)
    expect(await restore('pages/100')).toBe(200)
    expect(await all()).toEqual(before)
  })
}

function besidePrograms(): void {
  /** Of another program. */
  const another = async () => {
    const { pool } = project.database as PostgresDatabase
    const holder = new pg.Client(pool.options)
    await holder.connect()
    const connection = { isEnded: false }
    const waits = async () => {
      const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      // In a transaction the first answer would stand.
      const isWaiting = async () => {
        await holder.query('select pg_stat_clear_snapshot()')
        return (await holder.query(sql)).rows.length > 0
      }
      while (!connection.isEnded && !(await isWaiting())) await new Promise(setImmediate)
    }
    const end = async () => {
      connection.isEnded = true
      await holder.end()
    }
    return { holder, waits, end }
  }

  const alsoWhileItGoes = async () => {
    const { holder, waits, end } = await another()
    // Another program makes one, and commits while the folder waits for it.
    await holder.query('begin')
    await holder.query(
      `insert into files (id, name, folder_id, created_at, updated_at) values (90, 'late', 1, now(), now())`,
    )
    const removed = remove('folders/1')
    await waits()
    await holder.query('commit')
    expect([await removed, await ids('files')]).toEqual([204, [20, 21]])
    expect(await restore('folders/1')).toBe(200)
    // The server makes one that waits for the folder, which goes.
    const make = project.post.bind(project, `${api}/files`, { name: 'new', folder_id: '1' }, ann)
    let made: Promise<Answer> | undefined
    const gone = await meanwhile(
      'folder goes',
      () => project.delete(`${api}/folders/1`, ann),
      async () => {
        made = make()
        await waits()
      },
    )
    expect([gone.status, (await made)?.status]).toEqual([204, 422])
    await end()
  }
  const notWhileAnotherGoes = async () => {
    await onShelf(10)
    await remove('folders/1')
    const { holder, waits, end } = await another()
    await holder.query('begin')
    await holder.query('select 1 from shelves for update')
    const restored = restore('folders/1')
    await waits()
    await holder.query('update shelves set deleted_at = now()')
    await holder.query('commit')
    expect([await restored, await ids('files')]).toEqual([200, [11, 20, 21]])
    expect(await restore(`shelves/${shelf}`)).toBe(200)
    expect(await ids('files')).toEqual([10, 11, 20, 21])
    await end()
  }
  const belowTheSecondLevel = async () => {
    const { waits, end } = await another()
    const add = () => project.post(`${api}/pages`, { name: 'late', file_id: '10' }, ann)
    // The page is inserted and not committed when the folder is removed: both answer.
    let removed: Promise<number> | undefined
    const inserted = await meanwhile('page is inserted', add, async () => {
      removed = remove('folders/1')
      await Promise.race([removed, waits()])
    })
    expect([inserted.status, await removed, await ids('pages')]).toEqual([
      ...[201, 204],
      [200, 201, 210, 211],
    ])
    expect(await restore('folders/1')).toBe(200)
    expect(await ids('pages')).toContain(Number(inserted.body.data.id))
    await end()
  }
  const restoredBelowTheSecondLevel = async () => {
    const { holder, waits, end } = await another()
    expect(await remove('pages/100')).toBe(204)
    // Another program holds the file as a restore of its page does.
    await holder.query('begin')
    await holder.query('select 1 from files where id = 10 for key share')
    await holder.query('update pages set deleted_at = null where id = 100')
    const removed = remove('folders/1')
    await Promise.race([removed, waits()])
    await holder.query('commit')
    expect([await removed, await ids('pages')]).toEqual([204, [200, 201, 210, 211]])
    await end()
  }
  // SQLite has one writer: there is no meanwhile.
  it('goes along if it was made two levels below while that went', belowTheSecondLevel)
  it('goes along if it was restored two levels below', restoredBelowTheSecondLevel)
  it('stays where another one goes meanwhile', notWhileAnotherGoes)
  it('goes along if it was made while its folder went', alsoWhileItGoes)
}
