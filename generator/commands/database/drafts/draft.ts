import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DraftMove } from '../../../migrations/draft-move.js'
import { done, runCounted, type Outcome } from './costs.js'
import { emptyRowsText } from './empty-rows.js'
import { equalRowsText } from './equal-rows.js'
import type { MigrationSession, Project } from './project.js'
import { isSame, isSameSchema, readSaved } from './same-draft.js'
import { applySaved } from './saved.js'
import { standing, type Standing } from './status.js'
import { readTaken, recordDraft, type DraftFile, type TakenDraft } from './taken-draft.js'
import { Undone, undoneIn, unlessLosing } from './unless-losing.js'

/** The database cannot be brought there; the message says why and what to do. */
export class DraftFailure extends Error {
  override name = 'DraftFailure'
}

/**
 * `moved`: the database has another draft, and only the manifest knows the step from there. `loses`: data, so nothing was
 * changed. `stops`: rows stand in the way, so neither.
 */
export interface DraftResult extends Outcome<'done' | 'moved' | 'loses' | 'stops'> {
  /** The saved one that was not applied; absent: it is the draft. */
  readonly migration?: string
}

export interface BringUpOptions {
  readonly acceptDataLoss: boolean
  readonly log: (line: string) => void
}

/** Applies what is saved, then the draft, which must not lose data unless that is accepted. */
export async function bringUp(
  project: Project,
  { acceptDataLoss, log }: BringUpOptions,
): Promise<DraftResult> {
  const { database, folder, runtime } = project
  const has = await database.migrating((session) => placeOf(project, session))
  if (isStuck(project, has)) return { ...done, kind: 'moved' }
  const pending = has.drift.length > 0 ? [] : has.pending
  const saved = await applySaved(project, pending, { acceptDataLoss, isDevelopment: true, log })
  if (saved.kind !== 'done') return saved
  // Says what contradicts the folder, and which other version of the server was faster.
  const isSaved = runtime.readMigrations(folder).length > 0
  const others = isSaved ? await runtime.migrate(database, { folder, log }) : []
  const result = await unlessLosing(project, acceptDataLoss, (session) =>
    takeDraft(project, session, acceptDataLoss),
  )
  if (result.kind === 'taken') log('draft migration applied')
  if (result.kind === 'same' && saved.applied + others.length === 0) log('nothing to migrate')
  const { kind, losses, misfits } = result
  if (kind !== 'taken' && kind !== 'same') return { kind, losses, misfits }
  return {
    kind: 'done',
    losses: [...saved.losses, ...losses],
    misfits: [...saved.misfits, ...misfits],
  }
}

/** Applies what is saved and pending; values that do not fit are lost only where that is accepted. */
export async function deploy(
  project: Project,
  { acceptDataLoss, log }: BringUpOptions,
): Promise<DraftResult> {
  const { database, folder, runtime } = project
  const { pending, drift } = await database.migrating((session) => standing(project, session))
  const isRight = drift.length === 0
  const options = { acceptDataLoss, isDevelopment: false, log }
  const { applied, ...result } = await applySaved(project, isRight ? pending : [], options)
  if (result.kind !== 'done') return result
  const others = await runtime.migrate(database, { folder, log })
  if (applied + others.length === 0) log('nothing to migrate')
  return result
}

interface Place extends Standing {
  readonly taken: TakenDraft | null
}

async function placeOf(project: Project, session: MigrationSession): Promise<Place> {
  return { ...(await standing(project, session)), taken: await readTaken(project, session) }
}

/** The next migration builds on something else than the draft of this database. */
function isStuck(project: Project, { taken, pending, drift }: Place): boolean {
  const [next, ...others] = pending
  if (taken === null || next === undefined || drift.length > 0) return false
  if (!project.runtime.hasChecksum(next.sql, taken.checksum)) return true
  return others.length === 0 && !isSameSchema(taken.datamodel, readSaved(project.folder))
}

async function takeDraft(
  project: Project,
  session: MigrationSession,
  acceptDataLoss: boolean,
): Promise<Outcome<'same' | 'moved' | 'stops' | 'taken'>> {
  const file = readDraft(project.folder)
  const taken = await readTaken(project, session)
  if (isSame(project, taken, file)) return { ...done, kind: 'same' }
  if (taken !== null || file === null) return { ...done, kind: 'moved' }
  const { kind, ...costs } = await takeStep(project, session, file.sql, acceptDataLoss)
  if (kind === 'stops') return { kind, ...costs }
  await recordDraft(project, session, file)
  return { kind: 'taken', ...costs }
}

