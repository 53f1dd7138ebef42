import type { Drift, MigrationSession, Project, SavedMigration } from './project.js'
import { readTaken, type TakenDraft } from './taken-draft.js'

/** Compares the folder with the history of the database. */
export interface Standing {
  /** Applied by Prisma before `svc init`. */
  readonly past: readonly string[]
  readonly applied: readonly string[]
  readonly pending: readonly SavedMigration[]
  /** Applied, newer than everything in the folder: by a newer version of this server. */
  readonly ahead: readonly string[]
  readonly drift: readonly Drift[]
}

export async function standing(
  { folder, runtime }: Project,
  session: MigrationSession,
): Promise<Standing> {
  const history = await runtime.readHistory(session)
  const saved = runtime.readMigrations(folder)
  const drift = runtime.driftOf(saved, history.applied)
  const past = runtime.pastOf?.(saved, history.applied) ?? []
  const applied = history.applied.flatMap(({ name }) => (past.includes(name) ? [] : [name]))
  const known = [...saved.map(({ name }) => name), ...drift.map(({ migration }) => migration)]
  return {
    past,
    applied,
    pending: saved.filter(({ name }) => !applied.includes(name)),
    ahead: applied.filter((name) => !known.includes(name)),
    drift,
  }
}

/** The state of the database for `svc migrate status`. */
export interface DatabaseStatus extends Omit<Standing, 'pending'> {
  readonly pending: readonly string[]
  readonly draft: TakenDraft | null
}

/** Reads which migrations are applied; changes nothing. */
export function statusOf(project: Project): Promise<DatabaseStatus> {
  return project.database.migrating(async (session) => {
    const { pending, ...rest } = await standing(project, session)
    const draft = await readTaken(project, session)
    return { ...rest, pending: pending.map(({ name }) => name), draft }
  })
}
