import type { Blueprint, Problem } from '../blueprint/types.js'
import {
  isEdited,
  joinSchema,
  migrationPaths,
  planMigrations,
  type MigrationState,
} from '../plan/prisma/migrations.js'
import { renamingOf } from '../plan/prisma/renaming-diff.js'
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
  blueprint: Blueprint,
  planned: readonly PlanFile[],
): Promise<PlannedMigrations> {
  const schema = readSchema(target, planned)
  const state = readMigrationState(target)
  if (schema.length === 0 || isUpToDate(state, joinSchema(schema))) return none
  const { database } = blueprint
  const renaming = renamingOf(blueprint)
  const { files, draft, problems } = await planMigrations(database, state, schema, renaming)
  const texts = files.map(({ path, content }) => planText(target, path, content))
  const isAside = files.some(({ path }) => path === migrationPaths.edited)
  const asks = draft === null ? [] : draft.warnings
  return { files: texts, warnings: isEdited(state) && isAside ? [...asks, aside] : asks, problems }
}

const aside =
  'it was edited by hand, and the schema changed after that: ' +
  `your text is in ${migrationPaths.edited}, to be brought over and deleted`

/** Loading Prisma's engine takes longer than the rest of a run without changes. */
function isUpToDate({ base, draft, draftSchema }: MigrationState, text: string): boolean {
  return draft === null && draftSchema === null && base?.replaceAll('\r\n', '\n') === text
}

function planText(target: Target, path: string, content: string | null): PlanFile {
  const before = target.files.read(at(target, path))
  const status = content === null ? 'remove' : before === null ? 'create' : 'update'
  const empty = { baseBefore: null, base: null, aside: null, note: null } as const
  return { path, owner: 'svc', status, before, content, rendered: content, ...empty }
}
