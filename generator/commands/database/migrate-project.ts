import { formatProblems } from '../../blueprint/problems.js'
import type { Blueprint } from '../../blueprint/types.js'
import { readWarnings } from '../../migrations/migrations.js'
import { askingIn, type Asking } from '../../migrations/rows/losses.js'
import { readFillMarks } from '../../migrations/sql/fill-marks.js'
import { fillOption } from '../../migrations/sql/mark-names.js'
import { versionOf } from '../../source/package-files.js'
import { noteMigrated } from '../../write/migrations/migrated.js'
import { readMigration, readMigrationState } from '../../write/migrations/migration-state.js'
import { mergedProblems, refuseLostColumns } from '../../write/migrations/plan-migrations.js'
import { refuseTornFiles } from '../../write/migrations/torn-files.js'
import { IdleFill } from '../../write/refusal.js'
import { targetAt, type Target } from '../../write/target.js'
import type { Features } from '../context.js'
import {
  answersTo,
  fillDraft,
  saysNull,
  waysToDiffer,
  waysToFill,
  type AskFills,
} from './ask-fills.js'
import { ownLines, planStep, type Answers, type Step } from './draft-step.js'
import type { DraftResult } from './drafts/draft.js'
import { askStatus, DatabaseRefusal, lossText, withDatabase, type Ask } from './project-database.js'
import { acceptedLines, isAcceptable, waysThrough } from './ways-through.js'

export interface MigrateOptions {
  readonly root: string
  readonly features: Features
  readonly say: (...lines: readonly string[]) => void
  /** For what goes wrong; stderr if absent. */
  readonly tell?: (text: string) => void
  readonly acceptDataLoss: boolean
  /**
   * The blueprint of a manifest that was just read; absent: it is read where the step to another
   * draft needs it.
   */
  readonly blueprint?: Blueprint | undefined
  /** `<table>.<column>=<value>`: what rows that exist get in a column that asks for a value. */
  readonly fills?: readonly string[]
  /** Called before these statements run. */
  readonly before?: ((sql: string) => Promise<void>) | undefined
  /** On a terminal: asks for them. */
  readonly askFills?: AskFills | undefined
  /** On a terminal: asks whether what was just shown may be lost. */
  readonly askLosses?: (() => Promise<boolean>) | undefined
}

/** Runs a migration that a developer asked for; a waiting `svc dev` continues. */
export async function migrateHere(options: MigrateOptions): Promise<boolean> {
  refuseTornFiles(targetAt(options.root))
  const isDone = await migrateProject(options)
  if (isDone) noteMigrated(targetAt(options.root))
  return isDone
}

/** Saved migrations only; false: why not was printed. */
export async function deployHere(options: DeployOptions): Promise<boolean> {
  const { root, say, tell, acceptDataLoss } = options
  refuseTornFiles(targetAt(root))
  refuseLostColumns(targetAt(root))
  try {
    const result = await withDatabase(root, (ask) => ask('deploy', { acceptDataLoss }), { say })
    if (result.kind === 'stops') tell(`${waysThrough(result, 'svc migrate deploy')}\n`)
    if (result.kind !== 'done') return false
    say(...acceptedLines(result))
  } catch (error) {
    if (!(error instanceof DatabaseRefusal)) throw error
    tell(`${await explained(root, error)}\n`)
    return false
  }
  noteMigrated(targetAt(root))
  return true
}

export interface DeployOptions {
  readonly root: string
  readonly acceptDataLoss: boolean
  readonly say: (...lines: readonly string[]) => void
  /** For what goes wrong. */
  readonly tell: (text: string) => void
}

/** A draft can still be made another one; a saved migration has one text for every database. */
async function explained(root: string, { message }: DatabaseRefusal): Promise<string> {
  const problems = message.includes('could not be applied')
    ? mergedProblems(targetAt(root), await askStatus(root))
    : []
  if (problems.length > 0) return `${message}\n${formatProblems(problems)}`
  if (!saysNull(message)) return message
  const [name = ''] = (await askStatus(root)).pending
  const [asked] = askingIn(readWarnings(readMigration(targetAt(root), name)))
  if (asked === undefined) return message
  const { column, table, isUnique = false } = asked
  return `${message.replaceAll(/\n *-- Careful.*/g, '')}
  It makes '${column}' of '${table}' required, and rows without a value stop it.
  fix    while no other database has it: bring prisma/migrations back to before it was saved,
         ${isUnique ? 'let it be .nullable() until each row has a value of its own' : `npx --no svc generate ${fillOption(table, column, '<value>')}`}, and save it again;
         otherwise make its change here by hand, with values for those rows, and mark it:
         npx prisma@${versionOf('prisma')} migrate resolve --applied ${name}`
}

