import { existsSync } from 'node:fs'
import { isRefusedInside, runBare, waysOutside } from './without-transaction.js'
import { lossesAround, lossText } from './losses.js'
import {
  compare,
  MigrationError,
  readHistory,
  recordApplied,
  recordDraft,
  type History,
} from './history.js'
import type { Migratable, MigrationSession } from './session.js'
import {
  hasChecksum,
  readDraft,
  readMigrations,
  type DraftFile,
  type SavedMigration,
} from './folder.js'

export { MigrationError } from './history.js'

export interface MigrateOptions {
  /** `prisma/migrations`, seen from the folder the server is started in. */
  readonly folder: string
  /** Development: also take `draft.sql`. */
  readonly draft: boolean
  readonly log?: (line: string) => void
}

export interface Migrated {
  readonly applied: readonly string[]
  /** Saved from a draft that this database had already; recorded, not run. */
  readonly adopted: readonly string[]
  readonly draft: boolean
}

/**
 * This database has an older draft; the step from there needs both datamodels, so it needs the
 * generator.
 */
export class DraftMoved extends MigrationError {
  override name = 'DraftMoved'
}

/**
 * Applies what is pending, each migration in one transaction that no other process can migrate
 * beside (without one where the database allows none), and records it as Prisma does. Nothing pending costs two reads. Throws a MigrationError
 * when folder and database contradict each other.
 */
export async function migrate(database: Migratable, options: MigrateOptions): Promise<Migrated> {
  const { folder, log = () => {} } = options
  if (!existsSync(folder)) throw new MigrationError(noFolder(folder))
  const saved = readMigrations(folder)
  const applied: string[] = []
  const adopted: string[] = []
  // One turn per migration: between two of them other processes may go on.
  for (;;) {
    const done = await nextOf(database, saved, log)
    if (done === null) break
    const list = done.adopted ? adopted : applied
    list.push(done.name)
    log(`migration ${done.name} ${done.adopted ? 'was the draft: recorded' : 'applied'}`)
  }
  const draft = options.draft && (await takeDraft(database, folder))
  if (draft) log('draft migration applied')
  return { applied, adopted, draft }
}

interface Done {
  readonly name: string
  readonly adopted: boolean
}

async function nextOf(
  database: Migratable,
  saved: readonly SavedMigration[],
  log: (line: string) => void,
): Promise<Done | null> {
  try {
    return await database.migrating((session) => next(session, database, saved, log))
  } catch (error) {
    if (!(error instanceof NotInside) || database.migratingBare === undefined) throw error
    const isRun = await runBare(database, saved, error.migration)
    // Another process was faster, or the next look says what is wrong.
    return isRun ? { name: error.migration.name, adopted: false } : nextOf(database, saved, log)
  }
}

/** The database runs a statement of this migration outside of transactions only. */
class NotInside extends MigrationError {
  constructor(
    readonly migration: SavedMigration,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Applies the first pending migration; null when there is none. Reads the history inside the
 * lock.
 */
async function next(
  session: MigrationSession,
  { dialect }: Migratable,
  saved: readonly SavedMigration[],
  log: (line: string) => void,
): Promise<Done | null> {
  const history = await readHistory(session, dialect)
  const { pending, ahead } = compare(saved, history)
  if (ahead.length > 0) log(aheadText(ahead))
  const first = pending[0]
  if (first === undefined) return null
  const adopted = history.draft !== null && hasChecksum(first.sql, history.draft.checksum)
  if (adopted) await recordDraft(session, null)
  else if (history.draft !== null) throw new DraftMoved(movedText)
  else await runNamed(session, first)
  await recordApplied(session, dialect, first)
  return { name: first.name, adopted }
}

async function runNamed(session: MigrationSession, migration: SavedMigration): Promise<void> {
  const { name, sql } = migration
  try {
    await session.run(sql)
  } catch (error) {
    if (isRefusedInside(error)) throw new NotInside(migration, waysOutside(name, error))
    throw new MigrationError(
      `Migration '${name}' could not be applied: ${messageOf(error)}\n` +
        `  Nothing of it is in the database${remedyOf(migration)}`,
      { cause: error },
    )
  }
}

/**
 * A draft can still be made another one, and what svc wrote at its head says how. A saved migration
 * has one text for every database.
 */
function remedyOf({ name, sql }: SavedMigration): string {
  const warnings = sql.split('\n').filter((line) => line.startsWith(warningMark))
  const said = warnings.map((line) => line.slice(warningMark.length))
  const asked = said.map((text) => asking.exec(text)).find((found) => found !== null)
  if (name === draftName || asked === undefined) {
    return `; correct it and start again.${said.map((text) => `\n  It ${text}`).join('')}`
  }
  const [, column, table] = asked
  return (
    `.\n` +
    `  It makes '${column}' of '${table}' required, and rows without a value stop it.\n` +
    `  fix    while no other database has it: bring prisma/migrations back to before it was saved,\n` +
    `         npx svc generate --fill ${table}.${column}=<value>, and save it again;\n` +
    `         otherwise make its change here by hand, with values for those rows, and mark it:\n` +
    `         npx prisma migrate resolve --applied ${name}`
  )
}

const asking = /^makes '(\w+)' of '(\w+)' required:/
const warningMark = '-- Careful: '
const draftName = 'draft'

/** True when it was applied now. */
async function takeDraft(database: Migratable, folder: string): Promise<boolean> {
  const file = readDraft(folder)
  return database.migrating(async (session) => {
    const history = await readHistory(session, database.dialect)
    if (isTaken(history, file)) return false
    if (history.draft !== null || file === null) throw new DraftMoved(movedText)
    await runDraft(session, database, file)
    await recordDraft(session, file)
    return true
  })
}

function isTaken({ draft }: History, file: DraftFile | null): boolean {
  if (draft === null || file === null) return draft === null && file === null
  return hasChecksum(file.sql, draft.checksum)
}

async function runDraft(session: MigrationSession, { dialect }: Migratable, file: DraftFile) {
  const losses = await lossesAround(session, dialect, file.sql, async () => {
    await runNamed(session, { name: draftName, sql: file.sql })
  })
  if (losses.length === 0) return
  throw new MigrationError(
    `The draft migration would drop data from this database, so it was not applied:\n` +
      `${lossText(losses)}\n` +
      `  fix    npx svc migrate --accept-data-loss, or keep the column in the manifest`,
  )
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const noFolder = (folder: string) =>
  `There is no folder '${folder}' here.\n` +
  `  fix    start the server in its own folder, where prisma/ is`

const aheadText = (names: readonly string[]) =>
  `the database is ahead of this version of the server: ${names.join(', ')}`

const movedText =
  `This database has an earlier draft of the migration that is being worked on.\n` +
  `  fix    npx svc migrate (or svc dev) computes the step from there;\n` +
  `         or delete the development database`
