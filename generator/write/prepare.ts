import { Refusal } from '../blueprint/refusal.js'
import type { Blueprint, Problem } from '../blueprint/types.js'
import { keepersOf, type MigrationContext } from '../migrations/keepers/kept.js'
import type { Asking } from '../migrations/rows/losses.js'
import { applyMoves, asMoved, movesOf, type Moved } from '../plan/compare/moves.js'
import { planChanges } from '../plan/compare/plan-changes.js'
import type { PlannedFeature } from '../plan/feature.js'
import { hasOpenSchema, isBlocked } from '../plan/status.js'
import type { Plan, PlanFile, PlanOptions, Rendered, Snapshot } from '../plan/status.js'
import { parses } from '../source/syntax.js'
import { readBase } from './base/base-store.js'
import { refuseForeignBase } from './base/foreign-base.js'
import { readLock, type Ejected, type RuntimeForm } from './base/lock-file.js'
import { planOwnFolder, type PlannedFolder } from './base/own-folder.js'
import { readSnapshot, type Base, type Code, type ProjectSnapshot } from './base/snapshot.js'
import {
  planMigrationFiles,
  type GivenAnswers,
  type PlannedMigrations,
} from './migrations/plan-migrations.js'
import {
  handOver,
  isDismissal,
  renamedHands,
  upstreamOf,
  type Handover,
  type Upstream,
} from './ownership.js'
import { readCode } from './project/read-code.js'
import type { Change } from './run/change.js'
import { changesOf } from './run/changes.js'
import { untilFree } from './run/run-lock.js'
import { interrupted, isInterrupted } from './run/take-back.js'
import type { Target } from './target.js'

/** A plan for one project, and all it would change on the disk. */
export interface PreparedPlan {
  readonly plan: Plan
  readonly changes: readonly Change[]
  /** True when the project was generated before and what svc wrote then is not known any more. */
  readonly hasLostBase: boolean
  /** The losses of the draft migration for a database with rows, in words. */
  readonly warnings: readonly string[]
  /** Problems that keep migrations from being planned; nothing may be written while one is left. */
  readonly problems: readonly Problem[]
  /** Ejected files that svc would write differently now. */
  readonly upstream: readonly Upstream[]
  /** Columns that rows may have no value for, in the draft migration. */
  readonly asking: readonly Asking[]
}

export interface PrepareOptions extends Omit<PlanOptions, 'parses'> {
  readonly features: readonly PlannedFeature[]
  /** Version of this svc. */
  readonly version: string
  /** Plans its migrations; absent: none. */
  readonly blueprint?: Blueprint
  /** A file that changes hands. */
  readonly handover?: Handover | undefined
  /** `<table>.<column>=<value>`: what rows that exist get in a column that asks for a value. */
  readonly fills?: readonly string[] | undefined
  /** The base, where it was read already. */
  readonly base?: Base
  /** The project's code, where it was read already. */
  readonly code?: Code
  /** Folders that are written whole; absent: none. */
  readonly folders?: readonly PlannedFolder[]
  /** Whose the runtime is after the run; absent: whose it was. */
  readonly runtime?: RuntimeForm
  /** Leave every other file as it is; migrations too. */
  readonly only?: ((path: string) => boolean) | undefined
}

