import { isRefusedInside, waysOutside } from './without-transaction.js'
import { lossesAround, type Loss } from './losses.js'
import {
  MigrationError,
  readHistory,
  recordApplied,
  recordDraft,
  type TakenDraft,
} from './history.js'
import type { Migratable, MigrationSession } from './session.js'
import { hasChecksum, readMigrations, type DraftFile } from './folder.js'

/**
 * A step from the draft this database has to the one it shall have, computed by the generator
 * from both datamodels.
 */
export interface DraftRequest {
  /** SQL to run on this database; empty when only the bookkeeping changes. */
  readonly step: string
  /** What the database then has; null: the saved migrations and nothing more. */
  readonly draft: DraftFile | null
  /** Checksum of the draft `step` starts from; null: from the saved migrations. */
  readonly from: string | null
  /** Saved migrations whose effect is part of `step`: recorded, not run. */
  readonly covers: readonly string[]
  readonly acceptDataLoss: boolean
}

export type DraftResult =
  | { readonly applied: true }
  | { readonly applied: false; readonly loses: readonly Loss[] }

/** Thrown to undo a transaction; the result is inside. */
class Undone extends Error {
  constructor(readonly losses: readonly Loss[]) {
    super('undone')
  }
}

/**
 * Moves a development database from one draft to the next. Changes nothing when that would lose
 * data.
 */
export async function applyDraft(
  database: Migratable,
  folder: string,
  request: DraftRequest,
): Promise<DraftResult> {
  const { dialect } = database
  const covered = readMigrations(folder).filter(({ name }) => request.covers.includes(name))
  try {
    await database.migrating(async (session) => {
      const { draft } = await readHistory(session, dialect)
      if ((draft?.checksum ?? null) !== request.from) {
        // `svc dev` in another terminal asked for the same, and was faster.
        if (isTaken(draft, request.draft)) return
        throw new MigrationError(changedMeanwhile)
      }
      const run = () =>
        request.step.trim() === '' ? Promise.resolve() : runStep(session, request.step)
      const losses = await lossesAround(session, dialect, request.step, run)
      if (losses.length > 0 && !request.acceptDataLoss) throw new Undone(losses)
      for (const migration of covered) await recordApplied(session, dialect, migration)
      await recordDraft(session, request.draft)
    })
    return { applied: true }
  } catch (error) {
    if (error instanceof Undone) return { applied: false, loses: error.losses }
    throw error
  }
}

const isTaken = (taken: TakenDraft | null, draft: DraftFile | null) =>
  taken !== null && draft !== null && hasChecksum(draft.sql, taken.checksum)

async function runStep(session: MigrationSession, step: string): Promise<void> {
  try {
    await session.run(step)
  } catch (error) {
    if (isRefusedInside(error)) {
      throw new MigrationError(waysOutside('draft', error), { cause: error })
    }
    const why = error instanceof Error ? error.message : String(error)
    throw new MigrationError(
      `The change could not be applied: ${why}\n` +
        `  Nothing of it is in the database; correct the manifest or draft.sql, and run it again.`,
      { cause: error },
    )
  }
}

/** What `step` would drop from this database. Runs it and takes it back. */
export async function lossOf(database: Migratable, step: string): Promise<readonly Loss[]> {
  try {
    return await database.migrating(async (session) => {
      throw new Undone(
        await lossesAround(session, database.dialect, step, () => runStep(session, step)),
      )
    })
  } catch (error) {
    if (error instanceof Undone) return error.losses
    throw error
  }
}

const changedMeanwhile =
  'This database took another draft in the meantime.\n  fix    run the command again'
