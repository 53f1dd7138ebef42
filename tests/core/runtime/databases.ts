/** Both databases, opened as an emitted server opens them, each with a place of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres, type PostgresDatabase } from '../../../runtime/database/postgres/open.js'
import { openSqlite, type SqliteDatabase } from '../../../runtime/database/sqlite/open.js'
import type { Statement } from '../../../runtime/database/types.js'
import type { DatabaseName } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'

export { databases as names } from '../../support/databases.js'
export type Name = DatabaseName

export interface Opened<Database = SqliteDatabase | PostgresDatabase> {
  readonly database: Database
  readonly url: string
  /** A folder that goes with the database. */
  readonly folder: string
  readonly close: () => Promise<void>
}

export async function openDatabase(name: Name): Promise<Opened> {
  return name === 'sqlite' ? openSqliteFile() : openFreshPostgres()
}

export async function openSqliteFile(): Promise<Opened<SqliteDatabase>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-runtime-'))
  const url = `file:${join(folder, 'storage', 'test.sqlite')}`
  return opened(openSqlite(url), url, folder)
}

export async function openFreshPostgres(): Promise<Opened<PostgresDatabase>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-runtime-'))
  const url = await freshDatabase()
  return opened(openPostgres(url), url, folder)
}

function opened<Database extends { close(): Promise<void> }>(
  database: Database,
  url: string,
  folder: string,
): Opened<Database> {
  const close = async () => {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { database, url, folder, close }
}

export function statement(sql: string, access: Statement['access'] = 'write'): Statement {
  return { sql, access }
}

/** SQL with `?`, in the dialect's placeholders. */
export function marked(name: Name, sql: string): string {
  let position = 0
  return name === 'sqlite' ? sql : sql.replaceAll('?', () => `$${++position}`)
}
