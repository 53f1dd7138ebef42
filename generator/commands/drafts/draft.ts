import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DraftMove } from '../../plan/prisma/draft-move.js'
import { emptyRowsText } from './empty-rows.js'
import { equalRowsText } from './equal-rows.js'
import { lossesAround, type Loss } from './losses.js'
import { misfitsOf, type Misfit } from './misfits.js'
import type { MigrationSession, Project } from './project.js'
import { isSame, isSameSchema, readSaved } from './same-draft.js'
import { standing } from './status.js'
import { readTaken, recordDraft, type DraftFile } from './taken-draft.js'

/** The database cannot be brought there; the message says why and what to do. */
export class DraftFailure extends Error {
  override name = 'DraftFailure'
}

export interface DraftResult {
  /**
   * `moved`: the database has another draft, and only the manifest knows the step from there. `loses`: data, so nothing was
   * changed. `stops`: rows stand in the way, so neither.
   */
  readonly kind: 'done' | 'moved' | 'loses' | 'stops'
  readonly losses: readonly Loss[]
  /** Those that `stops` it. */
  readonly misfits?: readonly Misfit[]
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
  if (await database.migrating((session) => isStuck(project, session))) {
    return { kind: 'moved', losses: [] }
  }
  const isSaved = runtime.readMigrations(folder).length > 0
  const applied = isSaved ? await runtime.migrate(database, { folder, log }) : []
  const result = await unlessLosing(project, acceptDataLoss, (session) =>
    takeDraft(project, session),
  )
  if (result.kind === 'taken') log('draft migration applied')
  if (result.kind === 'same' && applied.length === 0) log('nothing to migrate')
  const { kind, ...costs } = result
  return kind === 'taken' || kind === 'same' ? done : { kind, ...costs }
}

/** The next migration builds on something else than the draft of this database. */
async function isStuck(project: Project, session: MigrationSession): Promise<boolean> {
  const taken = await readTaken(project, session)
  const { pending, drift } = await standing(project, session)
  const [next, ...others] = pending
  if (taken === null || next === undefined || drift.length > 0) return false
  if (!project.runtime.hasChecksum(next.sql, taken.checksum)) return true
  return others.length === 0 && !isSameSchema(taken.datamodel, readSaved(project.folder))
}

async function takeDraft(project: Project, session: MigrationSession) {
  const file = readDraft(project.folder)
  const taken = await readTaken(project, session)
  if (isSame(project, taken, file)) return { ...done, kind: 'same' } as const
  if (taken !== null || file === null) return { ...done, kind: 'moved' } as const
  const misfits = await misfitsOf(session, file.sql)
  if (misfits.length > 0) return { kind: 'stops', losses: [], misfits } as const
  const losses = await lossesAround(session, file.sql, () => runStep(session, file.sql))
  await recordDraft(project, session, file)
  return { kind: 'taken', losses } as const
}

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
    const misfits = await misfitsOf(session, move.step)
    if (misfits.length > 0) return { kind: 'stops', losses: [], misfits }
    const run = () => (move.step.trim() === '' ? Promise.resolve() : runStep(session, move.step))
    const losses = await lossesAround(session, move.step, run)
    for (const migration of saved) {
      if (move.covers.includes(migration.name)) await project.runtime.record(session, migration)
    }
    await recordDraft(project, session, move.draft)
    return { kind: 'done', losses }
  })
}

/** What a migration would cost this database. */
export interface Costs {
  readonly losses: readonly Loss[]
  /** Rows that would stop it; nothing else is looked for then. */
  readonly misfits?: readonly Misfit[]
}

/** What `step` would drop from this database. Runs it and takes it back. */
export async function costsOf({ database }: Project, step: string): Promise<Costs> {
  const tried = database.migrating<Costs>(async (session) => {
    const misfits = await misfitsOf(session, step)
    if (misfits.length > 0) return { losses: [], misfits }
    throw new Undone(await lossesAround(session, step, () => runStep(session, step)))
  })
  return tried.catch((error: unknown) => ({ losses: undoneIn(error).losses }))
}

interface Outcome<Kind> extends Costs {
  readonly kind: Kind
}

const done: Outcome<'done'> = { kind: 'done', losses: [] }

/** Changes nothing when `work` loses data and that is not accepted. */
async function unlessLosing<Kind>(
  { database }: Project,
  acceptDataLoss: boolean,
  work: (session: MigrationSession) => Promise<Outcome<Kind>>,
): Promise<Outcome<Kind | 'loses'>> {
  const tried = database.migrating(async (session) => {
    const outcome = await work(session)
    if (outcome.losses.length > 0 && !acceptDataLoss) throw new Undone(outcome.losses)
    return outcome
  })
  return tried.catch((error: unknown) => {
    return { kind: 'loses', losses: undoneIn(error).losses }
  })
}

/** Thrown to undo a transaction. */
class Undone extends Error {
  constructor(readonly losses: readonly Loss[]) {
    super('undone')
  }
}

function undoneIn(error: unknown): Undone {
  if (error instanceof Undone) return error
  throw error
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

/** Those that stop it. Null too where the step left its transaction: nothing can be asked any more. */
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
    '  Nothing of it is in the database; correct the manifest or draft.sql, and run it again.',
    // What svc wrote at its head. (`readWarnings` would load the engine.)
    ...[...step.matchAll(/^-- Careful: (.*)$/gm)].map(([, text]) => `  It ${text}`),
  ].join('\n')

const ownMigration = (why: string) =>
  `The draft could not be applied: ${why}\n` +
  '  Nothing of it is in the database.\n' +
  '  fix    make that statement a migration of its own, with nothing beside it:\n' +
  '         prisma/migrations/<yyyymmddhhmmss>_<name>/migration.sql runs without a transaction'

const changedMeanwhile =
  'This database took another draft in the meantime.\n  fix    run the command again'