/** False: the database is not up to date, and why was printed. */
export async function migrateProject(options: MigrateOptions): Promise<boolean> {
  const { root, features, fills = [], askFills } = options
  refuseLostColumns(targetAt(root))
  const tell = options.tell ?? ((text) => void process.stderr.write(text))
  const answers = { fills: await fillDraftOf(root, features, fills) }
  const first = await attempt(options, answers)
  if (first.isDone) return true
  if (first.isLosing === true && options.askLosses !== undefined) {
    tell(first.errors)
    if (!(await options.askLosses())) return false
    const accepted = await attempt({ ...options, acceptDataLoss: true }, answers)
    tell(accepted.errors)
    return accepted.isDone
  }
  const asking = saysNull(first.errors) ? (first.asking ?? askingOf(targetAt(root))) : []
  const given = asking.length === 0 ? [] : await answersTo(asking, askFills)
  tell(first.errors)
  if (given.length === 0) {
    const sql = readMigrationState(targetAt(root)).draft ?? ''
    const differ = waysToDiffer(first.errors, filledIn(answers, sql), sql)
    if (differ !== null) tell(`${differ}\n`)
    if (asking.length > 0) tell(`${waysToFill(asking, 'svc migrate')}\n`)
    return false
  }
  const more = [...answers.fills, ...(await fillDraftOf(root, features, given))]
  const second = await attempt(options, { fills: more })
  tell(second.errors)
  return second.isDone
}

/** Fills the draft; answers what it does not ask for, if the database took another one. */
async function fillDraftOf(
  root: string,
  features: Features,
  fills: readonly string[],
): Promise<readonly string[]> {
  const left: string[] = []
  for (const fill of fills) {
    try {
      await fillDraft(root, features, [fill])
    } catch (error) {
      if (!(error instanceof IdleFill) || (await askStatus(root)).draft === null) throw error
      left.push(fill)
    }
  }
  return left
}

/** By the draft, or by what this run was given for a step to it. */
function filledIn({ fills }: Answers, draft: string): readonly Asking[] {
  const given = fills.flatMap((text) => {
    const [, table, column] = /^([^.=]+)\.([^.=]+)=/.exec(text) ?? []
    return table === undefined || column === undefined ? [] : [{ table, column }]
  })
  return [...given, ...readFillMarks(draft)]
}

const askingOf = (target: Target): readonly Asking[] =>
  askingIn(readWarnings(readMigrationState(target).draft ?? ''))

interface Attempt {
  readonly isDone: boolean
  /** Errors that are not shown yet. */
  readonly errors: string
  /** It stopped because it would lose data, and that was shown. */
  readonly isLosing?: true
  /** Questions of the step from another draft; absent: there was none, and the draft asks. */
  readonly asking?: readonly Asking[] | undefined
}

async function attempt(options: MigrateOptions, answers: Answers): Promise<Attempt> {
  const { root, say, before } = options
  let step: Step | null = null
  const work = async (ask: Ask): Promise<Attempt> => {
    await before?.(readMigrationState(targetAt(root)).draft ?? '')
    const first = await ask('bringUp', { acceptDataLoss: options.acceptDataLoss })
    if (first.kind !== 'moved') {
      refuseIdle(answers)
      return outcomeOf(options, first, null)
    }
    step = await planStep(options, answers, ask)
    await before?.(step.move.step)
    return outcomeOf(options, await ask('move', step.move), step)
  }
  try {
    return await withDatabase(root, work, { say })
  } catch (error) {
    if (!(error instanceof DatabaseRefusal)) throw error
    const asking = (step as Step | null)?.asking // assigned in `work`
    return { isDone: false, errors: `${await explained(root, error)}\n`, asking }
  }
}

/** There was no step that could have taken them. */
function refuseIdle({ fills: [fill] }: Answers): void {
  if (fill === undefined) return
  const [, table = '', column = ''] = /^([^.=]+)\.([^.=]+)/.exec(fill) ?? []
  throw new IdleFill({ table, column })
}

function outcomeOf({ say }: MigrateOptions, result: DraftResult, step: Step | null): Attempt {
  if (result.kind === 'stops') {
    const errors = `${waysThrough(result, 'svc migrate')}\n`
    const isLosing = result.migration === undefined && isAcceptable(result.misfits)
    return { isDone: false, errors, ...(isLosing && { isLosing }) }
  }
  if (result.kind === 'loses') {
    say(...lossLines(result))
    return { isDone: false, errors: '', isLosing: true }
  }
  if (step !== null) say('draft migration applied', ...ownLines(step))
  say(...acceptedLines(result))
  return { isDone: true, errors: '' }
}

function lossLines({ losses, migration }: DraftResult): readonly string[] {
  const what = migration === undefined ? 'The change' : `Migration '${migration}'`
  const keep = migration === undefined ? 'keep it in the manifest, or ' : ''
  return [
    `${what} would drop data from this database, so it was not applied:`,
    ...losses.map(lossText),
    `  fix    ${keep}run \`svc migrate --accept-data-loss\``,
  ]
}