const takeStep = (
  project: Project,
  session: MigrationSession,
  sql: string,
  acceptDataLoss: boolean,
) =>
  runCounted(project, session, {
    sql,
    run: () => (sql.trim() === '' ? Promise.resolve() : runStep(session, sql)),
    acceptDataLoss,
    isCounted: true,
  })

/** Moves a development database from one draft to the next. */
export async function applyMove(project: Project, move: DraftMove): Promise<DraftResult> {
  const saved = project.runtime.readMigrations(project.folder)
  return unlessLosing(project, move.acceptDataLoss, async (session) => {
    const taken = await readTaken(project, session)
    if ((taken?.checksum ?? null) !== move.from) {
      // `svc dev` in another terminal asked for the same, and was faster.
      if (taken !== null && isSame(project, taken, move.draft)) return done
      throw new DraftFailure(changedMeanwhile)
    }
    const outcome = await takeStep(project, session, move.step, move.acceptDataLoss)
    if (outcome.kind === 'stops') return outcome
    for (const migration of saved) {
      if (move.covers.includes(migration.name)) await project.runtime.record(session, migration)
    }
    await recordDraft(project, session, move.draft)
    return outcome
  })
}

/** Returns the cost of `step` to this database. Runs it and takes it back. */
export async function costsOf(
  project: Project,
  step: string,
  acceptDataLoss = false,
): Promise<Outcome<'done' | 'stops'>> {
  const tried = project.database.migrating<Outcome<'done' | 'stops'>>(async (session) => {
    const outcome = await takeStep(project, session, step, acceptDataLoss)
    if (outcome.kind === 'stops') return outcome
    throw new Undone(outcome)
  })
  return tried.catch((error: unknown) => ({ ...undoneIn(error), kind: 'done' }))
}

async function runStep(session: MigrationSession, step: string): Promise<void> {
  await session.query('SAVEPOINT svc_step')
  try {
    await session.run(step)
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    const rows = await rowsBefore(session, step, said)
    const why = rows === null ? said : `${rows} (${said})`
    // `CREATE INDEX CONCURRENTLY`, `VACUUM` and the like: PostgreSQL's code for each of them.
    const isRefusedInside = error instanceof Error && 'code' in error && error.code === '25001'
    throw new DraftFailure(isRefusedInside ? ownMigration(why) : failing(why, step), {
      cause: error,
    })
  }
}

/**
 * Reads the rows that stop the step. Null too where the step left its transaction: nothing can be
 * asked any more.
 */
async function rowsBefore(
  session: MigrationSession,
  step: string,
  said: string,
): Promise<string | null> {
  try {
    await session.query('ROLLBACK TO SAVEPOINT svc_step')
    return (await emptyRowsText(session, step, said)) ?? (await equalRowsText(session, step))
  } catch {
    return null
  }
}

function readDraft(folder: string): DraftFile | null {
  const [sql, datamodel] = ['draft.sql', 'draft.prisma'].map((name) => {
    const path = join(folder, name)
    return existsSync(path) ? readFileSync(path, 'utf8') : null
  })
  return sql == null ? null : { sql, datamodel: datamodel ?? '' }
}

const failing = (why: string, step: string) =>
  [
    `The draft could not be applied: ${why}`,
    '  svc rolled it back. Correct the manifest or draft.sql, and run it again.',
    // svc wrote these lines at its head. (`readWarnings` would load the engine.)
    ...[...step.matchAll(/^-- Careful: (.*)$/gm)].map(([, text]) => `  It ${text}`),
  ].join('\n')

const ownMigration = (why: string) =>
  `The draft could not be applied: ${why}\n` +
  '  Nothing of it is in the database.\n' +
  '  fix    put that statement alone into a migration of its own:\n' +
  '         prisma/migrations/<yyyymmddhhmmss>_<name>/migration.sql runs without a transaction'

const changedMeanwhile =
  'This database has applied another draft in the meantime.\n  fix    run the command again'
