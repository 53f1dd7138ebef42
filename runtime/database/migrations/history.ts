import { randomUUID } from 'node:crypto'
import { SetupError } from '../../setup-error.js'
import type { Migratable, MigrationSession } from './session.js'
import { checksumOf, hasChecksum, type SavedMigration } from './folder.js'

/** Migrations cannot be applied as things stand; the message says why and the way out. */
export class MigrationError extends SetupError {
  override name = 'MigrationError'
}

type Dialect = Migratable['dialect']

/** What the database knows of its migrations. */
export interface History {
  readonly applied: readonly Applied[]
  /** The draft this database has taken, in development. */
  readonly draft: TakenDraft | null
}

/** A draft that a database has taken. */
export interface TakenDraft {
  readonly checksum: string
  readonly datamodel: string
  /** Its text; null: taken before texts were kept. */
  readonly sql: string | null
}

interface Applied {
  readonly name: string
  readonly checksum: string
  readonly isFinished: boolean
}

/** Where the saved migrations and the history meet. */
export interface Standing {
  readonly applied: readonly string[]
  readonly pending: readonly SavedMigration[]
  /** Applied, newer than everything in the folder: by a newer version of this server. */
  readonly ahead: readonly string[]
}

/** The tables as Prisma's own engine makes them, so that its command line can go on from here. */
const historyTable: Readonly<Record<Dialect, string>> = {
  sqlite: `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    TEXT PRIMARY KEY NOT NULL,
    "checksum"              TEXT NOT NULL,
    "finished_at"           DATETIME,
    "migration_name"        TEXT NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        DATETIME,
    "started_at"            DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count"   INTEGER UNSIGNED NOT NULL DEFAULT 0
)`,
  postgresql: `CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             TIMESTAMPTZ,
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    rolled_back_at          TIMESTAMPTZ,
    started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count     INTEGER NOT NULL DEFAULT 0
)`,
}

const tableNames: Readonly<Record<Dialect, string>> = {
  sqlite: `
    SELECT name FROM sqlite_master
    WHERE type = 'table' AND name IN ('_prisma_migrations', '_svc_draft')`,
  postgresql: `
    SELECT table_name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_name IN ('_prisma_migrations', '_svc_draft')`,
}

export async function readHistory(
  session: Pick<MigrationSession, 'query'>,
  dialect: Dialect,
): Promise<History> {
  const tables = (await session.query(tableNames[dialect])).map(([name]) => name)
  const rows = tables.includes('_prisma_migrations')
    ? await session.query(
        `SELECT migration_name, checksum, finished_at IS NOT NULL FROM _prisma_migrations
         WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name`,
      )
    : []
  const drafts = tables.includes('_svc_draft')
    ? await session.query('SELECT * FROM _svc_draft')
    : []
  return {
    applied: rows.map(([name, checksum, finished]) => ({
      name: String(name),
      checksum: String(checksum),
      isFinished: finished === true || finished === 1,
    })),
    draft: drafts.map(takenDraft).at(0) ?? null,
  }
}

/** Columns in the order of `recordDraft`; the text came last. */
function takenDraft([checksum, datamodel, , sql]: readonly unknown[]): TakenDraft {
  return {
    checksum: String(checksum),
    datamodel: String(datamodel),
    sql: typeof sql === 'string' ? sql : null,
  }
}

