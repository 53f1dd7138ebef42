import { Refusal } from '../../blueprint/refusal.js'
import type { Blueprint } from '../../blueprint/types.js'
import { renamingOf } from '../../migrations/diff/renaming.js'
import { planDraftMove, type DraftMove } from '../../migrations/draft-move.js'
import { keepersOf } from '../../migrations/keepers/kept.js'
import { fillsIn, readFill } from '../../migrations/rows/fills.js'
import { askingIn, describeLosses, type Asking } from '../../migrations/rows/losses.js'
import { readFillMarks } from '../../migrations/sql/fill-marks.js'
import { readMigration, readMigrationState } from '../../write/migrations/migration-state.js'
import { refusing } from '../../write/migrations/plan-migrations.js'
import { IdleFill } from '../../write/refusal.js'
import { targetAt } from '../../write/target.js'
import type { Features } from '../context.js'
import { readBlueprint } from '../read-blueprint.js'
import type { DatabaseStatus } from './drafts/status.js'
import type { Ask } from './project-database.js'

interface StepOptions {
  readonly root: string
  readonly features: Features
  readonly acceptDataLoss: boolean
  /** The blueprint of a manifest that was just read; absent: it is read. */
  readonly blueprint?: Blueprint | undefined
}

/** Answers about rows that are in the way of the step from the draft that a database applied. */
export interface Answers {
  /** Columns that the draft itself does not ask about: it makes the whole table, say. */
  readonly fills: readonly string[]
}

export interface Step {
  readonly move: DraftMove
  /** Statements written by hand that the step runs. */
  readonly byHand: readonly string[]
  /** Columns that rows may have no value for. */
  readonly asking: readonly Asking[]
}

/** The step of a database that took a draft to what the project holds today. */
export async function planStep(options: StepOptions, answers: Answers, ask: Ask): Promise<Step> {
  const has = await ask('status', null)
  if (has.drift.length > 0) throw new Refusal(has.drift.map(({ text }) => text).join('\n'))
  // Only the manifest tells the step from the draft a database has to the one of today.
  const blueprint = options.blueprint ?? (await blueprintAt(options.root, options.features))
  return stepTo(options, has, blueprint, answers)
}

async function blueprintAt(root: string, features: Features): Promise<Blueprint> {
  const read = await readBlueprint(root, features)
  if ('problems' in read) throw new Refusal('The manifest has problems: `svc generate` lists them.')
  return read.blueprint
}

/** Makes the step with a manifest that was read. */
export async function stepTo(
  { root, features, acceptDataLoss }: StepOptions,
  has: DatabaseStatus,
  blueprint: Blueprint,
  answers: Answers,
): Promise<Step> {
  const target = targetAt(root)
  const inFolder = readMigrationState(target)
  // Before anything is saved, this database is what tells how things were called.
  const past =
    inFolder.past === undefined ? {} : { past: `${inFolder.past}\n${has.draft?.sql ?? ''}` }
  const state = { ...inFolder, ...past, base: inFolder.base ?? has.draft?.datamodel ?? null }
  const pending = has.pending.map((name) => readMigration(target, name))
  const texts = [...pending, state.draft ?? '']
  const given = refusing(() => answers.fills.map((text) => readFill(text, blueprint)))
  const fills = [...fillsIn(texts, blueprint, state), ...given]
  const renaming = renamingOf(blueprint, state, fills)
  const options = { acceptDataLoss, renaming, pending }
  const context = { database: blueprint.database, keepers: keepersOf(features) }
  const planned = await planDraftMove(context, has, inFolder, options)
  // Somebody else's run took the draft away meanwhile.
  if (planned === null)
    throw new Refusal('The database changed in the meantime: run the command again.')
  const marks = readFillMarks(planned.move.step)
  const idle = given.find(({ table, column }) => {
    return !marks.some((mark) => mark.table === table && mark.column === column)
  })
  if (idle !== undefined) throw new IdleFill(idle)
  return { ...planned, asking: askingIn(describeLosses(planned.losses)) }
}

export function ownLines({ move, byHand }: Step): readonly string[] {
  const covered = move.covers.map((name) => `${name}: recorded, because the draft here had to move`)
  if (byHand.length === 0) return covered
  return [...covered, 'with what was written there by hand:', ...byHand.map((text) => `  ${text};`)]
}
