import { SetupError } from '../../setup-error.js'
import { record } from '../migrations/history.js'
import type { MigrationSession, SavedMigration } from '../migrations/session.js'

/** `CREATE INDEX CONCURRENTLY`, `VACUUM` and the like: PostgreSQL's code for each of them. */
export const isRefusedInside = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '25001'

/**
 * Records the migration as Prisma does: before it runs, and again when it is over. One that fails
 * or is killed in between stays as failed, because it is unknown what of it is there.
 */
export async function runAlone(
  session: MigrationSession,
  migration: SavedMigration,
): Promise<void> {
  const { name, sql } = migration
  const where = 'WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL'
  const change = (what: string, ...values: string[]) =>
    session.query(`${what} ${where}`, [name, ...values])
  await record(session, migration, false)
  try {
    await session.run(sql)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    // Several statements in one message are a transaction again: nothing of them was run.
    if (isRefusedInside(error)) {
      await change('DELETE FROM _prisma_migrations')
      throw new SetupError(notApplied(name, why), { cause: error })
    }
    await change('UPDATE _prisma_migrations SET logs = $2', why)
    throw new SetupError(failed(name, why), { cause: error })
  }
  await change('UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1')
}

const notApplied = (name: string, why: string) =>
  `Migration '${name}' could not be applied: ${why}\n  Nothing of it is in the database.\n` +
  `  fix    put that statement alone into a migration of its own:\n` +
  `         prisma/migrations/<yyyymmddhhmmss>_<name>/migration.sql runs without a transaction`

const failed = (name: string, why: string) =>
  `Migration '${name}' failed, and ran without a transaction: ${why}\n` +
  `  fix    look at the database (an index that was not finished is there, and invalid), then\n` +
  `         npx prisma@7.10.0 migrate resolve --rolled-back ${name}`
