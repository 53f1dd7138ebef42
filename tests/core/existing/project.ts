import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { DatabaseName } from '../../support/databases.js'
import { freshDatabase } from '../../support/postgres.js'
import { linkModules, load as loadFrom } from '../../support/project.js'
import { whenOver } from '../../support/when-over.js'
import { emptyFolder, svc, type Ran } from '../cli/project.js'

export interface Existing {
  readonly database: DatabaseName
  readonly url: string
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** A database that was made without svc. */
export async function existing(database: DatabaseName, sql: string): Promise<Existing> {
  if (database === 'sqlite') {
    const path = join(emptyFolder(), 'shop.sqlite')
    const file = new Sqlite(path)
    whenOver(() => void file.close())
    file.exec(sql)
    const rows = async (text: string) => file.prepare(text).all() as Record<string, unknown>[]
    return { database, url: `file:${path}`, rows }
  }
  const url = await freshDatabase()
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' })
  client.on('error', () => {})
  await client.connect()
  whenOver(() => client.end())
  await client.query(sql)
  return { database, url, rows: async (text) => (await client.query(text)).rows }
}

/** Returns the objects and rows of the database, without svc's notes of migrations. */
export async function contents({ database, rows }: Existing): Promise<Contents> {
  const [schema, tables] = database === 'sqlite' ? ofSqlite : ofPostgres
  const all: Record<string, readonly string[]> = {}
  for (const { name } of await rows(tables)) {
    const found = await rows(`SELECT * FROM "${String(name)}"`)
    all[String(name)] = found.map((row) => JSON.stringify(row)).toSorted()
  }
  // PostgreSQL writes the list of a check in two ways, which mean the same.
  const text = (row: object) => JSON.stringify(row).replaceAll(/::[a-z ]+|[()]|\[\]/g, '')
  return { schema: (await rows(schema)).map(text).toSorted(), all }
}

interface Contents {
  readonly schema: readonly string[]
  readonly all: Readonly<Record<string, readonly string[]>>
}

const ofSqlite = [
  `SELECT type, name, tbl_name FROM sqlite_master WHERE tbl_name <> '_prisma_migrations'`,
  `SELECT name FROM sqlite_master WHERE type = 'table' AND name <> '_prisma_migrations'`,
] as const
const notOurs = (table: string) => `${table} <> '_prisma_migrations'`
const ofPostgres = [
  `SELECT table_name AS a, column_name AS b, concat(ordinal_position, data_type, udt_name, is_nullable, column_default, is_identity) AS c
     FROM information_schema.columns WHERE table_schema = 'public' AND ${notOurs('table_name')}
   UNION ALL SELECT conname, contype::text, pg_get_constraintdef(oid) FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace AND conrelid IS DISTINCT FROM to_regclass('_prisma_migrations')
   UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND ${notOurs('tablename')}
   UNION ALL SELECT viewname, '', definition FROM pg_views WHERE schemaname = 'public'
   UNION ALL SELECT proname, prokind::text, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
   UNION ALL SELECT tgname, '', pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
   UNION ALL SELECT typname, enumlabel, '' FROM pg_enum JOIN pg_type t ON t.oid = enumtypid`,
  `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND ${notOurs('relname')}`,
] as const

export interface Served {
  readonly root: string
  readonly said: Ran
  ask(
    method: string,
    path: string,
    body?: unknown,
    // Tests look into answers freely; a wrong path is a failing test.
    // oxlint-disable-next-line typescript/no-explicit-any
  ): Promise<{ readonly status: number; readonly body: any }>
  /** `svc …` in the project. */
  run(...line: readonly string[]): Promise<Ran>
}

/** `svc init --from`, its policies opened, migrated and asked as clients ask. */
export async function served(
  from: Existing,
  edits: Readonly<Record<string, (text: string) => string>> = {},
  options: readonly string[] = [],
): Promise<Served> {
  const root = emptyFolder()
  const said = await svc(root, 'init', '.', '--from', from.url, ...options)
  if (said.code !== 0) throw new Error(said.out + said.errors)
  await linkModules(root)
  const policies = join(root, 'app/Policies')
  for (const name of readdirSync(policies)) {
    const path = join(policies, name)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(': () => false', ': () => true'))
  }
  for (const [path, change] of Object.entries(edits)) {
    const file = join(root, path)
    writeFileSync(file, change(readFileSync(file, 'utf8')))
  }
  if (Object.keys(edits).some((path) => path.startsWith('manifest/'))) {
    await svc(root, 'generate', '--no-compile')
  }
  process.env['DATABASE_URL'] = from.url
  process.env['NODE_ENV'] = 'test'
  process.env['LOG_LEVEL'] ??= 'silent'
  const load = (path: string) => loadFrom(root, path)
  const { createApp } = await load('app/app.ts')
  const { database } = await load('app/database.ts')
  const { migrate } = await load('runtime/database/migrations/migrate.ts')
  whenOver(() => database.close())
  await migrate(database, { folder: join(root, 'prisma/migrations') })
  const app = createApp()
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer: Response = await app.request(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }
  return { root, said, ask, run: (...line) => svc(root, ...line) }
}
