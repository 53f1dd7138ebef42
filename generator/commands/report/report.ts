import { formatProblems } from '../../blueprint/problems.js'
import type { Advice } from '../../plan/advice/advice.js'
import { scriptAdvice } from '../../plan/advice/script-advice.js'
import { isBlocked, isPending, type Plan } from '../../plan/status.js'
import { leftLines } from '../../write/run/take-back.js'
import type { Finished, Outcome } from '../change/generate-options.js'
import { exitCodes } from '../failure.js'
import { paintDiff } from '../inspect/diff-project.js'
import { closedPivots, denyingPolicies } from './denying-policies.js'
import { fileLines, summary } from './file-lines.js'
import type { ReportOptions } from './report-options.js'

export interface Report {
  readonly lines: readonly string[]
  readonly exitCode: number
}

/** Reports what a run did or would do, for people, for machines and for the shell. */
export function reportGenerated(outcome: Outcome, asked: ReportOptions): Report {
  if (outcome.kind === 'problems') {
    return { lines: [formatProblems(outcome.problems)], exitCode: exitCodes.problems }
  }
  const { plan } = outcome.prepared
  const options = { ...asked, isWriting: asked.isWriting && outcome.isWritten }
  const lines = [
    ...repairLines(outcome),
    ...lostBaseLines(outcome),
    summary(plan, { ...options, isWriting: options.isWriting && outcome.isWritten }),
    ...fileLines(plan, options),
    ...upstreamLines(outcome, options),
    ...openLines(plan),
    ...nextLines(plan, outcome, options),
  ]
  return { lines, exitCode: exitCode(plan, outcome, options) }
}

/** Reports the work after the answer. */
export function reportFinished({ checked, clientFailure }: Finished): Report {
  return {
    lines: [...(clientFailure === null ? [] : ['', clientFailure]), ...brokenLines(checked)],
    exitCode: clientFailure === null ? exitCodes.done : exitCodes.problems,
  }
}

type Planned = Extract<Outcome, { kind: 'planned' }>

function exitCode(plan: Plan, outcome: Planned, { isChecking }: ReportOptions): number {
  const { prepared } = outcome
  if (plan.files.some(({ status }) => status === 'conflict')) return exitCodes.conflict
  const isLeft = isPending(plan) || prepared.changes.length > 0
  return isChecking && isLeft ? exitCodes.pending : exitCodes.done
}

function repairLines({ repaired }: Planned): readonly string[] {
  if (repaired === null) return []
  return [
    `An interrupted run was taken back (${count(repaired.restored.length, 'file')}).`,
    ...leftLines(repaired),
  ]
}

function lostBaseLines({ prepared }: Planned): readonly string[] {
  if (!prepared.hasLostBase) return []
  return [
    "'.svc/base.txt' is missing, so svc cannot tell your edits from its own text. Restore it from version control if you can.",
  ]
}

/** Only the config can say so, and one word there opens every route. */
function openLines(plan: Plan): readonly string[] {
  const file = plan.files.find(({ path }) => path === 'app/auth.ts')
  if (file?.rendered !== null) return []
  return [
    '',
    'Careful: with this there is no auth repository any more, as `auth.user_model` of config/svc.ts says. The routes of signing in and the',
    'guard `auth:token` go, and every route answers without a token. `svc undo` takes this back.',
  ]
}

function nextLines(plan: Plan, outcome: Planned, options: ReportOptions): readonly string[] {
  if (isBlocked(plan)) return conflictLines(plan, options)
  return [
    ...nullLines(outcome),
    ...adviceLines(outcome.unread),
    ...warningLines(outcome),
    ...(options.isChecking ? [] : [...denyingLines(outcome), ...closedPivotLines(plan)]),
    ...scriptLines(plan),
    ...clientLines(outcome),
    ...(options.isWriting ? installLines(outcome) : []),
  ]
}

/** Said once, by the run that wrote the methods. */
function closedPivotLines(plan: Plan): readonly string[] {
  const closed = closedPivots(plan)
  if (closed.length === 0) return []
  const names = list(closed.map(({ name, methods }) => `${name} (${methods})`))
  return [
    '',
    `Nobody may attach, detach or sync yet, because newPolicies does not allow it: ${names}.`,
    `  fix    let these methods of ${closed[0]?.path} answer, for example, (user) => user !== null`,
  ]
}

/** Said once, by the run that changed the schema. */
function clientLines({ prepared, isClientStale }: Planned): readonly string[] {
  const isChanged = prepared.plan.files.some(
    ({ path, before, content }) => path.startsWith('prisma/schema/') && before !== content,
  )
  return isClientStale && isChanged ? clientIsMade : []
}

