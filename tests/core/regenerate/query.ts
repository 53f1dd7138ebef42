import pg from 'pg'
import type { Database } from '../../../generator/blueprint/types.js'
import { SqliteDriver as Sqlite } from '../../../runtime/database/sqlite/driver.js'

/** Asks a project's database, beside the project. */
export async function query(database: Database, url: string, sql: string): Promise<unknown[]> {
  if (database === 'sqlite') {
    const file = new Sqlite(url.slice('file:'.length))
    const found = /^\s*select/i.test(sql) ? file.prepare(sql).all() : void file.exec(sql)
    file.close()
    return found ?? []
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const result = await client.query(sql)
  await client.end()
  return result.rows ?? []
}
