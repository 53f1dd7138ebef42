import {
  compare,
  forgetStarted,
  MigrationError,
  readHistory,
  recordFailed,
  recordFinished,
  recordStarted,
} from './history.js'
import type { Migratable, MigrationSession } from './session.js'
import type { SavedMigration } from './folder.js'

/** `CREATE INDEX CONCURRENTLY`, `VACUUM` and the like: PostgreSQL's code for each of them. */
export const isRefusedInside = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && error.code === '25001'

export const waysOutside = (name: string, { message }: Error) =>
  `Migration '${name}' could not be applied: ${message}\n` +
  `  Nothing of it is in the database.\n` +
  `  fix    make that statement a migration of its own, with nothing beside it:\n` +
  `         prisma/migrations/<yyyymmddhhmmss>_<name>/migration.sql runs without a transaction`

/**
 * Runs a migration of one statement without a transaction, and records it as Prisma does: before it
 * runs, and again when it is over. One that fails or is killed in between stays as failed, because
 * nobody knows what of it is there. False: it is not the first pending one any more.
 */
export async function runBare(
  database: Migratable,
  saved: readonly SavedMigration[],
  migration: SavedMigration,
): Promise<boolean> {
  const { dialect } = database
  const done = await database.migratingBare?.(async (session) => {
    const { pending } = compare(saved, await readHistory(session, dialect))
    if (pending[0]?.name !== migration.name) return false
    const id = await recordStarted(session, dialect, migration)
    await runRecorded(session, migration, id)
    await recordFinished(session, id)
    return true
  })
  return done === true
}

async function runRecorded(
  session: MigrationSession,
  migration: SavedMigration,
  id: string,
): Promise<void> {
  const { name, sql } = migration
  try {
    await session.run(sql)
  } catch (error) {
    // Several statements in one message are a transaction again.
    if (isRefusedInside(error)) {
      await forgetStarted(session, id)
      throw new MigrationError(waysOutside(name, error), { cause: error })
    }
    const why = error instanceof Error ? error.message : String(error)
    await recordFailed(session, id, why)
    throw new MigrationError(
      `Migration '${name}' failed, and ran without a transaction: ${why}\n` +
        `  fix    look at the database (an index that was not finished is there, and invalid), then\n` +
        `         npx prisma migrate resolve --rolled-back ${name}`,
      { cause: error },
    )
  }
}
