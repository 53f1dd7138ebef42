import type { Blueprint } from '../blueprint/types.js'
import { planDraftMove, type DatabaseState, type DraftMove } from '../plan/prisma/draft-move.js'
import { renamingOf } from '../plan/prisma/renaming-diff.js'
import { readMigrationState } from '../write/migration-state.js'
import { Refusal } from '../write/refusal.js'
import { targetAt, type Target } from '../write/target.js'
import { ask, runScript } from './children.js'
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
  if (result.applied) say('draft migration applied')
  if (!result.applied) say(...lossLines(result.loses))
  return result.applied
}

interface Loss {
  readonly table: string
  readonly column: string | null
  readonly rows: number
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
  // The last line is the answer; a script of the developer's may say more before.
  return JSON.parse(answer.text.trim().split('\n').at(-1) ?? '')
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

async function databaseState(target: Target): Promise<DatabaseState> {
  const { text, errors } = await ask(target.root, ['migrate', 'status', '--json'])
  const line = text.trim().split('\n').at(-1) ?? ''
  if (!line.startsWith('{')) throw new Refusal(errors.trim())
  const state: DatabaseState & { readonly problem: string | null } = JSON.parse(line)
  if (state.problem !== null) throw new Refusal(state.problem)
  return state
}

function lossLines(losses: readonly Loss[]): readonly string[] {
  const lines = losses.map(({ table, column, rows }) =>
    column === null ? `  ${table}: ${rows} row(s)` : `  ${table}.${column}: ${rows} value(s)`,
  )
  return [
    'The change would drop data from this database, so it was not applied:',
    ...lines,
    '  fix    keep it in the manifest, or run `svc migrate --accept-data-loss`',
  ]
}
