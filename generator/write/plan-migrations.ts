import type { Database, Problem } from '../blueprint/types.js'
import { joinSchema, planMigrations, type MigrationState } from '../plan/prisma/migrations.js'
import type { PlanFile } from '../plan/status.js'
import { readMigrationState, readSchema } from './migration-state.js'
import { at, type Target } from './target.js'

export interface PlannedMigrations {
  readonly files: readonly PlanFile[]
  /** What rows would lose, or what a database with rows cannot bear, in words. */
  readonly warnings: readonly string[]
  readonly problems: readonly Problem[]
}

const none: PlannedMigrations = { files: [], warnings: [], problems: [] }

/** The migration files that go with a plan. They are history, not text to merge: they have no base. */
export async function planMigrationFiles(
  target: Target,
  database: Database,
  planned: readonly PlanFile[],
): Promise<PlannedMigrations> {
  const schema = readSchema(target, planned)
  const state = readMigrationState(target)
  if (schema.length === 0 || isUpToDate(state, joinSchema(schema))) return none
  const { files, draft, problems } = await planMigrations(database, state, schema)
  const texts = files.map(({ path, content }) => planText(target, path, content))
  // The draft there is says its own already, and said them when it was written.
  const isNew = (warning: string) => state.draft?.includes(warning) !== true
  return { files: texts, warnings: draft?.warnings.filter(isNew) ?? [], problems }
}

/** Loading Prisma's engine takes longer than the rest of a run without changes. */
function isUpToDate({ base, draft, draftSchema }: MigrationState, text: string): boolean {
  const known = draft === null ? (draftSchema === null ? base : null) : draftSchema
  return known !== null && known.replaceAll('\r\n', '\n') === text
}

function planText(target: Target, path: string, content: string | null): PlanFile {
  const before = target.files.read(at(target, path))
  const status = content === null ? 'remove' : before === null ? 'create' : 'update'
  const empty = { baseBefore: null, base: null, aside: null, note: null } as const
  return { path, owner: 'svc', status, before, content, rendered: content, ...empty }
}
