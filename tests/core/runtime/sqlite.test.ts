import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SqliteDriver } from '../../../runtime/database/sqlite/driver.js'
import { sqliteFile } from '../../../runtime/database/sqlite/handle.js'
import { openSqlite, type SqliteDatabase } from '../../../runtime/database/sqlite/open.js'
import { writtenDays } from '../../../runtime/database/sqlite/written-days.js'
import { createGate } from '../../support/gate.js'
import { inLongTurns } from '../../support/long-turns.js'
import { openSqliteFile, statement, type Opened } from './databases.js'

let opened: Opened<SqliteDatabase>
let database: SqliteDatabase

beforeEach(async () => {
  opened = await openSqliteFile()
  database = opened.database
  await database.query(statement('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)'), [])
})

afterEach(() => opened.close())

const insert = statement('INSERT INTO notes (text) VALUES (?) RETURNING id')
const count = statement('SELECT count(*) FROM notes', 'read')

describe('a SQLite file', () => {
  it('is created with its folder, in WAL mode, with foreign keys on', async () => {
    expect(existsSync(join(opened.folder, 'storage', 'test.sqlite'))).toBe(true)
    expect(await database.query(statement('PRAGMA journal_mode'), [])).toEqual([['wal']])
    expect(await database.query(statement('PRAGMA foreign_keys'), [])).toEqual([[1]])
    expect(await database.query(statement('PRAGMA synchronous'), [])).toEqual([[2]])
  })

  it('gives rows as arrays, and reads see what was written', async () => {
    expect(await database.query(insert, ['one'])).toEqual([[1]])
    expect(await database.query(statement('SELECT id, text FROM notes', 'read'), [])).toEqual([
      [1, 'one'],
    ])
  })

  it('cannot be written through the reading connection', async () => {
    const wrong = statement('DELETE FROM notes', 'read')
    await expect(database.query(wrong, [])).rejects.toThrow('readonly')
  })

  it('answers a ping and keeps its word after many shapes', async () => {
    for (let shape = 0; shape < 1500; shape++) {
      await database.query(statement(`SELECT ${shape}`, 'read'), [])
    }
    await expect(database.ping()).resolves.toBeUndefined()
  })

  it('remembers how many rows a table has only where there are many', async () => {
    const tables = { few: 20, many: 20_000 }
    for (const [name, rows] of Object.entries(tables)) {
      const series = `with recursive s(n) as (select 1 union all select n + 1 from s where n < ${rows})`
      await database.query(
        statement(`create table ${name} (id integer primary key, n integer)`),
        [],
      )
      await database.query(statement(`create index ${name}_n on ${name} (n)`), [])
      await database.query(statement(`insert into ${name} (n) ${series} select n from s`), [])
    }
    await database.query(statement('analyze'), [])
    await database.close()
    const file = new SqliteDriver(join(opened.folder, 'storage', 'test.sqlite'))
    const known = file.prepare('select distinct tbl from sqlite_stat1').all()
    file.close()
    expect(known).toEqual([{ tbl: 'many' }])
  })

  it('is closed while another process writes', async () => {
    await database.query(statement('create table many (id integer primary key, n integer)'), [])
    await database.query(statement('create index many_n on many (n)'), [])
    await database.query(statement('insert into many (n) values (1), (2), (3)'), [])
    await database.query(statement('select id from many where n = 2'), [])
    const other = new SqliteDriver(join(opened.folder, 'storage', 'test.sqlite'))
    other.exec('begin immediate')
    await expect(database.close()).resolves.toBeUndefined()
    other.exec('insert into many (n) values (4); commit')
    other.close()
  })

  it.each([
    ['file:storage/a.sqlite', 'storage/a.sqlite'],
    ['file:./a.sqlite?connection_limit=1', './a.sqlite'],
    ['file:/var/a.sqlite', '/var/a.sqlite'],
    ['file:///var/a.sqlite', '/var/a.sqlite'],
    ['a.sqlite', 'a.sqlite'],
    [':memory:', ':memory:'],
    ['file::memory:', ':memory:'],
  ])('%s is %s', (url, file) => {
    expect(sqliteFile(url)).toBe(file)
  })

  it('is for its owner alone, with what SQLite writes beside it', async () => {
    await database.query(insert, ['private'])
    const files = readdirSync(dirname(database.file)).map((name) =>
      join(dirname(database.file), name),
    )
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('names the file when it cannot be opened', () => {
    expect(() => openSqlite('file:/dev/null/a/b.sqlite')).toThrow(
      "The SQLite file '/dev/null/a/b.sqlite' of DATABASE_URL cannot be opened",
    )
  })
})

describe('a transaction', () => {
  it('held across an await lets 200 other writes wait without blocking the process', async () => {
    const [began, gate] = [createGate(), createGate()]
    const long = database.transaction(async (connection) => {
      await connection.query(insert, ['held'])
      began.open()
      await gate.opened
      // A read beside it does not see what is not committed.
      expect(await database.query(count, [])).toEqual([[0]])
      await connection.query(insert, ['held too'])
    })
    await began.opened
    const others = Array.from({ length: 200 }, (_, index) => database.query(insert, [`${index}`]))
    // The transaction is open until the process, with all the others waiting, goes on to end it.
    for (let turn = 0; turn < 50; turn += 1) {
      expect(await database.query(count, [])).toEqual([[0]])
      await turnOfTheLoop()
    }
    gate.open()
    await Promise.all([long, ...others])
    const texts = await database.query(statement('SELECT text FROM notes ORDER BY id', 'read'), [])
    expect(texts).toHaveLength(202)
    expect(texts.slice(0, 2)).toEqual([['held'], ['held too']])
  })

  it('that throws leaves nothing behind and throws on', async () => {
    const failing = database.transaction(async (connection) => {
      await connection.query(insert, ['gone'])
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(await database.query(count, [])).toEqual([[0]])
    await database.query(insert, ['after'])
    expect(await database.query(count, [])).toEqual([[1]])
  })

  it('cannot be used after its end', async () => {
    const leaked = await database.transaction(async (connection) => connection)
    await expect(leaked.query(insert, ['late'])).rejects.toThrow('has ended')
  })

  it('gives each statement that comes late in a turn, and its end, a turn of its own', async () => {
    const turns: number[] = []
    const { turns: end } = await inLongTurns((turn) => {
      database.observe(() => void turns.push(turn()))
      return database.transaction(async (connection) => {
        for (const text of ['one', 'two', 'three']) await connection.query(insert, [text])
      })
    })
    expect(new Set([...turns, end]).size).toBe(4)
  })

  it('moves what was large from the log into the file in a turn after its end', async () => {
    const file = join(opened.folder, 'storage', 'test.sqlite')
    const text = 'x'.repeat(100_000)
    const write = (rows: number) =>
      database.transaction(async (connection) => {
        for (let row = 0; row < rows; row++) await connection.query(insert, [text])
      })
    await write(50)
    expect(statSync(file).size).toBeLessThan(1_000_000)
    // The next transaction waits for it, and has nothing of its own to move.
    await database.transaction(async () => {})
    expect(statSync(file).size).toBeGreaterThan(5_000_000)
    // Small values are moved with others, when there are many.
    await write(2)
    await database.query(insert, ['next'])
    expect(statSync(file).size).toBeLessThan(5_100_000)
    expect(await database.query(statement('PRAGMA wal_autocheckpoint'), [])).toEqual([[1_000]])
  })

  it('reports a transaction that waits for itself', async () => {
    const hasty = openSqlite(opened.url, { turnTimeoutMs: 50 })
    const selfish = hasty.transaction(async () => hasty.query(insert, ['self']))
    await expect(selfish).rejects.toThrow('inside a transaction use the connection it gives')
    await expect(selfish).rejects.toMatchObject({ name: 'UnavailableError' })
    await hasty.close()
  })

  it('says of writes that wait too long for another process that they may be tried again', async () => {
    const hasty = openSqlite(opened.url, { busyTimeoutMs: 100 })
    const other = new SqliteDriver(database.file)
    other.exec('BEGIN IMMEDIATE')
    const writes = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => hasty.query(insert, [`${n}`]))
    const db = hasty.kysely<{ notes: { text: string } }>()
    const outcomes = await Promise.allSettled([
      ...writes,
      hasty.transaction(async () => undefined),
      db.insertInto('notes').values({ text: 'db' }).execute(),
    ])
    other.exec('COMMIT').close()
    const errors = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? outcome.reason : null,
    )
    expect(errors.map((error) => error?.name)).toEqual(outcomes.map(() => 'UnavailableError'))
    await hasty.close()
  })

  it('waits for another process that writes, without blocking', async () => {
    const other = new SqliteDriver(database.file)
    other.exec('BEGIN IMMEDIATE')
    const waiting = database.query(insert, ['patient'])
    // Only a process that goes on gets to the end of these, and lets the other one end.
    for (let turn = 0; turn < 50; turn += 1) await turnOfTheLoop()
    other.exec('COMMIT').close()
    expect(await waiting).toEqual([[1]])
  })
})

describe('constraint errors of SQLite', () => {
  beforeEach(async () => {
    await database.query(
      statement(
        "CREATE TABLE users (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT, UNIQUE (a, b), CHECK (a <> 'bad'))",
      ),
      [],
    )
    await database.query(
      statement(
        'CREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users ON DELETE RESTRICT)',
      ),
      [],
    )
    await database.query(statement("INSERT INTO users VALUES (1, 'a', 'b')"), [])
    await database.query(statement('INSERT INTO posts VALUES (1, 1)'), [])
  })

  it.each([
    ["INSERT INTO users (a, b) VALUES ('a', 'b')", 'unique', ['a', 'b']],
    ["INSERT INTO users (id, a) VALUES (1, 'x')", 'unique', ['id']],
    ['INSERT INTO posts (user_id) VALUES (9)', 'foreign', []],
    ['DELETE FROM users', 'foreign', []],
    ['INSERT INTO users (b) VALUES (1)', 'notNull', ['a']],
    ["INSERT INTO users (a) VALUES ('bad')", 'value', []],
    ["INSERT INTO users (id, a) VALUES ('text', 'x')", 'value', []],
  ])('%s is %s %j', async (sql, kind, columns) => {
    const failing = database.query(statement(sql), [])
    await expect(failing).rejects.toMatchObject({ name: 'ConstraintError', kind })
    if (kind === 'unique' || kind === 'notNull') {
      await expect(failing).rejects.toMatchObject({ columns })
    }
  })
})

describe('a database in memory', () => {
  it('reads take turns with a transaction, so they never see half of it', async () => {
    const memory = openSqlite(':memory:')
    await memory.query(statement('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)'), [])
    const [began, gate] = [createGate(), createGate()]
    const long = memory.transaction(async (connection) => {
      await connection.query(insert, ['a'])
      began.open()
      await gate.opened
      throw new Error('undone')
    })
    await began.opened
    const seen = memory.query(count, [])
    await turnOfTheLoop()
    gate.open()
    await expect(long).rejects.toThrow('undone')
    expect(await seen).toEqual([[0]])
    await memory.close()
  })
})

describe('Kysely over the same file', () => {
  interface Tables {
    events: {
      id: number
      open: boolean
      at: string
      day: string
      data: unknown
      price: string
      [name: string]: unknown
    }
  }

  beforeEach(async () => {
    await database.query(
      statement(
        'CREATE TABLE events (id INTEGER PRIMARY KEY, open BOOLEAN, at DATETIME, day DATETIME, data JSONB, price TEXT)',
      ),
      [],
    )
  })

  it('speaks in the values of the row types and stores what Prisma stores', async () => {
    const db = database.kysely<Tables>({ dateColumns: ['events.day'] })
    const values = {
      id: 1,
      open: true,
      at: '2026-02-03T04:05:06.789Z',
      day: new Date('2026-02-03').toISOString(),
      data: { a: [1, null] },
      price: '12.50',
    }
    await db.insertInto('events').values(values).execute()
    const stored = await database.query(statement('SELECT * FROM events', 'read'), [])
    const midnight = '2026-02-03T00:00:00.000+00:00'
    expect(stored).toEqual([
      [1, 1, '2026-02-03T04:05:06.789+00:00', midnight, '{"a":[1,null]}', '12.50'],
    ])
    expect(await db.selectFrom('events').selectAll().executeTakeFirst()).toEqual({
      ...values,
      day: '2026-02-03',
    })
    const found = db.selectFrom('events').select('id').where('at', '=', values.at)
    expect(await found.execute()).toEqual([{ id: 1 }])
  })

  it('takes turns with the server, and rolls back', async () => {
    const db = database.kysely<Tables>()
    const row = { open: false, at: '', day: '', data: 5, price: '' }
    const [began, gate] = [createGate(), createGate()]
    const failing = db.transaction().execute(async (trx) => {
      await trx
        .insertInto('events')
        .values({ ...row, id: 1 })
        .execute()
      began.open()
      await gate.opened
      throw new Error('undone')
    })
    await began.opened
    const others = Array.from({ length: 50 }, (_, index) => database.query(insert, [`${index}`]))
    await turnOfTheLoop()
    gate.open()
    await expect(failing).rejects.toThrow('undone')
    await Promise.all(others)
    expect(await database.query(count, [])).toEqual([[50]])
    await db
      .insertInto('events')
      .values({ ...row, id: 2, at: new Date(0).toISOString() })
      .execute()
    const rows = await db.selectFrom('events').select(['id', 'data']).execute()
    expect(rows).toEqual([{ id: 2, data: 5 }])
    const twice = db
      .insertInto('events')
      .values({ ...row, id: 2 })
      .execute()
    await expect(twice).rejects.toMatchObject({ kind: 'unique', columns: ['id'] })
  })

  it('stores a day that is inserted or set as Prisma stores it, and no text that looks like one', async () => {
    const columns = ['events.day']
    const db = database.kysely<Tables>({ dateColumns: columns }).withPlugin(writtenDays(columns))
    const row = {
      id: 1,
      open: true,
      at: '2026-02-03T04:05:06.789Z',
      data: [1],
      price: '2026-02-03',
    }
    const stored = async () =>
      (await database.query(statement('SELECT day, price FROM events', 'read'), []))[0]
    await db
      .insertInto('events')
      .values({ ...row, day: '2026-02-03' })
      .execute()
    expect(await stored()).toEqual(['2026-02-03T00:00:00.000+00:00', '2026-02-03'])
    await db.updateTable('events as e').set({ day: '2026-02-04' }).execute()
    expect(await stored()).toEqual(['2026-02-04T00:00:00.000+00:00', '2026-02-03'])
    await db
      .insertInto('events')
      .values({ ...row, day: '2026-02-05' })
      .onConflict((on) => on.column('id').doUpdateSet({ day: '2026-02-06', price: '2026-02-07' }))
      .execute()
    expect(await stored()).toEqual(['2026-02-06T00:00:00.000+00:00', '2026-02-07'])
  })

  it('streams in the values of the row types, and what its own transaction wrote', async () => {
    const db = database.kysely<Tables>({ dateColumns: ['events.day'] })
    const row = { id: 1, open: true, at: '2026-02-03T04:05:06.789Z', data: [1], price: '1.50' }
    const day = '2026-02-03'
    const streamed = async (from: typeof db) => {
      const rows: unknown[] = []
      for await (const found of from.selectFrom('events').selectAll().stream()) rows.push(found)
      return rows
    }
    await db.transaction().execute(async (trx) => {
      await trx
        .insertInto('events')
        .values({ ...row, day: `${day}T00:00:00.000Z` })
        .execute()
      expect(await streamed(trx)).toEqual([{ ...row, day }])
      expect(await streamed(db)).toEqual([])
    })
    expect(await streamed(db)).toEqual([{ ...row, day }])
  })

  it('goes back to a savepoint', async () => {
    const db = database.kysely<{ notes: { id: number; text: string } }>()
    const trx = await db.startTransaction().execute()
    await trx.insertInto('notes').values({ id: 1, text: 'kept' }).execute()
    const saved = await trx.savepoint('half "way"').execute()
    await saved.insertInto('notes').values({ id: 2, text: 'gone' }).execute()
    await saved.rollbackToSavepoint('half "way"').execute()
    await saved.commit().execute()
    expect(await database.query(count, [])).toEqual([[1]])
    await expect(database.query(insert, ['after'])).resolves.toEqual([[2]])
  })

  it('streams beside writes', async () => {
    const db = database.kysely<{ notes: { id: number; text: string } }>()
    await Promise.all(Array.from({ length: 250 }, (_, at) => database.query(insert, [`${at}`])))
    let seen = 0
    for await (const row of db.selectFrom('notes').select('id').stream(100)) {
      seen += 1
      if (row.id % 100 === 0) await database.query(insert, ['during'])
    }
    expect(seen).toBe(250)
  })
})
