/** svc's changes of a development database, on both databases, in this process. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { applyMove, bringUp, costsOf } from '../../../generator/commands/database/drafts/draft.js'
import type { Project } from '../../../generator/commands/database/drafts/project.js'
import { statusOf } from '../../../generator/commands/database/drafts/status.js'
import * as accepted from '../../../runtime/database/migrations/accepted-loss.js'
import * as folders from '../../../runtime/database/migrations/folder.js'
import * as history from '../../../runtime/database/migrations/history.js'
import * as migrations from '../../../runtime/database/migrations/migrate.js'
import { marked, names, openDatabase, statement, type Opened } from '../runtime/databases.js'

const users = `CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE);
INSERT INTO users VALUES (1, 'ann');
INSERT INTO posts VALUES (1, 1), (2, 1);`

const done = { kind: 'done', losses: [], misfits: [] }
const { migrate } = migrations
const runtime = { ...migrations, ...accepted, ...history, ...folders }

describe.each(names)('a draft on %s', (name) => {
  let opened: Opened
  let project: Project
  let folder: string
  const lines: string[] = []

  beforeEach(async () => {
    opened = await openDatabase(name)
    folder = join(opened.folder, 'migrations')
    project = { folder, database: opened.database, runtime, derivedTables: [] }
    await save('0_init', users)
    await draft('ALTER TABLE users ADD COLUMN email TEXT', 'model A')
  })

  afterEach(() => opened.close())

  const save = async (migration: string, sql: string) => {
    await mkdir(join(folder, migration), { recursive: true })
    await writeFile(join(folder, migration, 'migration.sql'), sql)
  }
  const draft = async (sql: string, datamodel: string) => {
    await writeFile(join(folder, 'draft.sql'), sql)
    await writeFile(join(folder, 'draft.prisma'), datamodel)
  }
  const deploy = () => migrate(opened.database, { folder })
  /** The result of `svc migrate` with its lines. */
  const bring = async (acceptDataLoss = false) => {
    lines.length = 0
    return bringUp(project, { acceptDataLoss, log: (line) => lines.push(line) })
  }
  const rows = (sql: string) => opened.database.query(statement(marked(name, sql)), [])

  it('is taken once, after what is saved', async () => {
    await deploy()
    expect(await statusOf(project)).toMatchObject({ applied: ['0_init'], draft: null })
    await save('1_more', 'CREATE TABLE more (id INTEGER)')
    expect(await bring()).toEqual(done)
    expect(lines).toEqual(['migration 1_more applied', 'draft migration applied'])
    expect(await bring()).toEqual(done)
    expect(lines).toEqual(['nothing to migrate'])
    expect(await statusOf(project)).toEqual({
      applied: ['0_init', '1_more'],
      past: [],
      pending: [],
      ahead: [],
      drift: [],
      draft: {
        checksum: folders.checksumOf('ALTER TABLE users ADD COLUMN email TEXT'),
        datamodel: 'model A',
        sql: 'ALTER TABLE users ADD COLUMN email TEXT',
      },
    })
  })

  it('saved as a migration is not applied twice', async () => {
    await bring()
    await save('1_email', await readFile(join(folder, 'draft.sql'), 'utf8'))
    await rm(join(folder, 'draft.sql'))
    expect(await bring()).toEqual(done)
    expect(await statusOf(project)).toMatchObject({
      applied: ['0_init', '1_email'],
      pending: [],
      draft: null,
    })
    await bring()
    expect(lines).toEqual(['nothing to migrate'])
  })

  it('that changed after this database took it needs the step between the two', async () => {
    await bring()
    const { draft: taken } = await statusOf(project)
    const sql = 'ALTER TABLE users ADD COLUMN email TEXT; ALTER TABLE users ADD COLUMN age INTEGER'
    await draft(sql, 'model B')
    expect(await bring()).toEqual({ ...done, kind: 'moved' })
    const step = {
      step: 'ALTER TABLE users ADD COLUMN age INTEGER',
      draft: { sql, datamodel: 'model B' },
      from: taken?.checksum ?? null,
      covers: [],
      acceptDataLoss: false,
    }
    expect(await applyMove(project, step)).toEqual(done)
    await bring()
    expect(lines).toEqual(['nothing to migrate'])
    // Two terminals asked for the same step, and for different ones.
    expect(await applyMove(project, step)).toEqual(done)
    const other = { ...step, draft: { sql: 'SELECT 1', datamodel: 'model D' } }
    await expect(applyMove(project, other)).rejects.toThrow('another draft')
  })

  it('covers migrations that came from elsewhere in the meantime', async () => {
    await bring()
    await save('1_theirs', 'CREATE TABLE theirs (id INTEGER)')
    await draft('ALTER TABLE users ADD COLUMN email TEXT', 'model A+')
    expect(await bring()).toEqual({ ...done, kind: 'moved' })
    const { draft: taken, pending } = await statusOf(project)
    await applyMove(project, {
      step: 'CREATE TABLE theirs (id INTEGER)',
      draft: { sql: 'ALTER TABLE users ADD COLUMN email TEXT', datamodel: 'model A+' },
      from: taken?.checksum ?? null,
      covers: pending,
      acceptDataLoss: false,
    })
    await bring()
    expect(lines).toEqual(['nothing to migrate'])
    expect((await statusOf(project)).applied).toEqual(['0_init', '1_theirs'])
  })

  it('never drops data by itself, and says what it would have dropped', async () => {
    await bring()
    const { draft: taken } = await statusOf(project)
    const back = {
      step: 'ALTER TABLE users DROP COLUMN email',
      draft: null,
      from: taken?.checksum ?? null,
      covers: [],
      acceptDataLoss: false,
    }
    await rows("UPDATE users SET email = 'a@b.c'")
    const loss = { table: 'users', column: 'email', rows: 1 }
    expect((await costsOf(project, back.step)).losses).toEqual([loss])
    expect(await applyMove(project, back)).toEqual({ ...done, kind: 'loses', losses: [loss] })
    expect(await rows('SELECT email FROM users')).toEqual([['a@b.c']])
    // An empty column just goes.
    await rows('UPDATE users SET email = NULL')
    expect(await applyMove(project, back)).toEqual(done)
    expect(await statusOf(project)).toMatchObject({ draft: null })
  })

  it('that would cut values to fit another type is refused', async () => {
    await deploy()
    await rows('CREATE TABLE sizes (size DOUBLE PRECISION, word TEXT)')
    await rows(`INSERT INTO sizes VALUES (1.75, 'a'), (2, '7'), (NULL, NULL)`)
    const step = (type: string, column: string) =>
      name === 'sqlite'
        ? `CREATE TABLE new_sizes (size ${column === 'size' ? type : 'DOUBLE PRECISION'}, word TEXT);
           INSERT INTO new_sizes SELECT * FROM sizes;
           DROP TABLE sizes;
           ALTER TABLE new_sizes RENAME TO sizes`
        : `ALTER TABLE sizes ALTER COLUMN ${column} SET DATA TYPE ${type}`
    const loss = { table: 'sizes', column: 'size', rows: 1 }
    expect((await costsOf(project, step('INTEGER', 'size'))).losses).toEqual([loss])
    expect((await costsOf(project, step('TEXT', 'size'))).losses).toEqual([])
    expect(await rows('SELECT size FROM sizes WHERE size IS NOT NULL ORDER BY 1')).toEqual([
      [1.75],
      [2],
    ])
    await draft(step('INTEGER', 'size'), 'model C')
    expect(await bring()).toEqual({ ...done, kind: 'loses', losses: [loss] })
    await rows('DELETE FROM sizes WHERE size = 1.75')
    await bring()
    expect(lines).toEqual(['draft migration applied'])
  })

  it('that would drop rows of a table is refused until that is accepted', async () => {
    await deploy()
    await draft('DROP TABLE posts', 'model C')
    const losses = [{ table: 'posts', column: null, rows: 2 }]
    expect(await bring()).toEqual({ ...done, kind: 'loses', losses })
    expect((await rows('SELECT id FROM posts')).length).toBe(2)
    expect(await bring(true)).toMatchObject({ kind: 'done' })
    await expect(rows('SELECT id FROM posts')).rejects.toThrow('posts')
  })

  it('that fails leaves nothing, and says why and what may be in the way', async () => {
    const careful = `makes 'email' of 'users' unique: rows that share a value stop it`
    await draft(`-- Careful: ${careful}\nCREATE TABLE users (id INTEGER)`, 'model C')
    await expect(bring()).rejects.toThrow(
      /could not be applied: .*already exists[^]*Correct the manifest or draft.sql[^]*It makes 'email'/,
    )
    expect(await statusOf(project)).toMatchObject({ applied: ['0_init'], draft: null })
  })

  it('stops where folder and database contradict each other', async () => {
    await bring()
    await save('0_init', `${users} `)
    await save('1_next', 'CREATE TABLE next (id INTEGER)')
    await expect(bring()).rejects.toThrow("Migration '0_init' was changed after it was applied")
    const { drift, pending } = await statusOf(project)
    expect({ drift, pending }).toMatchObject({
      drift: [{ migration: '0_init', kind: 'changed' }],
      pending: ['1_next'],
    })
    await rm(join(folder, '1_next'), { recursive: true })
    await rm(join(folder, '0_init'), { recursive: true })
    expect(await statusOf(project)).toMatchObject({ ahead: ['0_init'], drift: [] })
  })
})

it('a draft that PostgreSQL runs outside of transactions only is refused', async () => {
  const { database, folder, close } = await openDatabase('postgresql')
  const project = { folder, database, runtime, derivedTables: [] }
  await database.query(statement('CREATE TABLE users (name TEXT)'), [])
  const step = 'CREATE INDEX CONCURRENTLY i ON users (name)'
  await expect(costsOf(project, step)).rejects.toThrow('a migration of its own')
  await close()
})
