import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Caller } from '../../runtime/database/caller.js'
import { openPostgres } from '../../runtime/database/postgres/open.js'
import { openSqlite } from '../../runtime/database/sqlite/open.js'
import type { Database } from '../../runtime/database/types.js'
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
