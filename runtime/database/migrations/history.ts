import { randomUUID } from 'node:crypto'
import { checksumOf, hasChecksum } from './folder.js'
import type { MigrationReader, SavedMigration } from './session.js'

const tableNames = {
  sqlite: `SELECT name FROM sqlite_master`,
  postgresql: `SELECT tablename FROM pg_tables WHERE schemaname = current_schema()`,
}

/**
 * Reads the migrations that are applied, and the checksum of the draft that svc ran here, in
 * development.
 */
export async function readHistory({ dialect, query }: MigrationReader) {
  const tables = new Set((await query(tableNames[dialect])).map(([name]) => name))
  const read = (table: string, sql: string) => (tables.has(table) ? query(sql) : [])
  const rows = await read(
    '_prisma_migrations',
    `SELECT migration_name, checksum, finished_at IS NOT NULL FROM _prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name`,
  )
  const applied = rows.map(([name, checksum, isFinished]) => {
    return { name: String(name), checksum: String(checksum), isFinished: Boolean(isFinished) }
  })
  const [[draft] = []] = await read('_svc_draft', 'SELECT checksum FROM _svc_draft')
  return { applied, draft: draft === undefined ? null : String(draft) }
}

type Applied = Awaited<ReturnType<typeof readHistory>>['applied'][number]

/** The table as Prisma's own engine makes it, so that its command line can go on from here. */
const historyTable = (time: string) => `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at ${time},
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at ${time},
  started_at ${time} NOT NULL DEFAULT current_timestamp,
  applied_steps_count INTEGER NOT NULL DEFAULT 0)`

/** As applied, or as started: what is recorded and not finished counts as failed. */
export async function record(
  { dialect, query }: MigrationReader,
  { name, sql }: SavedMigration,
  isFinished = true,
): Promise<void> {
  await query(historyTable(dialect === 'sqlite' ? 'DATETIME' : 'TIMESTAMPTZ'))
  // Prisma's engine writes milliseconds on SQLite.
  const now = dialect === 'sqlite' ? Date.now() : new Date().toISOString()
  await query(
    `INSERT INTO _prisma_migrations
       (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [randomUUID(), checksumOf(sql), isFinished ? now : null, name, now, isFinished ? 1 : 0],
  )
}

/** `svc init` gives the migration of the tables it found this name: it is older than all others. */
const baseline = /^19700101000000_/

/**
 * Names of what was applied before the folder began, by Prisma: where `svc init` wrote its first
 * migration, the history of that time is no part of it.
 */
export function pastOf(
  saved: readonly SavedMigration[],
  applied: readonly Applied[],
): readonly string[] {
  const first = saved[0]?.name ?? ''
  if (!baseline.test(first)) return []
  const begin = applied.findIndex(({ name }) => name === first)
  const past = begin === -1 ? applied : applied.slice(0, begin)
  const names = new Set(saved.map(({ name }) => name))
  return past.flatMap(({ name }) => (names.has(name) ? [] : [name]))
}

/** Finds contradictions between the folder and the applied migrations, and the way out. */
export function driftOf(saved: readonly SavedMigration[], applied: readonly Applied[]) {
  const files = new Map(saved.map(({ name, sql }) => [name, sql]))
  const newest = saved.at(-1)?.name ?? ''
  const past = pastOf(saved, applied)
  return applied.flatMap(({ name, checksum, isFinished }) => {
    if (past.includes(name)) return []
    const sql = files.get(name)
    const kind = !isFinished ? 'failed' : sql === undefined ? 'missing' : 'changed'
    // A migration that is newer than everything in the folder was applied by a newer version of
    // this server.
    if (kind === 'missing' && name > newest) return []
    if (kind === 'changed' && hasChecksum(sql ?? '', checksum)) return []
    return [{ migration: name, kind, text: `Migration '${name}' ${texts[kind]}${name}` } as const]
  })
}

const texts = {
  failed: `failed half way.
  fix    look at the database, then (or with --applied, when all of it is there)
         npx prisma@7.10.0 migrate resolve --rolled-back `,
  missing: `is applied to this database and missing in the folder of migrations.
  fix    use the database this folder belongs to; in development, one that is made anew (on SQLite: delete the file);
         or bring back prisma/migrations/`,
  changed: `was changed after it was applied to this database.
  fix    make the change a new migration, and bring back the old prisma/migrations/`,
}
