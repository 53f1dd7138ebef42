import { existsSync } from 'node:fs'
import { SetupError } from '../../setup-error.js'
import { acceptingLoss } from './accepted-loss.js'
import { findRows, foundText, stoppedText } from './checks.js'
import { hasChecksum, readDraft, readMigrations } from './folder.js'
import { driftOf, pastOf, readHistory, record } from './history.js'
import { draftError, requireDraft, requireSaved } from './pending.js'
import type { Migratable, MigrationSession, SavedMigration } from './session.js'

export interface MigrateOptions {
  /** `prisma/migrations`, seen from the folder the server is started in. */
  readonly folder: string
  /** In development svc takes a database to the draft, so it is `required`; a test has it `run`. */
  readonly draft?: 'required' | 'run' | undefined
  /** Values that do not fit a changed field are cut, or emptied; otherwise they stop the migration. */
  readonly acceptDataLoss?: boolean
  readonly log?: (line: string) => void
}

/**
 * Applies what is saved and pending, each migration in one transaction that no other process can
 * migrate beside (without one where the database allows none). Answers their names.
 */
export async function migrate(
  database: Migratable,
  { folder, draft, acceptDataLoss = false, log = () => {} }: MigrateOptions,
): Promise<readonly string[]> {
  if (!existsSync(folder)) throw new SetupError(`There is no '${folder}' where the server starts.`)
  const saved = readMigrations(folder)
  const applied: string[] = []
  // One turn per migration: between two of them other processes may go on.
  for (;;) {
    const name = await database.migrating((session) =>
      applyNext(session, saved, { log, acceptDataLoss }),
    )
    if (name === null) break
    applied.push(name)
    log(`migration ${name} applied`)
  }
  if (draft !== undefined || saved.length === 0) {
    await database.migrating((session) => meetDraft(session, folder, draft))
  }
  return applied
}

/** Reads the history inside the lock; answers the name, or null: nothing is pending. */
export async function applyNext(
  session: MigrationSession,
  saved: readonly SavedMigration[],
  { log, acceptDataLoss }: Required<Pick<MigrateOptions, 'log' | 'acceptDataLoss'>>,
): Promise<string | null> {
  const { applied, draft } = await readHistory(session)
  const drift = driftOf(saved, applied)
  if (drift.length > 0) throw new SetupError(drift.map(({ text }) => text).join('\n'))
  const names = applied.map(({ name }) => name)
  const next = saved.find(({ name }) => !names.includes(name))
  if (next === undefined) {
    const known = [...saved.map(({ name }) => name), ...pastOf(saved, applied)]
    const ahead = names.filter((name) => !known.includes(name)).join(', ')
    if (ahead !== '') log(`the database is ahead of this version of the server: ${ahead}`)
    return null
  }
  if (draft !== null && !hasChecksum(next.sql, draft)) throw draftError('has an earlier')
  // The draft that this database has was saved: it is recorded, and not run.
  const sql = draft === null ? next.sql : 'DROP TABLE _svc_draft'
  const found = await findRows(session, sql)
  if (found.length === 0) await apply(session, next, sql)
  else if (!acceptDataLoss) throw new SetupError(stoppedText(next.name, found))
  else {
    await acceptingLoss(session, async () => {
      const lasting = await findRows(session, sql)
      if (lasting.length > 0) throw new SetupError(stoppedText(next.name, lasting))
      await apply(session, next, sql)
    })
    log(`loss accepted: ${found.map(foundText).join('; ')}`)
  }
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
