import { Refusal } from '../../blueprint/refusal.js'
import { renamingOf } from '../../migrations/diff/renaming.js'
import { keepersOf } from '../../migrations/keepers/kept.js'
import {
  isEdited,
  lossesOf,
  migrationPaths,
  planSave,
  readWarnings,
} from '../../migrations/migrations.js'
import { readChecks } from '../../migrations/rows/conversions/checks.js'
import { fillsIn } from '../../migrations/rows/fills.js'
import { askingIn, describeLosses, isFilling, isLoss } from '../../migrations/rows/losses.js'
import { readFillMarks, type FillMark } from '../../migrations/sql/fill-marks.js'
import { isPending } from '../../plan/status.js'
import { readMigrationState } from '../../write/migrations/migration-state.js'
import { refuseTornFiles } from '../../write/migrations/torn-files.js'
import { isInstalled } from '../../write/project/installed.js'
import { apply } from '../../write/run/apply.js'
import { alone } from '../../write/run/run-lock.js'
import { at, targetAt, type Target } from '../../write/target.js'
import { generate } from '../change/generate-project.js'
import type { Features } from '../context.js'
import { exitCodes } from '../failure.js'
import { readBlueprint } from '../read-blueprint.js'
import {
  answersTo,
  fillDraft,
  isAboutNull,
  waysToDiffer,
  waysToFill,
  type AskFills,
} from './ask-fills.js'
import { askCosts, lossText, misfitText, type Counted } from './project-database.js'
import { isAcceptable, waysThrough } from './ways-through.js'

export interface SaveOptions {
  readonly root: string
  readonly features: Features
  readonly name: string
  readonly acceptDataLoss: boolean
  readonly say: (...lines: readonly string[]) => void
  /** `<table>.<column>=<value>`: what rows that exist get in a column that asks for a value. */
  readonly fills?: readonly string[]
  /** On a terminal: asks for them. */
  readonly askFills?: AskFills | undefined
}

/** Dates the draft: from here on it is history. Shows it, and refuses one that drops data until that is accepted. */
export async function saveMigration(options: SaveOptions): Promise<number> {
  const { root, features, name, acceptDataLoss, say, fills = [] } = options
  const target = targetAt(root)
  refuseTornFiles(target)
  await refuseUnlessGenerated(root, features)
  if (fills.length > 0) await fillDraft(root, features, fills)
  const state = readMigrationState(target)
  const saving = planSave(state, name, new Date())
  const [file] = saving.files
  if (saving.draft === null || file === undefined) {
    say('Nothing to save: the migrations already lead to this schema.')
    return exitCodes.done
  }
  say(saving.draft.sql.trimEnd(), '')
  const warnings = await warningsOf(target, features, saving.draft.sql)
  // The values of a fill may point at nothing, or be equal.
  const filled = readFillMarks(saving.draft.sql)
  const isPlain = warnings.length === 0 && filled.length === 0 && !isEdited(state)
  const counted = isPlain ? null : await countedOn(target, saving.draft.sql)
  if (warnings.length > 0 || isCostly(counted)) say(...warningLines(warnings, counted), '')
  // Behind rows that are to lose something, something else may be in the way.
  const isAccepted = counted?.kind === 'stops' && acceptDataLoss && isAcceptable(counted.misfits)
  const behind = isAccepted ? await countedOn(target, saving.draft.sql, true) : counted
  const asking = isAboutNull(behind) ? askingIn(warnings) : []
  if (asking.length > 0) {
    const answers = await answersTo(asking, options.askFills)
    if (answers.length > 0) return saveMigration({ ...options, fills: answers })
    throw new Refusal(`Not saved.\n${waysToFill(asking, `svc migrate save ${name}`)}`)
  }
  if (behind?.kind === 'stops') {
    throw new Refusal(`Not saved.\n${waysThrough(behind, `svc migrate save ${name}`)}`)
  }
  if (behind?.kind === 'fails') throw new Refusal(failing(behind.why, filled, saving.draft.sql))
  const isLosing = warnings.some(isLoss) || hasLosses(counted)
  if (isLosing && !acceptDataLoss) throw new Refusal(wouldLose(name))
  await alone(target, async () =>
    apply(
      target,
      saving.files.map((each) => changeOf(target, each)),
    ),
  )
  say(`Saved as ${file.path}. \`npm run migrate\` applies it; do not change it from now on.`)
  if (readChecks(saving.draft.sql).checks.some((each) => each.isAcceptable)) say(...stopsElsewhere)
  if (state.edited != null)
    say(`${migrationPaths.edited} still exists: delete it when you no longer need it.`)
  return exitCodes.done
}