export async function recordApplied(
  session: MigrationSession,
  dialect: Dialect,
  { name, sql }: SavedMigration,
): Promise<void> {
  await session.query(historyTable[dialect])
  // Prisma's engine writes milliseconds on SQLite.
  const now = dialect === 'sqlite' ? Date.now() : new Date().toISOString()
  await session.query(
    `INSERT INTO _prisma_migrations
       (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [randomUUID(), checksumOf(sql), now, name, now, 1],
  )
}

/** As Prisma does before it runs one: from now on it counts as failed, until it is finished. */
export async function recordStarted(
  session: MigrationSession,
  dialect: Dialect,
  { name, sql }: SavedMigration,
): Promise<string> {
  const id = randomUUID()
  await session.query(historyTable[dialect])
  await session.query(
    'INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)',
    [id, checksumOf(sql), name],
  )
  return id
}

export async function recordFinished(session: MigrationSession, id: string): Promise<void> {
  await session.query(
    'UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1',
    [id],
  )
}

/** What the database said, beside the migration that stays unfinished. */
export async function recordFailed(
  session: MigrationSession,
  id: string,
  logs: string,
): Promise<void> {
  await session.query('UPDATE _prisma_migrations SET logs = $1 WHERE id = $2', [logs, id])
}

/** Nothing of it was run. */
export async function forgetStarted(session: MigrationSession, id: string): Promise<void> {
  await session.query('DELETE FROM _prisma_migrations WHERE id = $1', [id])
}

/** Remembers which draft this database has; null: none any more. */
export async function recordDraft(
  session: MigrationSession,
  draft: { readonly sql: string; readonly datamodel: string } | null,
): Promise<void> {
  await session.query('DROP TABLE IF EXISTS _svc_draft')
  if (draft === null) return
  await session.query(
    `CREATE TABLE _svc_draft
       (checksum TEXT NOT NULL, datamodel TEXT NOT NULL, applied_at TEXT NOT NULL, sql TEXT)`,
  )
  await session.query('INSERT INTO _svc_draft VALUES ($1, $2, $3, $4)', [
    checksumOf(draft.sql),
    draft.datamodel,
    new Date().toISOString(),
    draft.sql,
  ])
}

/** A migration where folder and history contradict each other, and the way out. */
export interface Drift {
  readonly migration: string
  readonly kind: 'changed' | 'missing' | 'failed'
  readonly text: string
}

/** Everything that keeps the pending migrations from being applied. */
export function driftOf(saved: readonly SavedMigration[], { applied }: History): readonly Drift[] {
  const newest = saved.at(-1)?.name ?? ''
  const files = new Map(saved.map(({ name, sql }) => [name, sql]))
  return applied.flatMap(({ name, checksum, isFinished }): readonly Drift[] => {
    const sql = files.get(name)
    if (!isFinished) return [{ migration: name, kind: 'failed', text: failedText(name) }]
    if (sql === undefined && name <= newest) {
      return [{ migration: name, kind: 'missing', text: missingText(name) }]
    }
    if (sql === undefined || hasChecksum(sql, checksum)) return []
    return [{ migration: name, kind: 'changed', text: changedText(name) }]
  })
}

/** Compares folder and history; throws when they contradict each other. */
export function compare(saved: readonly SavedMigration[], history: History): Standing {
  const drift = driftOf(saved, history)
  if (drift.length > 0) throw new MigrationError(drift.map(({ text }) => text).join('\n'))
  const files = new Set(saved.map(({ name }) => name))
  const names = new Set(history.applied.map(({ name }) => name))
  return {
    applied: [...names],
    pending: saved.filter(({ name }) => !names.has(name)),
    ahead: [...names].filter((name) => !files.has(name)),
  }
}

const failedText = (name: string) =>
  `Migration '${name}' failed half way.\n` +
  `  fix    look at the database, then mark it:\n` +
  `         npx prisma migrate resolve --rolled-back ${name}\n` +
  `         (or --applied, when all of it is there)`

const missingText = (name: string) =>
  `Migration '${name}' is applied to this database and missing in the folder of migrations.\n` +
  `  fix    bring prisma/migrations/${name}/migration.sql back,\n` +
  `         or use the database this folder belongs to`

const changedText = (name: string) =>
  `Migration '${name}' was changed after it was applied to this database.\n` +
  `  fix    bring the text of prisma/migrations/${name}/migration.sql back,\n` +
  `         and make the change a new migration`