/** Reads the project and plans; writes nothing. */
export async function prepare(
  target: Target,
  rendered: readonly Rendered[],
  { features, version, blueprint, handover, only, fills, runtime, ...options }: PrepareOptions,
): Promise<PreparedPlan> {
  await refuseInterrupted(target)
  const lock = readLock(target, version)
  const paths = rendered.map(({ path }) => path)
  const { folders = [], code = readCode(target), ...reading } = options
  const { base = readBase(target, code), ...planning } = reading
  const snapshot = readSnapshot(target, paths, base, code)
  refuseForeignBase(snapshot)
  const held = handOver(lock?.ejected ?? [], handover, rendered, snapshot)
  const schema = snapshot.base.get(svcSchema) ?? null
  const moves = blueprint === undefined ? [] : movesOf(blueprint, features, schema)
  const mine = renamedHands(held, moves, snapshot)
  const isKnown = (lock?.ejected ?? []).some(({ path }) => path === handover?.path)
  const dismissed = isDismissal(handover, rendered, snapshot, isKnown) ? handover.path : undefined
  const seen = { ...withHands(snapshot, mine, handover), dismissed }
  const ofFeatures = features.flatMap(({ moves: made }) => made?.(seen.base, paths) ?? [])
  const moved = await applyMoves(seen, [...moves, ...ofFeatures], new Set(paths))
  const planned = await planChanges(
    rendered,
    { ...moved.snapshot, dismissed },
    { ...planning, parses },
  )
  const files = planned.files.flatMap((file) => placed(file, moved, snapshot))
  const texts = { files: only === undefined ? files : files.filter(({ path }) => only(path)) }
  const answers = { fills, keepers: keepersOf(features) }
  const whole = only === undefined ? blueprint : undefined
  const migrations = await planMore(target, texts, whole, answers)
  const { warnings, problems, asking } = migrations
  const beside = folders.flatMap(planOwnFolder)
  const plan = { files: [...texts.files, ...migrations.files, ...beside].toSorted(byPath) }
  const renamed = moved.moves.filter((move) => !ofFeatures.includes(move))
  const renames = renamed.map(({ from, to }) => ({ from, to }))
  const { news: upstream, ejected } = upstreamOf(mine, plan.files)
  const form = runtime ?? lock?.runtime
  const next = {
    ...{ svc: version, renames: [...(lock?.renames ?? []), ...renames], ejected },
    ...(form === undefined ? {} : { runtime: form }),
  }
  const hasLostBase = lock !== null && snapshot.base.size === 0
  const changes = problems.length > 0 ? [] : changesOf(target, plan, snapshot, next)
  return { plan, changes, hasLostBase, warnings, problems, upstream, asking }
}

async function refuseInterrupted(target: Target): Promise<void> {
  if (!isInterrupted(target)) return
  await untilFree(target)
  if (isInterrupted(target)) throw new Refusal(interrupted)
}

/** The project as the plan shall see it. A deleted file that is taken back was never written. */
function withHands(
  snapshot: ProjectSnapshot,
  held: readonly Ejected[],
  handover: Handover | undefined,
): Snapshot {
  const { disk, base } = snapshot
  const isBack = handover?.kind === 'adopt' && !disk.has(handover.path)
  const kept = isBack ? [...base].filter(([path]) => path !== handover.path) : base
  return { disk, base: new Map(kept), ejected: new Set(held.map(({ path }) => path)) }
}

function placed(file: PlanFile, { origins }: Moved, snapshot: Snapshot): readonly PlanFile[] {
  const from = origins.get(file.path)
  if (from !== undefined) return asMoved(file, from, snapshot)
  return [{ ...file, baseBefore: snapshot.base.get(file.path) ?? null }]
}

/** Knows what models and tables were called. */
export const svcSchema = 'prisma/schema/svc.prisma'

const waits = 'it waits until the markers in prisma/schema are gone'

const byPath = (one: PlanFile, other: PlanFile) => (one.path < other.path ? -1 : 1)

async function planMore(
  target: Target,
  plan: Plan,
  blueprint: Blueprint | undefined,
  answers: GivenAnswers & Pick<MigrationContext, 'keepers'>,
): Promise<PlannedMigrations> {
  const nothing = { files: [], warnings: [], problems: [], asking: [] }
  if (blueprint === undefined || isBlocked(plan)) return nothing
  if (hasOpenSchema(plan)) return { ...nothing, warnings: [waits] }
  return planMigrationFiles(target, blueprint, plan.files, answers)
}
