import { existsSync } from 'node:fs'
import { SetupError } from '../../setup-error.js'
import { hasChecksum, readDraft, readMigrations } from './folder.js'
import { driftOf, readHistory, record } from './history.js'
import { draftError, requireDraft, requireSaved } from './pending.js'
import type { Migratable, MigrationSession, SavedMigration } from './session.js'

export interface MigrateOptions {
  /** `prisma/migrations`, seen from the folder the server is started in. */
  readonly folder: string
  /** In development svc takes a database to the draft, so it is `required`; a test has it `run`. */
  readonly draft?: 'required' | 'run' | undefined
  readonly log?: (line: string) => void
}

/**
 * Applies what is saved and pending, each migration in one transaction that no other process can
 * migrate beside (without one where the database allows none). Answers their names.
 */
export async function migrate(
  database: Migratable,
  { folder, draft, log = () => {} }: MigrateOptions,
): Promise<readonly string[]> {
  if (!existsSync(folder)) throw new SetupError(`There is no '${folder}' where the server starts.`)
  const saved = readMigrations(folder)
  const applied: string[] = []
  // One turn per migration: between two of them other processes may go on.
  for (;;) {
    const name = await database.migrating((session) => applyNext(session, saved, log))
    if (name === null) break
    applied.push(name)
    log(`migration ${name} applied`)
  }
  if (draft !== undefined || saved.length === 0) {
    await database.migrating((session) => meetDraft(session, folder, draft))
  }
  return applied
}

/** Reads the history inside the lock; null: nothing is pending. */
async function applyNext(
  session: MigrationSession,
  saved: readonly SavedMigration[],
  log: (line: string) => void,
): Promise<string | null> {
  const { applied, draft } = await readHistory(session)
  const drift = driftOf(saved, applied)
  if (drift.length > 0) throw new SetupError(drift.map(({ text }) => text).join('\n'))
  const names = applied.map(({ name }) => name)
  const next = saved.find(({ name }) => !names.includes(name))
  if (next === undefined) {
    const ahead = names.filter((name) => saved.every((each) => each.name !== name)).join(', ')
    if (ahead !== '') log(`the database is ahead of this version of the server: ${ahead}`)
    return null
  }
  if (draft !== null && !hasChecksum(next.sql, draft)) throw draftError('has an earlier')
  // The draft that this database has was saved: it is recorded, and not run.
  await apply(session, next, draft === null ? next.sql : 'DROP TABLE _svc_draft')
  return next.name
}

async function apply(session: MigrationSession, migration: SavedMigration, sql: string) {
  const { name } = migration
  try {
    session.check?.(sql)
    await session.run(sql)
    await record(session, migration)
  } catch (error) {
    if (await session.runAlone?.(migration, error)) return
    const why = error instanceof Error ? error.message : String(error)
    const careful = sql.match(/^-- Careful: .*$/gm)?.join('\n  ')
    const fix = careful === undefined ? '; correct it and start again.' : `.\n  ${careful}`
    throw new SetupError(
      `Migration '${name}' could not be applied: ${why}\n  Nothing of it is in the database${fix}`,
      { cause: error },
    )
  }
}

async function meetDraft(
  session: MigrationSession,
  folder: string,
  draft: MigrateOptions['draft'],
): Promise<void> {
  if (draft === undefined) return requireSaved(session, folder)
  if (draft === 'required') return requireDraft(session, folder)
  const sql = readDraft(folder)
  if (sql !== null) await session.run(sql)
}
