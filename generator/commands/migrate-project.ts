import type { Blueprint } from '../blueprint/types.js'
import { planDraftMove, type DraftMove } from '../plan/prisma/draft-move.js'
import { fillsIn, type Asking } from '../plan/prisma/fills.js'
import { askingIn } from '../plan/prisma/losses.js'
import { readWarnings } from '../plan/prisma/migrations.js'
import { renamingOf } from '../plan/prisma/renaming-diff.js'
import { readMigration, readMigrationState } from '../write/migration-state.js'
import { noteMigrated } from '../write/migrated.js'
import { Refusal } from '../write/refusal.js'
import { targetAt, type Target } from '../write/target.js'
import { fillDraft, saysNull, waysToFill, type AskFills } from './ask-fills.js'
import { ask, runScript, type Script } from './children.js'
import {
  askStatus,
  lastLine,
  lossText,
  type DatabaseStatus,
  type Loss,
} from './project-database.js'
import { readBlueprint } from './read-blueprint.js'

export interface MigrateOptions {
  readonly root: string
  readonly say: (...lines: readonly string[]) => void
  /** For what goes wrong; stderr if absent. */
  readonly tell?: (text: string) => void
  readonly acceptDataLoss: boolean
  /** `<table>.<column>=<value>`: what rows that exist get in a column that asks for a value. */
  readonly fills?: readonly string[]
  /** On a terminal: asks for them. */
  readonly askFills?: AskFills | undefined
}

/** Exit codes of the project's own `npm run migrate`; `runtime/database/migrations/migrate-command.ts` has the same. */
const exit = { wouldLose: 3, draftMoved: 4 } as const

/** What a developer asked for; a `svc dev` that waits for it goes on. */
export async function migrateHere(options: MigrateOptions): Promise<boolean> {
  const isDone = await migrateProject(options)
  if (isDone) noteMigrated(targetAt(options.root))
  return isDone
}

/** Saved migrations only. */
export async function deployHere(root: string): Promise<Script> {
  const script = await runScript(root, 'migrate', ['deploy'])
  if (script.code === 0) noteMigrated(targetAt(root))
  return script
}

/** False: the database is not up to date, and why was printed. */
export async function migrateProject(options: MigrateOptions): Promise<boolean> {
  const { root, fills = [], askFills } = options
  const tell = options.tell ?? ((text) => void process.stderr.write(text))
  if (fills.length > 0) await fillDraft(root, fills)
  const first = await attempt(options)
  if (first.isDone) {
    tell(first.errors)
    return true
  }
  const asking = saysNull(first.errors) ? askingOf(targetAt(root)) : []
  const answers = asking.length === 0 ? [] : ((await askFills?.(asking)) ?? [])
  tell(first.errors)
  if (answers.length === 0) {
    if (asking.length > 0) tell(`${waysToFill(asking, 'svc migrate')}\n`)
    return false
  }
  await fillDraft(root, answers)
  const second = await attempt(options)
  tell(second.errors)
  return second.isDone
}

const askingOf = (target: Target): readonly Asking[] =>
  askingIn(readWarnings(readMigrationState(target).draft ?? ''))

interface Attempt {
  readonly isDone: boolean
  /** What was said on stderr, and is not shown yet. */
  readonly errors: string
}

async function attempt({ root, say, acceptDataLoss }: MigrateOptions): Promise<Attempt> {
  const target = targetAt(root)
  const script = await runScript(root, 'migrate')
  if (script.code === 0) return { isDone: true, errors: script.errors }
  const request = await requestAfter(target, script, acceptDataLoss)
  if (request === null) return { isDone: false, errors: script.errors }
  const answer = await ask(root, ['migrate', 'draft'], JSON.stringify(request.move))
  if (answer.code === exit.wouldLose) {
    const { loses }: { readonly loses: readonly Loss[] } = JSON.parse(lastLine(answer))
    say(...lossLines(loses))
    return { isDone: false, errors: '' }
  }
  if (answer.code !== 0) return { isDone: false, errors: `${answer.errors.trim()}\n` }
  say('draft migration applied', ...ownLines(request))
  return { isDone: true, errors: '' }
}

interface Request {
  readonly move: DraftMove
  /** Statements written by hand that the step runs. */
  readonly own: readonly string[]
}

/** What to ask of the database after its own script gave up; null: nothing can be done from here. */
async function requestAfter(
  target: Target,
  { code }: Script,
  acceptDataLoss: boolean,
): Promise<Request | null> {
  if (code !== exit.draftMoved && !acceptDataLoss) return null
  const has = await databaseState(target)
  if (has.draft === null) return acceptDataLoss ? wholeDraft(target, has) : null
  // Only the generator can tell the step from the draft a database has to the one of today.
  const read = await readBlueprint(target.root)
  if ('problems' in read) throw new Refusal('The manifest has problems: `svc generate` names them.')
  return stepTo(target, has, read.blueprint, acceptDataLoss)
}

/** A draft that was refused for what it drops. A saved migration that failed is none: it is never recorded without being run. */
function wholeDraft(target: Target, { pending }: DatabaseStatus): Request | null {
  const { draft, draftSchema } = readMigrationState(target)
  if (draft === null || pending.length > 0) return null
  const file = { sql: draft, datamodel: draftSchema ?? '' }
  return {
    move: { step: draft, draft: file, from: null, covers: [], acceptDataLoss: true },
    own: [],
  }
}

async function stepTo(
  target: Target,
  has: DatabaseStatus,
  blueprint: Blueprint,
  acceptDataLoss: boolean,
): Promise<Request | null> {
  const state = readMigrationState(target)
  const pending = has.pending.map((name) => readMigration(target, name))
  const fills = fillsIn([...pending, state.draft ?? ''], blueprint, state)
  const options = { acceptDataLoss, renaming: renamingOf(blueprint, state, fills), pending }
  const planned = await planDraftMove(blueprint.database, has, state, options)
  if (planned === null || planned.own.length === 0 || has.draft?.sql != null) return planned
  throw new Refusal(textUnknown)
}

const textUnknown =
  'This database took its draft from an earlier svc, which did not remember its text, and draft.sql or a saved migration\n' +
  'holds statements written by hand: svc cannot tell whether they were run here.\n' +
  '  fix    make the development database anew (on SQLite: delete the file), then `svc migrate`'

async function databaseState(target: Target): Promise<DatabaseStatus> {
  const status = await askStatus(target.root)
  if (status.problem !== null) throw new Refusal(status.problem)
  return status
}

function ownLines({ move, own }: Request): readonly string[] {
  const covered = move.covers.map((name) => `${name}: recorded, because the draft here had to move`)
  if (own.length === 0) return covered
  return [...covered, 'with what was written there by hand:', ...own.map((text) => `  ${text};`)]
}

function lossLines(losses: readonly Loss[]): readonly string[] {
  return [
    'The change would drop data from this database, so it was not applied:',
    ...losses.map(lossText),
    '  fix    keep it in the manifest, or run `svc migrate --accept-data-loss`',
  ]
}
