import type { Blueprint } from '../blueprint/types.js'
import { planDraftMove, type DraftMove } from '../plan/prisma/draft-move.js'
import { isEdited } from '../plan/prisma/migrations.js'
import { renamingOf } from '../plan/prisma/renaming-diff.js'
import { readMigrationState } from '../write/migration-state.js'
import { Refusal } from '../write/refusal.js'
import { targetAt, type Target } from '../write/target.js'
import { ask, runScript } from './children.js'
import {
  askStatus,
  lastLine,
  lossText,
  type DatabaseStatus,
  type Loss,
} from './project-database.js'
import { readBlueprint } from './project.js'

export interface MigrateOptions {
  readonly root: string
  readonly say: (...lines: readonly string[]) => void
  readonly acceptDataLoss: boolean
}

/** Exit codes of the project's own `npm run migrate`; `runtime/database/migrate-command.ts` has the same. */
const exit = { wouldLose: 3, draftMoved: 4 } as const

/** False: the database is not up to date, and why was printed. */
export async function migrateProject({
  root,
  say,
  acceptDataLoss,
}: MigrateOptions): Promise<boolean> {
  const target = targetAt(root)
  // "Another draft is in the way" is answered below, so it need not be seen.
  const code = await runScript(root, 'migrate', { hidesErrorsWith: exit.draftMoved })
  if (code === 0) return true
  if (code !== exit.draftMoved && !acceptDataLoss) return false
  const result = await moveDraft(target, acceptDataLoss)
  if (result.applied) say('draft migration applied', ...editedLines(target))
  if (!result.applied) say(...lossLines(result.loses))
  return result.applied
}

/** The step is computed from two schemas, and knows nothing of what was written into the SQL. */
function editedLines(target: Target): readonly string[] {
  if (!isEdited(readMigrationState(target))) return []
  return [
    'draft.sql was edited by hand after this database took an earlier one: what you wrote was not run here.',
  ]
}

type Moved =
  | { readonly applied: true }
  | { readonly applied: false; readonly loses: readonly Loss[] }

/** Only the generator can tell the step from the draft a database has to the one of today. */
async function moveDraft(target: Target, acceptDataLoss: boolean): Promise<Moved> {
  const read = await readBlueprint(target.root)
  if ('problems' in read) throw new Refusal('The manifest has problems: `svc generate` names them.')
  const move = await requestFor(target, read.blueprint, acceptDataLoss)
  const answer = await ask(target.root, ['migrate', 'draft'], JSON.stringify(move))
  if (answer.code !== 0 && answer.code !== exit.wouldLose) throw new Refusal(answer.errors.trim())
  return JSON.parse(lastLine(answer))
}

async function requestFor(
  target: Target,
  blueprint: Blueprint,
  acceptDataLoss: boolean,
): Promise<DraftMove> {
  const has = await databaseState(target)
  const state = readMigrationState(target)
  const planned = await planDraftMove(
    blueprint.database,
    has,
    state,
    acceptDataLoss,
    renamingOf(blueprint),
  )
  if (planned !== null) return planned.move
  const { draft, draftSchema } = state
  const file = draft === null ? null : { sql: draft, datamodel: draftSchema ?? '' }
  return { step: draft ?? '', draft: file, from: null, covers: has.pending, acceptDataLoss }
}

async function databaseState(target: Target): Promise<DatabaseStatus> {
  const status = await askStatus(target.root)
  if (status.problem !== null) throw new Refusal(status.problem)
  return status
}

function lossLines(losses: readonly Loss[]): readonly string[] {
  return [
    'The change would drop data from this database, so it was not applied:',
    ...losses.map(lossText),
    '  fix    keep it in the manifest, or run `svc migrate --accept-data-loss`',
  ]
}
