import { baselineHead } from '../../../migrations/diff/left-alone.js'
import { onlyAdds } from '../only-adds.js'
import { done, runCounted, type Costs, type Outcome } from './costs.js'
import type { MigrationSession, Project, SavedMigration } from './project.js'
import { unlessLosing } from './unless-losing.js'

export interface SavedResult extends Outcome<'done' | 'loses' | 'stops'> {
  /** The one that was not applied. */
  readonly migration?: string
  readonly applied: number
}

export interface SavedOptions {
  readonly acceptDataLoss: boolean
  /**
   * The dropped parts were reviewed, but not the rows of this database: development asks for both,
   * production for these.
   */
  readonly isDevelopment: boolean
  readonly log: (line: string) => void
}

/** Applies what is saved, one after the other, until one would lose what nobody accepted. */
export async function applySaved(
  project: Project,
  pending: readonly SavedMigration[],
  { acceptDataLoss, isDevelopment, log }: SavedOptions,
): Promise<SavedResult> {
  const costs: Costs[] = []
  for (const migration of pending) {
    const outcome = await unlessLosing(project, acceptDataLoss, (session) =>
      applyOne(project, session, migration, { acceptDataLoss, isCounted: isDevelopment }),
    )
    const applied = costs.push(outcome) - 1
    if (outcome.kind !== 'done') return { ...outcome, migration: migration.name, applied }
    log(`migration ${migration.name} applied`)
  }
  const losses = costs.flatMap((each) => each.losses)
  const misfits = costs.flatMap((each) => each.misfits)
  return { kind: 'done', losses, misfits, applied: costs.length }
}

async function applyOne(
  project: Project,
  session: MigrationSession,
  { name, sql }: SavedMigration,
  options: { readonly acceptDataLoss: boolean; readonly isCounted: boolean },
): Promise<Outcome<'done' | 'stops'>> {
  const { folder, runtime } = project
  // Another process may have applied it meanwhile.
  const known = runtime.readMigrations(folder).filter((each) => each.name <= name)
  // Accepted losses are shown here.
  const silent = { log: () => {}, acceptDataLoss: false }
  const run = async () => void (await runtime.applyNext(session, known, silent))
  const { draft } = await runtime.readHistory(session)
  // A draft that this database took is only recorded, and what svc began with is there.
  const isSure = draft !== null || sql.startsWith(baselineHead) || onlyAdds(sql)
  if (isSure) await run()
  return isSure ? done : runCounted(project, session, { ...options, sql, run })
}
