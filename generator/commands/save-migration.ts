import { migrationPaths, planSave, readWarnings } from '../plan/prisma/migrations.js'
import { isPending } from '../plan/status.js'
import { apply } from '../write/apply.js'
import { isInstalled } from '../write/installed.js'
import { readMigrationState } from '../write/migration-state.js'
import { Refusal } from '../write/refusal.js'
import { alone } from '../write/run-lock.js'
import { at, targetAt, type Target } from '../write/target.js'
import { exitCodes } from './failure.js'
import { generate } from './generate-project.js'
import { askLosses, lossText, type Counted } from './project-database.js'

export interface SaveOptions {
  readonly root: string
  readonly name: string
  readonly acceptDataLoss: boolean
  readonly say: (...lines: readonly string[]) => void
}

/** Dates the draft: from here on it is history. Shows it, and refuses one that drops data until that is accepted. */
export async function saveMigration(options: SaveOptions): Promise<number> {
  const { root, name, acceptDataLoss, say } = options
  const target = targetAt(root)
  await refuseUnlessGenerated(root)
  const state = readMigrationState(target)
  const plan = planSave(state, name, new Date())
  const [file] = plan.files
  if (plan.draft === null || file === undefined) {
    say('Nothing to save: the migrations lead to the schema of today.')
    return exitCodes.done
  }
  say(plan.draft.sql.trimEnd(), '')
  const warnings = readWarnings(plan.draft.sql)
  if (warnings.length > 0) say(...(await warningLines(target, warnings, plan.draft.sql)), '')
  if (warnings.some(isLoss) && !acceptDataLoss) throw new Refusal(refused(name))
  await alone(target, async () =>
    apply(
      target,
      plan.files.map((each) => changeOf(target, each)),
    ),
  )
  say(`Saved as ${file.path}. It is applied by \`npm run migrate\`; do not change it any more.`)
  if (state.edited != null)
    say(`${migrationPaths.edited} is still there: delete it when you are done with it.`)
  return exitCodes.done
}

async function refuseUnlessGenerated(root: string): Promise<void> {
  const outcome = await generate(root, { conflicts: 'stop', force: false, isWriting: false })
  const isReady = outcome.kind === 'planned' && !isPending(outcome.prepared.plan)
  if (!isReady)
    throw new Refusal('The project is not what the manifest says: run `svc generate` first.')
}

function changeOf(target: Target, { path, content }: { path: string; content: string | null }) {
  return { path, before: target.files.read(at(target, path)), after: content }
}

const isLoss = (warning: string) => warning.startsWith('drops ')

async function warningLines(target: Target, warnings: readonly string[], sql: string) {
  const lines = ['Careful, this migration', ...warnings.map((text) => `  ${text}`)]
  if (!isInstalled(target, 'tsx')) return lines
  const counted = await askLosses(target.root, sql)
  return [...lines, ...countedLines(counted)]
}

function countedLines(counted: Counted): readonly string[] {
  if (counted.kind === 'unknown') return [`No database was asked for rows: ${counted.why}`]
  if (counted.kind === 'fails') return [`On the database here it would fail: ${counted.why}`]
  if (counted.losses.length === 0) return ['In the database here, no row would lose anything.']
  return ['In the database here, these would be gone:', ...counted.losses.map(lossText)]
}

const refused = (name: string) =>
  'Not saved, because it drops data. Was it a rename? Say so with renamedFrom in the manifest, and the rows stay.\n' +
  `If it shall be dropped: svc migrate save ${name} --accept-data-loss`
