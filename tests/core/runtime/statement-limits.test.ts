import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Caller } from '../../../runtime/database/caller.js'
import { openPostgres } from '../../../runtime/database/postgres/open.js'
import { openSqlite } from '../../../runtime/database/sqlite/open.js'
import type { Database } from '../../../runtime/database/types.js'
import { countedColumns } from '../../../runtime/features/relations/counted-columns.js'
import { columnOf } from '../../../runtime/model/columns.js'
import { join } from '../../../runtime/sql/sql.js'
import { names, openDatabase, type Opened, statement } from './databases.js'

/** Rows without an end: who reads them all never comes back. */
const endless = (value: string) => `WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s)
  SELECT ${value} FROM s`

describe.each(names)('what a request reads on %s', (name) => {
  let opened: Opened
  let database: Database

  beforeAll(async () => {
    opened = await openDatabase(name)
    const limits = { response_bytes: 10_000, statement_ms: 300 }
    database =
      name === 'sqlite' ? openSqlite(opened.url, { limits }) : openPostgres(opened.url, { limits })
  })
  afterAll(async () => {
    await database.close()
    await opened.close()
  })

  const read = (sql: string, caller = new Caller()) =>
    database.query(statement(sql, 'read'), [], caller)
  const text = name === 'sqlite' ? `printf('%0100d', n)` : `repeat('x', 100)`

  it('ends where no answer could hold its text, and the next read is served', async () => {
    await expect(read(endless(text))).rejects.toMatchObject({ status: 400 })
    expect(await read('SELECT 1')).toEqual([[1]])
    const most = `${endless(text)} LIMIT 200`
    expect(await read(most)).toHaveLength(200)
  })

  it('ends after its time where rows come without an end', async () => {
    await expect(read(endless('n'))).rejects.toMatchObject({ name: 'SlowStatementError' })
    expect(await read('SELECT 1')).toEqual([[1]])
  })

  it('is not read for a client that left', async () => {
    const left = new Caller(() => true)
    await expect(read('SELECT 1', left)).rejects.toMatchObject({ status: 400 })
  })

  it('is what the server reads for itself without a limit of text', async () => {
    const rows = await database.query(statement(`${endless(text)} LIMIT 1000`, 'read'), [])
    expect(rows).toHaveLength(1000)
  })
})

describe.runIf(names.includes('sqlite'))('a page on SQLite', () => {
  const database = openSqlite(':memory:', { limits: { response_bytes: 10_000, statement_ms: 0 } })
  afterAll(() => database.close())

  it.each([
    [16, 'is read at once'],
    [17, 'is read row by row, and ends where no answer could hold its text'],
  ])('of at most %d rows %s', async (most) => {
    const sql = `${endless(`printf('%02000d', n)`)} LIMIT ${most}`
    const page = database.query({ sql, access: 'read', most }, [], new Caller())
    if (most === 16) expect(await page).toHaveLength(16)
    else await expect(page).rejects.toMatchObject({ status: 400 })
  })
})

describe.runIf(names.includes('sqlite'))('related records on SQLite', () => {
  const response_bytes = 10_000
  const database = openSqlite(':memory:', { limits: { response_bytes, statement_ms: 1 } })
  afterAll(() => database.close())

  /** Of 100 records, 50 bytes of each text are no more than an answer. */
  const related = (length: number, most = '') => {
    const columns = (['text?', 'json?', 'integer'] as const).map((kind, at) =>
      columnOf(`c${at}`, kind, database),
    )
    const settings = { maxResponse: response_bytes, maxRelated: 99 }
    const [list = ''] = join(countedColumns({ settings, dialect: 'sqlite' }, columns, 't0')).texts
    const text = `WITH RECURSIVE t0(c0, c1, c2) AS (SELECT NULL, printf('%0${length}d', 7), 1
      UNION ALL SELECT c1, c0, c2 + 1 FROM t0) SELECT ${list} FROM t0 ${most}`
    return database.query(statement(text, 'read'), [], new Caller())
  }

  it('count their long texts while they are read at once', async () => {
    await expect(related(51)).rejects.toMatchObject({ status: 400 })
    const [one, other] = await related(51, 'LIMIT 2')
    expect([one, other]).toEqual([
      [null, '7'.padStart(51, '0'), 1],
      ['7'.padStart(51, '0'), null, 2],
    ])
    expect(await related(51, 'LIMIT 392')).toHaveLength(392)
    await expect(related(51, 'LIMIT 393')).rejects.toMatchObject({ status: 400 })
    expect(await related(50, 'LIMIT 500')).toHaveLength(500)
  })

  it('are read row by row once they took longer than they may', async () => {
    const most = 'LIMIT 100000'
    expect(await related(1, most)).toHaveLength(100_000)
    await expect(related(1, most)).rejects.toMatchObject({ name: 'SlowStatementError' })
  })
})
