/** A read that says whether an assumption holds, in one packet with the statement that relies on it. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Assumption } from '../../../runtime/database/assumption.js'
import { Caller } from '../../../runtime/database/caller.js'
import { openPostgres, type PostgresDatabase } from '../../../runtime/database/postgres/open.js'
import { openFreshPostgres, statement, type Opened } from './databases.js'

let opened: Opened<PostgresDatabase>
let database: PostgresDatabase

beforeEach(async () => {
  opened = await openFreshPostgres()
  database = openPostgres(opened.url, { max: 1 })
  await database.query(statement('CREATE TABLE things (size int)'), [])
  await database.query(statement('INSERT INTO things VALUES (1), (2)'), [])
})

afterEach(async () => {
  await database.close()
  await opened.close()
})

const sizes = { sql: 'SELECT size FROM things ORDER BY size', access: 'read' } as const

/** What the read of an assumption answered, and the statement that it was sent with. */
async function both(sql = `SELECT 'a', $1::int4`, values: readonly (string | number)[] = [7]) {
  const received: unknown[] = []
  const assumption = new Assumption(database, sizes, [], (rows) => {
    received.push(...rows)
    return rows.length === 2
  })
  const caller = new Caller()
  caller.assume(assumption)
  const rows = await database
    .query(statement(sql, 'read'), values, caller)
    .catch((error: Error) => error.name)
  return { received, rows, isTrue: await assumption.isTrue() }
}

const expected = { received: [[1], [2]], rows: [['a', 7]], isTrue: true }

test('is answered with the statement, the first time and again', async () => {
  expect(await both()).toEqual(expected)
  expect(await both()).toEqual(expected)
})

test('is sent with one statement of its request, and to nobody else', async () => {
  const caller = new Caller()
  let reads = 0
  caller.assume(new Assumption(database, sizes, [], () => (reads += 1) > 0))
  const one = statement('SELECT 1', 'read')
  await Promise.all([database.query(one, [], caller), database.query(one, [], caller)])
  await database.query(one, [], caller)
  expect(reads).toBe(1)
})

test('reads by itself where no statement was sent, or it failed before', async () => {
  const assumption = new Assumption(database, sizes, [], (rows) => rows.length === 2)
  expect(await assumption.isTrue()).toBe(true)
  expect(new Assumption(database, sizes, [], () => false).isTrue()).toBeInstanceOf(Promise)
  await database.query(statement('DELETE FROM things WHERE size = 1'), [])
  expect(await both()).toMatchObject({ isTrue: false })
})

test('is known although the statement fails, whose error is its own', async () => {
  expect(await both(`SELECT 'a', $1::int4`, ['no number'])).toEqual({
    received: [[1], [2]],
    rows: 'ConstraintError',
    isTrue: true,
  })
  expect(await both()).toEqual(expected)
})

test('works behind a pooler that gives each transaction another connection', async () => {
  await both()
  // The connection behind is another one: it knows no statement that was prepared before.
  await database.pool.query('DEALLOCATE ALL')
  expect(await both()).toEqual(expected)
  expect(await both()).toEqual(expected)
})

test('works behind a pooler whose connections have prepared the statements for somebody else', async () => {
  await both()
  const { rows } = await database.pool.query<{ name: string; statement: string }>(
    `SELECT name, statement FROM pg_prepared_statements WHERE statement ~ '^SELECT (size|.a.)'`,
  )
  expect(rows).toHaveLength(2)
  const one = openPostgres(opened.url, { max: 1 })
  for (const { name, statement: text } of rows) await one.pool.query(`PREPARE ${name} AS ${text}`)
  const caller = new Caller()
  const assumption = new Assumption(one, sizes, [], (rows) => rows.length === 2)
  caller.assume(assumption)
  const read = statement(`SELECT 'a', $1::int4`, 'read')
  expect(await one.query(read, [7], caller)).toEqual([['a', 7]])
  expect(await assumption.isTrue()).toBe(true)
  await one.close()
})

test('survives a column that another process changed', async () => {
  await both()
  await database.pool.query('ALTER TABLE things ALTER COLUMN size TYPE text')
  expect(await both()).toEqual({ ...expected, received: [['1'], ['2']] })
})

test('is observed as the statement is that it is sent with', async () => {
  const seen: string[] = []
  const stop = database.observe(({ sql }) => {
    seen.push(`begins ${sql}`)
    return () => void seen.push(`ends ${sql}`)
  })
  await both('SELECT 1', [])
  stop()
  expect(seen.toSorted()).toEqual(
    ['begins', 'ends'].flatMap((word) => [`${word} SELECT 1`, `${word} ${sizes.sql}`]),
  )
})
