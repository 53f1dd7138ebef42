import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type BetterSqlite from 'better-sqlite3'
import type pg from 'pg'
import { Refusal } from '../../../blueprint/refusal.js'
import type { Database } from '../../../blueprint/types.js'
import type { Catalog } from '../../../plan/existing/catalog.js'
import { readPostgres } from './read-postgres.js'
import { readSqlite } from './read-sqlite.js'

/** The database of `--from`: a PostgreSQL server or an SQLite file. */
export interface Existing {
  readonly database: Database
  /** As `DATABASE_URL` of the project. */
  readonly url: string
}

export function existingAt(from: string, cwd: string): Existing {
  if (/^postgres(ql)?:\/\//.test(from)) return { database: 'postgresql', url: from }
  const file = /^(?:file:|sqlite:)?(.+)$/.exec(from)?.[1] ?? ''
  if (/^[a-z][a-z0-9+]+:\/\//i.test(from) || file === '') throw new Refusal(wrongUrl(from))
  const path = resolve(cwd, file)
  if (!existsSync(path)) throw new Refusal(`There is no file '${path}'.\n  ${examples}`)
  return { database: 'sqlite', url: `file:${path}` }
}

const examples =
  'fix    --from file:shop.sqlite, or --from postgresql://user:password@host:5432/database'
const wrongUrl = (from: string) =>
  `'${withoutPassword(from)}' is neither a PostgreSQL server nor an SQLite file.\n  ${examples}`

const withoutPassword = (url: string) => url.replace(/(:\/\/[^:@/]*):[^@/]*@/, '$1:***@')

/** Reads the schema, and looks into the rows; changes nothing, and could not: its connection only reads. */
export async function readExisting({ database, url }: Existing, root: string): Promise<Catalog> {
  return database === 'sqlite'
    ? readFile(url.slice('file:'.length), driver<typeof BetterSqlite>('better-sqlite3', root))
    : readServer(url, driver<typeof pg>('pg', root))
}

/** svc has no driver of its own: the project's, or one that lies beside svc. */
function driver<Module>(name: string, root: string): Module {
  const places = [join(root, 'package.json'), import.meta.url]
  for (const place of places) {
    try {
      // The package is what its types say.
      return createRequire(place)(name) as Module
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'))
        throw error
    }
  }
  throw new Refusal(
    `svc reads the database with '${name}', and it is not installed.\n  fix    run npm install ${name} in the folder of the project, then this command again`,
  )
}

async function readFile(path: string, Sqlite: typeof BetterSqlite): Promise<Catalog> {
  try {
    const file = new Sqlite(path, { readonly: true, fileMustExist: true })
    try {
      // Rows are objects by the names of their columns.
      return await readSqlite(async (sql) => file.prepare(sql).all() as Record<string, unknown>[])
    } finally {
      file.close()
    }
  } catch (error) {
    throw new Refusal(`'${path}' cannot be read: ${textOf(error)}`)
  }
}

async function readServer(url: string, { Client }: typeof pg): Promise<Catalog> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    options: '-c default_transaction_read_only=on -c timezone=UTC',
  })
  // A server that goes away is reported by the query that it leaves.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return await readPostgres(async (sql) => (await client.query(sql)).rows)
  } catch (error) {
    throw new Refusal(`${withoutPassword(url)} cannot be read: ${textOf(error)}`)
  } finally {
    await client.end().catch(() => {})
  }
}

/** One that no address answered has no message of its own. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const inner = error instanceof AggregateError ? error.errors.map(textOf).join('; ') : ''
  return error.message || inner || error.name
}
