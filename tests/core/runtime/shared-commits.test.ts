/** Writes that SQLite commits together, because each commit waits for the disk. */
import { statSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SqliteDatabase } from '../../../runtime/database/sqlite/open.js'
import { openSqliteFile, statement, type Opened } from './databases.js'

let opened: Opened<SqliteDatabase>
let database: SqliteDatabase

const run = (sql: string) => database.query(statement(sql), [])

beforeEach(async () => {
  opened = await openSqliteFile()
  database = opened.database
  await run('CREATE TABLE kinds (id INTEGER PRIMARY KEY)')
  await run(`CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE,
    kind INTEGER REFERENCES kinds (id) DEFERRABLE INITIALLY DEFERRED)`)
  await run("INSERT INTO notes (text) VALUES ('taken')")
})

afterEach(() => opened.close())

const insert = statement('INSERT INTO notes (text, kind) VALUES (?, ?) RETURNING id')

async function insertAll(...rows: readonly (readonly [string, number | null])[]) {
  const outcomes = await Promise.allSettled(rows.map((row) => database.query(insert, row)))
  return outcomes.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.kind))
}

const texts = async () =>
  (await database.query(statement('SELECT text FROM notes ORDER BY id', 'read'), [])).flat()

it('one commit is for all that ask at once', async () => {
  const log = `${database.file}-wal`
  await run('PRAGMA wal_checkpoint(TRUNCATE)')
  await Promise.all(Array.from({ length: 50 }, (_, n) => database.query(insert, [`${n}`, null])))
  // Each commit writes each page that it changed: here the table's and that of its index.
  expect(statSync(log).size).toBeLessThan(4 * 4_200)
  expect(await texts()).toHaveLength(51)
})

it('what fails for one fails for nobody else', async () => {
  expect(await insertAll(['a', null], ['taken', null], ['b', null])).toEqual([
    [[2]],
    'unique',
    [[3]],
  ])
  expect(await texts()).toEqual(['taken', 'a', 'b'])
})

it('nor where SQLite finds it at the commit', async () => {
  expect(await insertAll(['a', null], ['orphan', 7], ['b', null])).toEqual([
    [[2]],
    'foreign',
    [[3]],
  ])
  expect(await texts()).toEqual(['taken', 'a', 'b'])
})

it('nor where it ends the transaction', async () => {
  await run(`CREATE TRIGGER never BEFORE INSERT ON notes WHEN NEW.text = 'never'
    BEGIN SELECT RAISE(ROLLBACK, 'never'); END`)
  expect(await insertAll(['a', null], ['never', null], ['b', null])).toEqual([
    [[2]],
    'value',
    [[3]],
  ])
  expect(await texts()).toEqual(['taken', 'a', 'b'])
})

it('what other libraries send outside a transaction is committed with it', async () => {
  const db = database.kysely<{ notes: { text: string } }>()
  const [, answer] = await Promise.all([
    database.query(insert, ['a', null]),
    db.insertInto('notes').values({ text: 'b' }).executeTakeFirstOrThrow(),
  ])
  expect(answer.insertId).toBe(3n)
  expect(await texts()).toEqual(['taken', 'a', 'b'])
})

it('where there is no room, records can be deleted, and then written', async () => {
  const [[pages] = []] = await run('PRAGMA page_count')
  await run(`PRAGMA max_page_count = ${Number(pages) + 5}`)
  const large = 'x'.repeat(8_000)
  const many = Array.from({ length: 10 }, (_, n) => database.query(insert, [`${n}${large}`, null]))
  const outcomes = await Promise.allSettled(many)
  const refused = outcomes.filter((each) => each.status === 'rejected')
  expect(refused.length).toBeGreaterThan(5)
  for (const { reason } of refused) expect(reason.name).toBe('UnavailableError')
  expect(await texts()).toHaveLength(1 + outcomes.length - refused.length)
  await run("DELETE FROM notes WHERE text <> 'taken'")
  expect(await insertAll([`again${large}`, null])).toEqual([[[2]]])
})
