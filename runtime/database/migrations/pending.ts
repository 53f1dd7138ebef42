import { SetupError } from '../../setup-error.js'
import type { Database } from '../types.js'
import { readDraft, readMigrations } from './folder.js'
import { readHistory } from './history.js'

type Readable = Pick<Database, 'dialect' | 'query'>

/** Saved migrations that this database does not have. Reads only, and waits for no lock. */
export async function pendingMigrations(
  database: Readable,
  folder: string,
): Promise<readonly string[]> {
  const query = async (sql: string) =>
    (await database.query({ sql, access: 'read' }, [])).map((row) => [...row])
  const { applied } = await readHistory({ dialect: database.dialect, query })
  const done = new Set(applied.map(({ name, isFinished }) => isFinished && name))
  return readMigrations(folder).flatMap(({ name }) => (done.has(name) ? [] : [name]))
}

/** For scripts that write rows: they need the tables. */
export async function requireMigrated(database: Readable, folder: string): Promise<void> {
  const pending = (await pendingMigrations(database, folder)).join(', ')
  if (pending === '') return
  throw new SetupError(`This database waits for ${pending}.\n  fix    npm run migrate`)
}

/** For production: a draft is never applied there, so the server would run on half of its schema. */
export function refuseDraft(folder: string): void {
  if (readDraft(folder) === null) return
  throw new SetupError(
    `The migration in ${folder}/draft.sql is not saved, and production does not apply drafts.\n` +
      `  fix    npx svc migrate save <name>, and deploy the folder it makes`,
  )
}
