import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { checksumOf } from '../../../runtime/database/migrations/folder.js'
import { migrate } from '../../../runtime/database/migrations/migrate.js'
import { pendingMigrations, refuseDraft } from '../../../runtime/database/migrations/pending.js'
import { program } from '../../support/program.js'
import { checkout } from '../cli/project.js'
import { marked, names, openDatabase, statement, type Opened } from './databases.js'

const run = promisify(execFile)

const users = `CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE);
INSERT INTO users VALUES (1, 'ann');
INSERT INTO posts VALUES (1, 1), (2, 1);`

/** As the engine rebuilds a table on SQLite; with foreign keys on it would delete the posts. */
const rebuild = `PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE new_users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT);
INSERT INTO new_users (id, name) SELECT id, name FROM users;
DROP TABLE users;
ALTER TABLE new_users RENAME TO users;
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;`

describe.each(names)('migrations on %s', (name) => {
  let opened: Opened
  let folder: string
  const lines: string[] = []

  beforeEach(async () => {
    opened = await openDatabase(name)
    folder = join(opened.folder, 'migrations')
    await mkdir(folder)
    lines.length = 0
  })

  afterEach(() => opened.close())

  const save = async (migration: string, sql: string) => {
    await mkdir(join(folder, migration), { recursive: true })
    await writeFile(join(folder, migration, 'migration.sql'), sql)
  }
  const draft = (sql: string) => writeFile(join(folder, 'draft.sql'), sql)
  const start = (options: { draft?: 'required' | 'run' } = {}) =>
    migrate(opened.database, { folder, ...options, log: (line) => lines.push(line) })
  const rows = (sql: string) => opened.database.query(statement(marked(name, sql)), [])

  it('are applied in order, once, and recorded as Prisma records them', async () => {
    await save('20260101_second', 'CREATE TABLE second (id INTEGER PRIMARY KEY)')
    await save('0_init', users)
    expect(await start()).toEqual(['0_init', '20260101_second'])
    expect(await start()).toEqual([])
    const history = await rows(
      'SELECT migration_name, checksum, applied_steps_count, logs, rolled_back_at FROM _prisma_migrations ORDER BY 1',
    )
    expect(history).toEqual([
      ['0_init', checksumOf(users), 1, null, null],
      ['20260101_second', expect.stringMatching(/^[0-9a-f]{64}$/), 1, null, null],
    ])
    const [[id] = []] = await rows('SELECT id FROM _prisma_migrations')
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const unfinished = await rows('SELECT 1 FROM _prisma_migrations WHERE finished_at IS NULL')
    expect(unfinished).toEqual([])
  })

  it('lose no rows when a table is rebuilt', async () => {
    await save('0_init', users)
    await start()
    await save('1_email', name === 'sqlite' ? rebuild : 'ALTER TABLE users ADD COLUMN email TEXT')
    await start()
    expect(await rows('SELECT count(email), count(*) FROM users')).toEqual([[0, 1]])
    expect((await rows('SELECT id FROM posts')).length).toBe(2)
  })

  it('that fail leave nothing behind, and say why and what to do', async () => {
    await save('0_init', `${users}\nCREATE TABLE users (id INTEGER)`)
    await expect(start()).rejects.toThrow(
      /Migration '0_init' could not be applied: .*already exists/,
    )
    expect(await pendingMigrations(opened.database, folder)).toEqual(['0_init'])
    await expect(rows('SELECT 1 FROM posts')).rejects.toThrow('posts')
    await save('0_init', users)
    expect(await start()).toEqual(['0_init'])
  })

  it('that would leave rows pointing at nothing are refused', async () => {
    await save('0_init', users)
    await start()
    await save('1_orphans', name === 'sqlite' ? 'DELETE FROM users' : 'DROP TABLE users')
    await expect(start()).rejects.toThrow("Migration '1_orphans' could not be applied")
    expect((await rows('SELECT id FROM users')).length).toBe(1)
  })

  it('changed, missing or failed ones stop the start; newer ones of a later version do not', async () => {
    await save('0_init', users)
    await save('1_next', 'CREATE TABLE next (id INTEGER)')
    await start()
    await save('0_init', `${users} `)
    await expect(start()).rejects.toThrow("Migration '0_init' was changed after it was applied")
    await save('0_init', users.replaceAll('\n', '\r\n'))
    await expect(start()).resolves.toEqual([])
    await save('0_init', users)

    await rename(join(folder, '0_init'), join(opened.folder, 'away'))
    await expect(start()).rejects.toThrow(
      "Migration '0_init' is applied to this database and missing",
    )
    await rename(join(opened.folder, 'away'), join(folder, '0_init'))

    await rm(join(folder, '1_next'), { recursive: true })
    await expect(start()).resolves.toEqual([])
    expect(lines).toContain('the database is ahead of this version of the server: 1_next')

    await rows("UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '0_init'")
    await expect(start()).rejects.toThrow('npx prisma@7.10.0 migrate resolve --rolled-back 0_init')
  })

  it('by four processes at once are applied once', async () => {
    await save('0_init', users)
    for (let at = 1; at <= 10; at++) {
      await save(`${10 + at}_t`, `CREATE TABLE t${at} (id INTEGER); INSERT INTO t${at} VALUES (1)`)
    }
    await opened.database.close()
    const script = await program(checkout, 'tests/core/runtime/migrate-process.ts')
    onTestFinished(() => rmSync(script))
    const results = await Promise.all(
      [1, 2, 3, 4].map(() => run(process.execPath, [script, opened.url, folder])),
    )
    const applied = results.flatMap(({ stdout }) => JSON.parse(stdout) as string[])
    expect(applied.toSorted()).toEqual([
      '0_init',
      ...Array.from({ length: 10 }, (_, at) => `${11 + at}_t`),
    ])
    opened = { ...(await reopen(name, opened.url)), folder: opened.folder }
    expect(await rows('SELECT id FROM t10')).toEqual([[1]])
  })

  it('are listed as applied or pending', async () => {
    await save('0_init', 'CREATE TABLE things (id INTEGER)')
    expect(await pendingMigrations(opened.database, folder)).toEqual(['0_init'])
    await start()
    await save('1_more', 'CREATE TABLE more (id INTEGER)')
    expect(await pendingMigrations(opened.database, folder)).toEqual(['1_more'])
    await start()
    expect(await pendingMigrations(opened.database, folder)).toEqual([])
  })

  it('of production are saved ones: a draft is refused, with the command that saves it', async () => {
    expect(() => refuseDraft(folder)).not.toThrow()
    await draft('CREATE TABLE things (id INTEGER)')
    expect(() => refuseDraft(folder)).toThrow(/draft\.sql is not saved.*\n.*svc migrate save init/)
    await save('0_init', users)
    expect(() => refuseDraft(folder)).toThrow(
      /draft\.sql is not saved.*\n.*svc migrate save <name>/,
    )
  })

  describe('the draft', () => {
    beforeEach(async () => {
      await save('0_init', users)
      await draft('ALTER TABLE users ADD COLUMN email TEXT')
    })

    /** Brings a database to a draft as svc does. */
    const take = async (sql: string) => {
      await rows('DROP TABLE IF EXISTS _svc_draft')
      await rows(
        'CREATE TABLE _svc_draft (checksum TEXT, datamodel TEXT, applied_at TEXT, sql TEXT)',
      )
      await rows(`INSERT INTO _svc_draft VALUES ('${checksumOf(sql)}', '', '', '${sql}')`)
    }

    it('is not run by a server, which says in development that it is missing', async () => {
      expect(await start()).toEqual(['0_init'])
      const missing = /lacks the draft of the migration[^]*npx --no svc migrate \(svc dev/
      await expect(start({ draft: 'required' })).rejects.toThrow(missing)
      await rows('ALTER TABLE users ADD COLUMN email TEXT')
      await take('ALTER TABLE users ADD COLUMN email TEXT')
      expect(await start({ draft: 'required' })).toEqual([])
      await draft('ALTER TABLE users ADD COLUMN age INTEGER')
      await expect(start({ draft: 'required' })).rejects.toThrow('has an earlier draft')
      await rm(join(folder, 'draft.sql'))
      await expect(start({ draft: 'required' })).rejects.toThrow('has an earlier draft')
      expect(await start()).toEqual([])
      await save('1_theirs', 'CREATE TABLE theirs (id INTEGER)')
      await expect(start()).rejects.toThrow('has an earlier draft')
    })

    it('saved as a migration is recorded where it was taken, and not run', async () => {
      await start()
      await take('ALTER TABLE users ADD COLUMN email TEXT')
      await save('1_email', 'ALTER TABLE users ADD COLUMN email TEXT')
      await rm(join(folder, 'draft.sql'))
      expect(await start({ draft: 'required' })).toEqual(['1_email'])
      await expect(rows('SELECT email FROM users')).rejects.toThrow('email')
      await expect(rows('SELECT * FROM _svc_draft')).rejects.toThrow('_svc_draft')
      expect(await start({ draft: 'required' })).toEqual([])
    })

    it('is run on the new database of a test', async () => {
      expect(await start({ draft: 'run' })).toEqual(['0_init'])
      expect(await rows('SELECT email FROM users')).toEqual([[null]])
    })
  })
})

describe('what PostgreSQL runs outside of transactions only', () => {
  let opened: Opened
  let folder: string

  beforeEach(async () => {
    opened = await openDatabase('postgresql')
    folder = join(opened.folder, 'migrations')
    await save('0_init', users)
    await migrate(opened.database, { folder })
  })
  afterEach(() => opened.close())

  const save = async (migration: string, sql: string) => {
    await mkdir(join(folder, migration), { recursive: true })
    await writeFile(join(folder, migration, 'migration.sql'), sql)
  }
  const start = () => migrate(opened.database, { folder })
  const rows = (sql: string) => opened.database.query(statement(sql), [])

  it('is a migration of its own, applied once by two instances at once', async () => {
    await save('1_index', '-- Large table.\nCREATE INDEX CONCURRENTLY by_name ON users (name);\n')
    await save('2_next', 'CREATE TABLE next (id INTEGER)')
    const other = await reopen('postgresql', opened.url)
    const done = await Promise.all([start(), migrate(other.database, { folder })])
    await other.close()
    expect(done.flat().toSorted()).toEqual(['1_index', '2_next'])
    expect(await start()).toEqual([])
    const history = `SELECT migration_name, applied_steps_count, logs FROM _prisma_migrations
      WHERE finished_at IS NOT NULL ORDER BY 1`
    expect(await rows(history)).toEqual([
      ['0_init', 1, null],
      ['1_index', 1, null],
      ['2_next', 1, null],
    ])
    expect(
      await rows(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'by_name'::regclass`),
    ).toEqual([[true]])
  })

  it('is refused beside other statements, and leaves nothing', async () => {
    await save('1_both', 'CREATE TABLE t (id INTEGER); CREATE INDEX CONCURRENTLY i ON users (name)')
    await expect(start()).rejects.toThrow(/inside a transaction block[^]*a migration of its own/)
    expect(await pendingMigrations(opened.database, folder)).toEqual(['1_both'])
    expect(await rows("SELECT 1 FROM _prisma_migrations WHERE migration_name = '1_both'")).toEqual(
      [],
    )
    expect(await rows("SELECT to_regclass('t')")).toEqual([[null]])
  })

  it('stays recorded as failed until it is resolved by hand', async () => {
    await save('1_unique', 'CREATE UNIQUE INDEX CONCURRENTLY one_post ON posts (user_id)')
    await expect(start()).rejects.toThrow(/could not create unique index[^]*--rolled-back 1_unique/)
    await expect(start()).rejects.toThrow("Migration '1_unique' failed half way")
    const unfinished = 'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NULL'
    expect(await rows(unfinished)).toEqual([['1_unique']])
    // `prisma migrate resolve --rolled-back` writes this.
    await rows('UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL')
    await rows('DROP INDEX one_post')
    await rows('DELETE FROM posts WHERE id = 2')
    expect(await start()).toEqual(['1_unique'])
  })
})

async function reopen(name: 'sqlite' | 'postgresql', url: string): Promise<Opened> {
  const { openPostgres } = await import('../../../runtime/database/postgres/open.js')
  const { openSqlite } = await import('../../../runtime/database/sqlite/open.js')
  const database = name === 'sqlite' ? openSqlite(url) : openPostgres(url)
  return { database, url, folder: '', close: () => database.close() }
}
