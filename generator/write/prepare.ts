import type { Database, Problem } from '../blueprint/types.js'
import { isBlocked, planChanges } from '../plan/status.js'
import type { Plan, PlanFile, PlanOptions, Rendered } from '../plan/status.js'
import { parses } from '../plan/syntax.js'
import { changesOf, type Change } from './changes.js'
import { readLock } from './lock-file.js'
import { planMigrationFiles, type PlannedMigrations } from './plan-migrations.js'
import { Refusal } from './refusal.js'
import { readSnapshot } from './snapshot.js'
import { isInterrupted } from './take-back.js'
import type { Target } from './target.js'

/** A plan for one project, and all it would change on the disk. */
export interface Prepared {
  readonly plan: Plan
  readonly changes: readonly Change[]
  /** True when the project was generated before and what svc wrote then is not known any more. */
  readonly hasLostBase: boolean
  /** What the draft migration would cost a database with rows, in words. */
  readonly warnings: readonly string[]
  /** What keeps migrations from being planned; nothing may be written while one stands. */
  readonly problems: readonly Problem[]
}

export interface PrepareOptions extends Omit<PlanOptions, 'parses'> {
  /** Version of this svc. */
  readonly version: string
  /** Plans migrations for it; absent: none. */
  readonly database?: Database
  /** Leave every other file as it is. */
  readonly only?: (path: string) => boolean
}

/** Reads the project and plans; writes nothing. */
export async function prepare(
  target: Target,
  rendered: readonly Rendered[],
  { version, database, only = () => true, ...options }: PrepareOptions,
): Promise<Prepared> {
  if (isInterrupted(target)) throw new Refusal(interrupted)
  const lock = readLock(target, version)
  const paths = rendered.map(({ path }) => path)
  const snapshot = readSnapshot(target, paths)
  const whole = await planChanges(rendered, snapshot, { ...options, parses })
  const texts = { files: whole.files.filter(({ path }) => only(path)) }
  const migrations = await planMore(target, texts, database)
  const { warnings, problems } = migrations
  const plan = { files: [...texts.files, ...migrations.files].sort(byPath) }
  const next = { svc: version, renames: lock?.renames ?? [] }
  const hasLostBase = lock !== null && snapshot.base.size === 0
  const changes = problems.length > 0 ? [] : changesOf(target, plan, snapshot, next)
  return { plan, changes, hasLostBase, warnings, problems }
}

const byPath = (one: PlanFile, other: PlanFile) => (one.path < other.path ? -1 : 1)

async function planMore(
  target: Target,
  plan: Plan,
  database: Database | undefined,
): Promise<PlannedMigrations> {
  const isPlanned = database !== undefined && !isBlocked(plan)
  if (!isPlanned) return { files: [], warnings: [], problems: [] }
  return planMigrationFiles(target, database, plan.files)
}

const interrupted =
  'A run of svc was interrupted here. `svc undo` restores the project as it was before; ' +
  '`svc generate` does the same and then goes on.'
