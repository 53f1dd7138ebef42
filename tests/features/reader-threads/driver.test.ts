/** Which statements run on threads, what ends them, and what totals are kept: on a connection, without a server. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { Caller } from '../../../runtime/database/caller.js'
import { SqliteDriver } from '../../../runtime/database/sqlite/driver.js'
import { openSqlite, type SqliteDatabase } from '../../../runtime/database/sqlite/open.js'
import { goOn } from '../../../runtime/features/reader-threads/endable.js'
import { LongStatements } from '../../../runtime/features/reader-threads/long-statements.js'
import { readerThreads } from '../../../runtime/features/reader-threads/reader-threads.js'
import { names, statement } from '../../core/runtime/databases.js'
import { runs } from '../../support/runs.js'

const large = 25_000
/** 2,000 steps for each row: seconds for all. */
const slow = `(with recursive c(n) as (select "t0"."id" union all
  select n + 1 from c where n < "t0"."id" + 2000) select count(*) from c) > 0`
const slowTotal = `select count(*) from "posts" as "t0" where ${slow}`

/** A page as an index sends it. */
const page = (tail: string) =>
  `select "t0"."id", printf('%.2f', "t0"."rating"), ("t0"."owner_id" = ?) from "posts" as "t0" ${tail} limit ? offset ?`

const workers: Worker[] = []
let answered = 0
const onWorker = (worker: Worker) => {
  workers.push(worker)
  worker.on('message', () => (answered += 1))
}

/** As full text is searched. */
const words = (table: string) =>
  `select "t0"."id" from "${table}" as "t0" where "t0"."id" in (select "${table}_search"."rowid" from "${table}_search" where "${table}_search"."${table}_search" match ?)
    order by (select length(highlight("${table}_search", 0, '|', '')) from "${table}_search" where "${table}_search"."rowid" = "t0"."id" and "${table}_search"."${table}_search" match ?) desc, "t0"."id" desc limit 15`

let folder = ''
let database: SqliteDatabase
const url = () => `file:${join(folder, 'test.sqlite')}`
const open = (longReads = true, statement_ms = 0) =>
  openSqlite(url(), {
    limits: { response_bytes: 10_000, statement_ms },
    ...(longReads ? { longReads: readerThreads } : {}),
  })

const read = (sql: string, parameters: (string | number)[] = [], caller?: Caller) =>
  database.query(statement(sql, 'read'), parameters, caller)
const write = (sql: string) => database.query(statement(sql), [])

interface Tables {
  posts: { id: number; title: string; rating: string; at: string }
}

