import { join } from 'node:path'
import { MigrationError, readHistory } from './history.js'
import { readDraft, readMigrations } from './folder.js'
import type { Database } from '../types.js'

/** Saved migrations that this database does not have. Reads only, and waits for no lock. */
export async function pendingMigrations(
  database: Pick<Database, 'dialect' | 'query'>,
  folder: string,
): Promise<readonly string[]> {
  const query = async (sql: string) => {
    return (await database.query({ sql, access: 'read' }, [])).map((row) => [...row])
  }
  const { applied } = await readHistory({ query }, database.dialect)
  const done = new Set(applied.filter(({ isFinished }) => isFinished).map(({ name }) => name))
  return readMigrations(folder)
    .map(({ name }) => name)
    .filter((name) => !done.has(name))
}

/** For scripts that write rows: they need the tables. */
export async function requireMigrated(
  database: Pick<Database, 'dialect' | 'query'>,
  folder: string,
): Promise<void> {
  const pending = await pendingMigrations(database, folder)
  if (pending.length === 0) return
  throw new MigrationError(
    `This database waits for ${pending.length === 1 ? 'the migration' : 'the migrations'} ${pending.join(', ')}.\n` +
      `  fix    npm run migrate`,
  )
}

/** For production: a draft is never applied there, so the server would run on half of its schema. */
export function refuseDraft(folder: string): void {
  if (readDraft(folder) === null) return
  throw new MigrationError(
    `The migration in ${join(folder, 'draft.sql').replaceAll('\\', '/')} is not saved, and production does not apply drafts.\n` +
      `  fix    npx svc migrate save <name>, and deploy the folder it makes`,
  )
}
