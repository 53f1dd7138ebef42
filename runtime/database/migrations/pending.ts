import { SetupError } from '../../setup-error.js'
import type { Database } from '../types.js'
import { hasChecksum, readDraft, readMigrations } from './folder.js'
import { readHistory } from './history.js'
import type { MigrationReader } from './session.js'

type Readable = Pick<Database, 'dialect' | 'query'>

/** Saved migrations that this database does not have. Reads only, and waits for no lock. */
export async function pendingMigrations(
  database: Readable,
  folder: string,
): Promise<readonly string[]> {
  const { applied } = await readHistory(reading(database))
  const done = new Set(applied.map(({ name, isFinished }) => isFinished && name))
  return readMigrations(folder).flatMap(({ name }) => (done.has(name) ? [] : [name]))
}

/** For scripts that write rows: they need the tables. */
export async function requireMigrated(database: Readable, folder: string): Promise<void> {
  const pending = (await pendingMigrations(database, folder)).join(', ')
  if (pending !== '')
    throw new SetupError(`This database waits for ${pending}.\n  fix    npm run migrate`)
  await requireDraft(reading(database), folder)
}

/** Development, where svc takes a database to the draft: it has the one of the folder, if any. */
export async function requireDraft(session: MigrationReader, folder: string): Promise<void> {
  const sql = readDraft(folder)
  const { draft } = await readHistory(session)
  const isTaken = sql === null || draft === null ? sql === draft : hasChecksum(sql, draft)
  if (isTaken) return
  if (draft === null) await requireSaved(session, folder)
  throw draftError(draft === null ? 'lacks the' : 'has an earlier')
}

/** At first there is only a draft, which `npm run migrate` and the server leave to svc. */
export async function requireSaved(session: MigrationReader, folder: string): Promise<void> {
  if (readDraft(folder) === null || readMigrations(folder).length > 0) return
  if ((await readHistory(session)).draft !== null) return
  throw new SetupError(`No migration is saved yet, and only svc runs the draft of the first one.
  fix    npx --no svc migrate, in development; or npx --no svc migrate save init, and then npm run migrate`)
}

export const draftError = (has: string) =>
  new SetupError(`This database ${has} draft of the migration that is being worked on.
  fix    npx --no svc migrate (svc dev does it at every change)`)

const reading = (database: Readable) => ({
  dialect: database.dialect,
  query: async (sql: string) =>
    (await database.query({ sql, access: 'read' }, [])).map((row) => [...row]),
})

/** For production: no draft is applied there, so the server would run on half of its schema. */
export function refuseDraft(folder: string): void {
  if (readDraft(folder) === null) return
  const name = readMigrations(folder).length === 0 ? 'init' : '<name>'
  throw new SetupError(
    `The migration in ${folder}/draft.sql is not saved, and production does not apply drafts.\n` +
      `  fix    npx --no svc migrate save ${name}, and deploy the folder it makes`,
  )
}