/** Said by the run that changed them; `svc doctor` says it whenever it is asked. */
function scriptLines({ files }: Plan): readonly string[] {
  const isChanged = files.some(
    ({ path, before, content }) => path === 'package.json' && before !== content,
  )
  const advice = isChanged ? scriptAdvice(files) : []
  return adviceLines(advice)
}

export const adviceLines = (advice: readonly Advice[]): readonly string[] =>
  advice.flatMap(({ at, message, fix }) => ['', `${at}  ${message}.`, `  fix    ${fix}`])

function installLines({ notInstalled }: Planned): readonly string[] {
  if (notInstalled === null) return []
  return ['', `${notInstalled.text}.`, `  fix    ${notInstalled.command}`]
}

const clientIsMade = [
  '',
  "The commands that need Prisma's client generate it: `npm run seed`, `build`, `test`, `typecheck`, and `svc dev`.",
  '`svc generate --client` generates it now.',
]

function brokenLines(checked: Finished['checked']): readonly string[] {
  if (checked === null) return []
  const lines = checked.broken
    .slice(0, maxListed)
    .map(({ path, line, column, message }) => `  ${path}:${line}:${column}  ${message}`)
  const more = checked.broken.length - lines.length
  const late = checked.isComplete
    ? []
    : ['svc did not compile all of your files: `npm run typecheck` does that.']
  if (lines.length === 0) return late
  const title = `${count(checked.broken.length, 'line of yours no longer compiles', 'lines of yours no longer compile')}:`
  return ['', title, ...lines, ...(more > 0 ? [`  … and ${more} more`] : []), ...late]
}

/** A comparison with null admits no row, so what a policy means by it is not what happens. */
function nullLines({ nulls }: Planned): readonly string[] {
  if (nulls.length === 0) return []
  const lines = nulls
    .slice(0, maxListed)
    .flatMap(({ at, message, fix }) => [`  ${at}  ${message}`, `    fix  ${fix}`])
  const more = nulls.length > maxListed ? [`  … and ${nulls.length - maxListed} more`] : []
  return ['', 'Policies that compare with NULL and do not use isNull:', ...lines, ...more]
}

/** Longer diffs are shown by `svc diff --upstream`. */
const maxDiffLines = 40

function upstreamLines({ prepared }: Planned, { isColored }: ReportOptions): readonly string[] {
  return prepared.upstream.flatMap(({ path, diff }) => [
    '',
    `svc would write ${path} differently now. It is yours, so it stays; \`svc adopt ${path}\` merges this:`,
    ...paintDiff(diff.slice(0, maxDiffLines), isColored),
    ...(diff.length > maxDiffLines ? [`… \`svc diff --upstream ${path}\` shows the rest`] : []),
  ])
}

function warningLines({ prepared }: Planned): readonly string[] {
  if (prepared.warnings.length === 0) return []
  const warnings = prepared.warnings.map((text) => `  ${text}`)
  return ['', 'Careful with prisma/migrations/draft.sql:', ...warnings]
}

/** Says what to do next. svc does not compare a file with conflict markers. */
function conflictLines({ files }: Plan, { settling }: ReportOptions): readonly string[] {
  const isMarked = files.some(({ note }) => note === 'unfinished')
  const isOpen = files.some(({ status, note }) => status === 'conflict' && note !== 'unfinished')
  return [...(isMarked ? markedLines : []), ...(isOpen ? disputedLines(settling) : [])]
}

const disputedLines = (settling = usualSettling): readonly string[] => [
  '',
  'You and svc changed the same lines. Merge each file by hand and run `svc generate --conflicts=ours`,',
  `or let svc settle the disputed lines: ${settling}.`,
]

const usualSettling = '--conflicts=markers, ours (yours) or theirs (of svc)'

const markedLines = [
  '',
  'Take the markers out and run `svc generate`, or let svc do it: --conflicts=ours (yours) or theirs (of svc).',
  '`svc undo` restores the files as they were before the markers.',
]

function denyingLines({ prepared }: Planned): readonly string[] {
  const denying = denyingPolicies(prepared.plan)
  const [first] = denying
  if (first === undefined) return []
  return [
    '',
    `${count(denying.length, 'policy still denies', 'policies still deny')} everyone, so clients see empty lists: ` +
      `${list(denying.map(({ name }) => name))}.`,
    `Open ${first.path} and let \`show\` answer, for example, show: (user) => user !== null`,
  ]
}

/** More names or lines than this do not help. */
const maxListed = 12

const list = (names: readonly string[]) =>
  names.length <= maxListed ? names.join(', ') : `${names.slice(0, maxListed).join(', ')} …`

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}