describe.runIf(names.includes('sqlite'))('a SQLite file with threads that read', () => {
  beforeAll(async () => {
    process.on('worker', onWorker)
    folder = await mkdtemp(join(tmpdir(), 'svc-threads-'))
    database = open()
    for (const sql of [
      `create table posts (id integer primary key, owner_id integer, title text, rating decimal(4,2), at datetime)`,
      `create index posts_owner on posts (owner_id)`,
      `create table tags (id integer primary key, name text)`,
      `insert into tags (name) values ('red'), ('blue')`,
      `create table stories (id integer primary key, text text)`,
      `with recursive c(n) as (select 1 union all select n + 1 from c where n < 200)
        insert into stories select n, printf('%.*c', 60000, 'x') from c`,
      `create table lines (id integer primary key, text text)`,
      `with recursive c(n) as (select 1 union all select n + 1 from c where n < 3000)
        insert into lines select n, 'Line ' || n from c`,
      `create table marks (id integer primary key, owner_id integer, title text)`,
      `with recursive c(n) as (select 1 union all select n + 1 from c where n < 20000)
        insert into marks select n, n % 100, 'The mark with the number ' || n from c`,
      `create virtual table posts_search using fts5(a)`,
      `create virtual table tags_search using fts5(a)`,
      `with recursive c(n) as (select 1 union all select n + 1 from c where n < ${large})
        insert into posts select n, n % 100, 'Post ' || n, 1.5, '2026-01-02T03:04:05.000+00:00' from c`,
    ]) {
      await database.query(statement(sql), [])
    }
    const words = 'insert into posts_search (rowid, a) select id, title from posts'
    await database.query(statement(words), [])
  })
  afterAll(async () => {
    process.off('worker', onWorker)
    await database.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(() => void (answered = 0))

  it.each([
    [`select * from "posts" as "t0" where "t0"."id" = ?`, [7]],
    [
      `select * from "posts" as "t0" where "t0"."owner_id" = ? order by "t0"."id" desc limit 15`,
      [7],
    ],
    [
      `select * from "posts" as "t0" where "t0"."id" in (select value from json_each(?))`,
      ['[1,2]'],
    ],
    // As related records are read: the posts of each owner, in the order of an index.
    [
      `select "t0"."id", "t0"."title" from json_each(?) as k
        cross join json_each((select json_group_array(value) from (
          select "t0"."rowid" as value from "posts" as "t0" where "t0"."owner_id" >= k.value and "t0"."owner_id" <= k.value order by "t0"."owner_id" desc, "t0"."id" desc limit 15))) as i
        cross join "posts" as "t0" on "t0"."rowid" = i.value limit 20`,
      ['[7,8]'],
    ],
    [`select max("t0"."id") from "posts" as "t0"`, []],
    [`select count(*) from "tags" as "t0" where "t0"."name" like ?`, ['%e%']],
    [`select * from tags order by name`, []],
    [`select "t0"."id" from "lines" as "t0" where "t0"."text" like ? limit 15`, ['%999%']],
    [
      `select "t0"."id" from "stories" as "t0" where "t0"."id" = ? and "t0"."text" like ?`,
      [7, '%y%'],
    ],
    [words('tags'), ['red', 'red']],
    // Values that are compared are not read to their ends, and LIMIT and OFFSET are no tests of a row.
    [`select count(*) from "marks" as "t0" where "t0"."owner_id" = ? and "t0"."id" > ?`, [7, 9]],
    [
      `select "t0"."id" from "marks" as "t0" where "t0"."owner_id" = ? or "t0"."owner_id" = ? limit ? offset ?`,
      [7, 8, 15, 30],
    ],
    // The first pages of a large table, in its order or in that of an index.
    [page(`order by "t0"."id" desc`), [7, 15, 0]],
    [page(`order by "t0"."owner_id" desc, "t0"."id" desc`), [7, 100, 900]],
  ])('runs here: %s', async (sql, parameters) => {
    await read(sql, parameters)
    expect([workers.length, answered]).toEqual([0, 0])
  })

  it.each([
    [`select "t0"."id" from "posts" as "t0" where "t0"."title" like ? limit 15`, ['%24999%']],
    [`select count(*) from "posts" as "t0" where "t0"."title" like ?`, ['%999%']],
    [`select count(*) from "posts" as "t0" where "t0"."owner_id" = ?`, [7]],
    [`select "t0"."id" from "posts" as "t0" where "t0"."owner_id" > ? limit 5`, [98]],
    [
      `select "t0"."id" from "posts" as "t0" where "t0"."owner_id" = ? order by "t0"."title" limit 5`,
      [7],
    ],
    [
      `select "t0"."rowid" as "at", "t0"."title" from "posts" as "t0" where "t0"."title" > ? limit 5`,
      ['Post 9'],
    ],
    [`select name from tags t where exists (select 1 from posts p where p.title = t.name)`, []],
    // Pages far away, without an end, in an order that has to be made, and of rows that have to be looked for.
    [page(`order by "t0"."id" desc`), [7, 15, 1_000]],
    [page(`order by "t0"."id" desc`), [7, -1, 24_000]],
    [page(`order by "t0"."title"`), [7, 15, 0]],
    [page(`where "t0"."title" like '%24999%' order by "t0"."id"`), [7, 15, 0]],
    [`select distinct "t0"."owner_id" from "posts" as "t0" limit ? offset ?`, [100, 0]],
    [`select count("t0"."owner_id") from "posts" as "t0" limit ? offset ?`, [15, 0]],
    [
      `select "t0"."owner_id" from "posts" as "t0" group by "t0"."owner_id" limit ? offset ?`,
      [100, 0],
    ],
    [`with p as (select * from posts where title like ?) select count(*), max(id) from p`, ['%7']],
    [words('posts'), ['post', 'post']],
    // Few rows of long texts, many tests of each row, and each row of one table with each of another.
    [`select "t0"."id" from "stories" as "t0" where "t0"."text" like ? limit 15`, ['%y%']],
    [
      `select "t0"."id" from "lines" as "t0" where ${Array(49).fill('"t0"."text" like ?').join(' or ')} limit 15`,
      Array.from({ length: 49 }, (_, at) => `%${at}0%`),
    ],
    [
      `select count(*) from "lines" as "t0" where exists (select 1 from "lines" as "t1" where "t1"."text" like "t0"."text" || ?)`,
      ['9'],
    ],
    // What is said of records together.
    [
      `select "g0", cast(sum("c1" * 100 % 7) as text) from (select date("c0", 'start of month') as "g0", "c1"
        from (select "t0"."at" as "c0", "t0"."rating" as "c1" from "posts" as "t0") as r) as a group by "g0" limit ?`,
      [1001],
    ],
    [
      `select min("c0") from (select "t0"."rating" as "c0" from "posts" as "t0" where "t0"."owner_id" = ?) as a`,
      [7],
    ],
  ])('runs on a thread, with the same rows: %s', async (sql, parameters) => {
    const plain = open(false)
    const rows = await plain.query(statement(sql, 'read'), parameters)
    await plain.close()
    expect(await read(sql, parameters)).toEqual(rows)
    expect(answered).toBe(1)
    expect(workers.length).toBeGreaterThan(0)
  })

  it.each([
    `select "t0"."id" from "posts" as "t0" where "t0"."title" like '%9' order by "t0"."id" desc limit 15`,
    `select "t0"."id" from "posts" as "t0" where "t0"."owner_id" > 98 order by "t0"."owner_id" limit 5`,
    `select "t0"."id" from "posts" as "t0" where "t0"."owner_id" in (1, 2) order by "t0"."title" limit 5`,
    `select count(*) from "posts" as "t0" where "t0"."owner_id" = 7 or "t0"."id" = 9`,
    `select count(*) from "posts" as "t0" where exists (select 1 from "tags" as "t1" where "t1"."id" = "t0"."owner_id")`,
    `select "t0"."rowid" as "at" from "posts" as "t0" where "t0"."owner_id" >= 50 limit 5`,
    `select * from "posts" where "posts"."title" like '%9' order by "posts"."id" desc limit 5`,
  ])('has the plan it would have elsewhere: %s', (sql) => {
    const handle = new SqliteDriver(join(folder, 'test.sqlite'))
    handle.function(goOn, () => 1)
    const found = new LongStatements(handle).find(sql, [])
    const plan = (text = '') =>
      handle
        .prepare(`explain query plan ${text}`)
        .all()
        .map((step) => (step as { detail: string }).detail.replace(/\b(?:t0|posts)\b/, 't0'))
    expect(found?.endable).toContain(goOn)
    expect(plan(found?.endable)).toEqual(plan(sql))
    handle.close()
  })

  it('runs queries of one’s own there, with the values they have elsewhere', async () => {
    const rows = (of: SqliteDatabase) =>
      of.kysely<Tables>().selectFrom('posts').selectAll().where('title', 'like', '%2499%').execute()
    const found = await rows(database)
    expect(answered).toBe(1)
    expect(found).toHaveLength(13)
    expect(found[0]).toMatchObject({ rating: '1.50', at: '2026-01-02T03:04:05.000Z' })
    const plain = open(false)
    expect(found).toEqual(await rows(plain))
    await plain.close()
  })

  it('reads in a transaction what the transaction wrote', async () => {
    const total = `select count(*) from "posts" as "t0" where "t0"."title" like 'New%'`
    const failed = database.transaction(async (connection) => {
      await connection.query(statement(`insert into posts (title) values ('New')`), [])
      expect(await connection.query(statement(total, 'read'), [])).toEqual([[1]])
      expect(await read(total)).toEqual([[0]])
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await read(total)).toEqual([[0]])
  })

  it('fails as it fails elsewhere', async () => {
    const sql = `select json("t0"."title") from "posts" as "t0" where "t0"."title" like '%9'`
    await expect(read(sql)).rejects.toMatchObject({
      name: 'SqliteError',
      message: 'malformed JSON',
    })
    const texts = `select "t0"."title" from "posts" as "t0" where "t0"."title" like '%'`
    await expect(read(texts, [], new Caller())).rejects.toMatchObject({ status: 400 })
    expect(answered).toBe(2)
  })

  it('ends after its time, before its first row, and the thread goes on', async () => {
    const hasty = open(true, 100)
    const before = workers.length
    const total = () => hasty.query(statement(slowTotal, 'read'), [], new Caller())
    await expect(total()).rejects.toMatchObject({ name: 'SlowStatementError' })
    await expect(total()).rejects.toMatchObject({ name: 'SlowStatementError' })
    expect(workers.length).toBe(before + 1)
    await hasty.close()
  })

  it('leaves a thread to others: one request runs one statement there at a time', async () => {
    const settled: string[] = []
    const busy = open()
    const [many, other] = [new Caller(), new Caller()]
    const run = async (name: string, sql: string, caller: Caller) => {
      await busy.query(statement(sql, 'read'), [], caller).catch(() => {})
      settled.push(name)
    }
    const all = [1, 2, 3].map((n) => run(`many ${n}`, `${slowTotal} and ${n} = ${n}`, many))
    await run('other', `select count(*) from "posts" as "t0" where "t0"."title" like '%1'`, other)
    expect(settled).toEqual(['other'])
    await busy.close()
    await Promise.all(all)
  })

  it('lets a few hundred wait and no more; closing ends what runs and what waits', async () => {
    const busy = open()
    const asked = Array.from({ length: 210 }, (_, n) =>
      busy.query(statement(`${slowTotal} and ${n} = ${n}`, 'read'), []),
    )
    await expect(asked.at(-1)).rejects.toMatchObject({ name: 'UnavailableError' })
    const ends = Promise.allSettled(asked)
    await busy.close()
    const errors = (await ends).map((end) => (end.status === 'rejected' ? end.reason.name : 'rows'))
    expect(new Set(errors)).toEqual(new Set(['UnavailableError']))
  })

  it('gives the next thread to who has fewest, and a place in the full queue to who is new', async () => {
    const one = open(true, 0)
    const order: string[] = []
    const failed: string[] = []
    const short = `select count(*) from "posts" as "t0" where "t0"."title" like ?`
    const search = (who: string, n: number) =>
      one.query(statement(short, 'read'), [`${who} ${n}`], new Caller(undefined, () => who)).then(
        () => order.push(who),
        () => failed.push(who),
      )
    const greedy = Array.from({ length: 400 }, (_, n) => search('greedy', n))
    const others = ['ada', 'bob', 'cyd'].map((who) => search(who, 0))
    await Promise.all([...greedy, ...others])
    // Those that run already, of at most four threads, go before them, and one between two others.
    expect(order.filter((who) => who !== 'greedy').toSorted()).toEqual(['ada', 'bob', 'cyd'])
    expect(order.findLastIndex((who) => who !== 'greedy')).toBeLessThan(12)
    expect(new Set(failed)).toEqual(new Set(['greedy']))
    await one.close()
  })

  it('answers bytes as they are answered here', async () => {
    const [[bytes] = []] = await read(
      `select x'00ff10' from "posts" as "t0" where "t0"."title" like ? limit 1`,
      ['Post%'],
    )
    expect(answered).toBe(1)
    expect(bytes).toEqual(Buffer.from('00ff10', 'hex'))
  })
  totals()
})

function totals(): void {
  describe('a total', () => {
    const total = `select count(*) from "posts" as "t0" where "t0"."title" like ?`
    const counted = async (work: () => Promise<unknown>) => {
      const before = answered
      await work()
      return answered - before
    }
    const ask = () => read(total, ['%11%'])

    it('is counted once until somebody writes, here or in another process', async () => {
      expect(await counted(ask)).toBe(1)
      expect(await counted(ask)).toBe(0)
      expect(await counted(() => read(total, ['%12%']))).toBe(1)
      await write(`update posts set title = 'another' where id = 1`)
      expect(await counted(ask)).toBe(1)
      const other = new SqliteDriver(join(folder, 'test.sqlite'))
      other.exec(`update posts set title = 'one more' where id = 1`)
      expect(await counted(ask)).toBe(1)
      other.exec(`begin; update posts set title = '11' where id = 1; rollback`)
      other.close()
      expect(await counted(ask)).toBe(0)
    })

    it('of a small table is counted where it was asked for, once as well', async () => {
      let rows = 0
      const here = openSqlite(url(), {
        longReads: (file, reader) => {
          reader.handle.function('seen', () => (rows += 1))
          return readerThreads(file, reader)
        },
      })
      const tags = statement(`select count(*) from "tags" as "t0" where seen() > 0`, 'read')
      const count = async () => (await here.query(tags, []))[0]?.[0]
      expect([await count(), await count(), rows]).toEqual([2, 2, 2])
      await write(`insert into tags (name) values ('green')`)
      expect([await count(), await count(), rows]).toEqual([3, 3, 5])
      await write(`delete from tags where name = 'green'`)
      await here.close()
    })

    it('is told apart from that of other values, whatever is in them', async () => {
      const both = `${total} and "t0"."at" like ?`
      const [one, other] = [
        ['%', '%x\nstring %'],
        ['%\nstring %x', '%'],
      ]
      expect(await counted(() => read(both, one))).toBe(1)
      expect(await counted(() => read(both, other))).toBe(1)
    })

    it('that was counted while somebody wrote is counted again', async () => {
      const counting = read(total, ['%13%'])
      await write(`insert into posts (title) values ('x')`)
      await counting
      expect(await counted(() => read(total, ['%13%']))).toBe(1)
    })

    it('of a moment or of chance is counted each time', async () => {
      for (const more of [
        `datetime('now') > "t0"."at"`,
        'random() <> 0',
        `"t0"."at" < current_timestamp`,
      ]) {
        const sql = `select count(*) from "posts" as "t0" where ${more}`
        expect([await counted(() => read(sql)), await counted(() => read(sql))]).toEqual([1, 1])
      }
    })

    test('is always what another connection counts', async () => {
      const other = new SqliteDriver(join(folder, 'test.sqlite'))
      const exact = other.prepare(total.replaceAll('?', `'%z%'`)).pluck()
      const inTransaction = (end: string) =>
        database
          .transaction(async (connection) => {
            await connection.query(statement(`insert into posts (title) values ('z')`), [])
            if (end === 'rollback') throw new Error(end)
          })
          .catch(() => {})
      const steps: Readonly<Record<string, () => unknown>> = {
        insert: () => write(`insert into posts (title) values ('z')`),
        delete: () => write(`delete from posts where id = (select max(id) from posts)`),
        commit: () => inTransaction('commit'),
        rollback: () => inTransaction('rollback'),
        elsewhere: () => other.exec(`insert into posts (title) values ('z')`),
        checkpoint: () => other.pragma('wal_checkpoint(TRUNCATE)'),
        nothing: () => {},
      }
      const step = fc.constantFrom(...Object.keys(steps))
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (some) => {
          for (const each of some) {
            await steps[each]?.()
            expect(await read(total, ['%z%']), each).toEqual([[exact.get()]])
          }
        }),
        { numRuns: runs(10) },
      )
      other.close()
    })
  })
}

test.runIf(names.includes('sqlite'))('a database in memory has no threads', async () => {
  const database = openSqlite(':memory:', { longReads: readerThreads })
  expect(await database.query(statement('select 1', 'read'), [])).toEqual([[1]])
  await database.close()
})
