import { formatProblems } from '../../blueprint/problems.js'
import { Refusal } from '../../blueprint/refusal.js'
import type { Blueprint, Problem } from '../../blueprint/types.js'
import { renamingOf } from '../../migrations/diff/renaming.js'
import type { MigrationContext } from '../../migrations/keepers/kept.js'
import type { MigrationState } from '../../migrations/migration-state.js'
import {
  isEdited,
  joinSchema,
  migrationPaths,
  planMigrations,
} from '../../migrations/migrations.js'
import { fillsIn, readFill, WrongFill, type Fill } from '../../migrations/rows/fills.js'
import { askingIn, type Asking } from '../../migrations/rows/losses.js'
import { lostColumns } from '../../migrations/rows/lost-columns.js'
import { readFillMarks } from '../../migrations/sql/fill-marks.js'
import type { PlanFile } from '../../plan/status.js'
import { plain } from '../../source/merge.js'
import { IdleFill } from '../refusal.js'
import { at, type Target } from '../target.js'
import { readMigration, readMigrationState, readSchema } from './migration-state.js'
import { placed } from './place-problems.js'

export interface PlannedMigrations {
  readonly files: readonly PlanFile[]
  /** Losses of rows, and what a database with rows cannot apply, in words. */
  readonly warnings: readonly string[]
  readonly problems: readonly Problem[]
  /** Columns of the draft that rows may have no value for. */
  readonly asking: readonly Asking[]
}

/** Answers about rows that are in the way. */
export interface GivenAnswers {
  /** `posts.slug=none` */
  readonly fills?: readonly string[] | undefined
}

const none: PlannedMigrations = { files: [], warnings: [], problems: [], asking: [] }

/** The migration files that go with a plan. They are history, not text to merge: they have no base. */
export async function planMigrationFiles(
  target: Target,
  blueprint: Blueprint,
  planned: readonly PlanFile[],
  { fills: given = [], keepers }: GivenAnswers & Pick<MigrationContext, 'keepers'>,
): Promise<PlannedMigrations> {
  const schema = readSchema(target, planned)
  const state = readMigrationState(target)
  const lost = lostIn(target, state)
  if (lost.length > 0) return { ...none, problems: lost }
  const isQuiet = given.length === 0
  if (schema.length === 0 || (isQuiet && isUpToDate(state, joinSchema(schema)))) return none
  const context = { database: blueprint.database, keepers }
  const asked = refusing(() => given.map((text) => readFill(text, blueprint)))
  const known = fillsIn([state.draft ?? ''], blueprint, state)
  const kept = known.filter((fill) => !asked.some((each) => isSame(each, fill)))
  const renaming = renamingOf(blueprint, state, [...kept, ...asked])
  const found = await planMigrations(context, state, schema, renaming)
  const { files, draft } = found
  const problems = found.problems.map((each) => placed(target, blueprint, each))
  if (problems.length === 0) refuseUnasked(asked, readFillMarks(draft?.sql ?? ''))
  const texts = files.map(({ path, content }) => planText(target, path, content))
  const isAside = files.some(({ path }) => path === migrationPaths.edited)
  // The draft there is says its own already, and said them when it was written.
  const isNew = (warning: string) => state.draft?.includes(warning) !== true
  const asks = draft?.warnings.filter(isNew) ?? []
  const warnings = isEdited(state) && isAside ? [...asks, aside] : asks
  return { files: texts, warnings, problems, asking: askingIn(draft?.warnings ?? []) }
}

const lostIn = (target: Target, { saved, base }: MigrationState): readonly Problem[] =>
  lostBy(target, saved, base)

function lostBy(target: Target, names: readonly string[], base: string | null) {
  const texts = names.map((name) => ({ name, sql: readMigration(target, name) }))
  return lostColumns(texts, plain(base ?? ''))
}

/** Checks this database, which may have applied the later of two branches first. */
export const mergedProblems = (
  target: Target,
  { applied, pending }: Readonly<Record<'applied' | 'pending', readonly string[]>>,
): readonly Problem[] => lostBy(target, [...applied, ...pending], readMigrationState(target).base)

/** Before saved migrations are applied: one that would take a column of another branch's stays where it is. */
export function refuseLostColumns(target: Target): void {
  const problems = lostIn(target, readMigrationState(target))
  if (problems.length > 0) throw new Refusal(formatProblems(problems))
}

const isSame = (one: Asking, other: Asking) =>
  one.table === other.table && one.column === other.column

export function refusing<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof WrongFill ? new Refusal(error.message) : error
  }
}

function refuseUnasked(asked: readonly Fill[], made: readonly Asking[]): void {
  const idle = asked.find((fill) => !made.some((each) => isSame(each, fill)))
  if (idle !== undefined) throw new IdleFill(idle)
}

const aside =
  'it was edited by hand, and the schema changed after that: ' +
  `your text is in ${migrationPaths.edited}, to be brought over and deleted`

/** Loading Prisma's engine takes longer than the rest of a run without changes. */
function isUpToDate({ base, draft, draftSchema }: MigrationState, text: string): boolean {
  return draft === null && draftSchema === null && base !== null && plain(base) === text
}

function planText(target: Target, path: string, content: string | null): PlanFile {
  const before = target.files.read(at(target, path))
  const status = content === null ? 'remove' : before === null ? 'create' : 'update'
  const empty = { baseBefore: null, base: null, aside: null, note: null } as const
  return { path, owner: 'svc', status, before, content, rendered: content, ...empty }
}