async function refuseUnlessGenerated(root: string, features: Features): Promise<void> {
  const how = { conflicts: 'stop', force: false, isWriting: false } as const
  const outcome = await generate(root, { features, ...how })
  const isReady = outcome.kind === 'planned' && !isPending(outcome.prepared.plan)
  if (!isReady)
    throw new Refusal('The project does not match the manifest: run `svc generate` first.')
}

function changeOf(target: Target, { path, content }: { path: string; content: string | null }) {
  return { path, before: target.files.read(at(target, path)), after: content }
}

/**
 * Reads the warnings at the head of the draft and of the change itself: somebody may have removed
 * the head.
 */
async function warningsOf(
  target: Target,
  features: Features,
  sql: string,
): Promise<readonly string[]> {
  const said = readWarnings(sql)
  const read = await readBlueprint(target.root, features)
  if ('problems' in read) return said
  const { blueprint } = read
  const { database } = blueprint
  const state = readMigrationState(target)
  const fills = fillsIn([sql], blueprint, state)
  const renaming = renamingOf(blueprint, state, fills)
  const losses = await lossesOf({ database, keepers: keepersOf(features) }, state, renaming)
  return [...new Set([...said, ...describeLosses(losses)])]
}

const isCostly = (counted: Counted | null) => hasLosses(counted) || counted?.kind === 'stops'

const hasLosses = (counted: Counted | null) =>
  counted !== null && 'losses' in counted && counted.losses.length > 0

/** Null: there is no terminal to ask on. */
async function countedOn(
  target: Target,
  sql: string,
  acceptDataLoss = false,
): Promise<Counted | null> {
  return isInstalled(target, 'tsx') ? askCosts(target.root, sql, acceptDataLoss) : null
}

const warningLines = (warnings: readonly string[], counted: Counted | null) => [
  'Careful, this migration',
  ...warnings.map((text) => `  ${text}`),
  ...(counted === null ? [] : countedLines(counted, warnings.some(isFilling))),
]

function countedLines(counted: Counted, isFilling: boolean): readonly string[] {
  if (counted.kind === 'unknown') return [`svc could not count rows in a database: ${counted.why}`]
  if (counted.kind === 'stops') {
    const drops = counted.losses.length === 0 ? [] : ['And these would be lost:']
    return [
      'In this database, these rows prevent it:',
      ...counted.misfits.map(misfitText),
      ...drops,
      ...counted.losses.map(lossText),
    ]
  }
  if (counted.kind === 'fails') return [`On this database it would fail: ${counted.why}`]
  if (counted.losses.length === 0) {
    const others = isFilling ? ' but values that are filled' : ''
    return [`In this database, no row would lose anything${others}.`]
  }
  return ['In this database, these would be lost:', ...counted.losses.map(lossText)]
}

function failing(why: string, filled: readonly FillMark[], sql: string): string {
  const differ = waysToDiffer(why, filled, sql)
  const fix = [
    '  fix    change the manifest, draft.sql, or the rows that prevent it',
    ...(filled.length === 0
      ? []
      : ['         or fill them with another value: --fill replaces the one before']),
  ]
  return [
    'Not saved: it would fail on this database, and you cannot change a saved migration.',
    `  ${why}`,
    differ ?? fix.join(';\n'),
  ].join('\n')
}

const stopsElsewhere = [
  'Wherever it runs, rows that would lose something stop it until that run accepts the loss: `svc migrate --accept-data-loss`,',
  'and in production `npm run migrate -- --accept-data-loss`.',
]

const wouldLose = (name: string) =>
  'Not saved, because it drops data. If it was a rename, add renamedFrom to the manifest (the name in the last saved\n' +
  'migration), and svc keeps the rows.\n' +
  `To drop the data: svc migrate save ${name} --accept-data-loss`
