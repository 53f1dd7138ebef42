import { lostHooksText } from '../../plan/project.js'
import { isBlocked, type Plan, type PlanFile, type Status } from '../../plan/status.js'
import type { ReportOptions } from './report-options.js'
import { colors } from './style.js'

const words: readonly (readonly [Status, string])[] = [
  ['create', 'created'],
  ['update', 'updated'],
  ['merge', 'merged with your edits'],
  ['move', 'moved'],
  ['remove', 'removed'],
  ['conflict', 'in conflict'],
  ['same', 'unchanged'],
  ['keep', 'kept, because they are yours'],
  ['orphan', 'kept, although the manifest no longer asks for them'],
  ['deleted', 'still deleted'],
]

/** Counts the files of each status. */
export function summary(plan: Plan, options: ReportOptions): string {
  const counts = words.flatMap(([status, word]) => {
    const files = plan.files.filter((file) => countedAs(file) === status && !isLeft(file))
    return files.length === 0 || isGiven(status, options) ? [] : [`${files.length} ${word}`]
  })
  const given = plan.files.filter(({ status }) => isGiven(status, options)).length
  if (given > 0) counts.push(`${given} of the example`)
  const verb = isBlocked(plan) || !options.isWriting ? 'Nothing written' : 'Done'
  return colors(options.isColored).bold(`${verb}: ${counts.join(', ')}.`)
}

const isGiven = (status: Status, { isExample = false }: ReportOptions) =>
  isExample && (status === 'same' || status === 'keep')

/** A policy that was opened is no edit of svc's text: that is what it is there for. */
const countedAs = ({ status, owner, note }: PlanFile): Status =>
  status === 'keep' && owner === 'you' && note === null ? 'same' : status

/** The place that a moved file leaves. */
const isLeft = ({ movedTo }: PlanFile) => movedTo !== undefined

const shown: readonly Status[] = [
  'create',
  'update',
  'merge',
  'move',
  'remove',
  'keep',
  'orphan',
  'deleted',
  'conflict',
]

/** More files of one status than this are counted: a first run makes hundreds. */
const most = 12

/** A line for each file that something happened to, or should. */
export function fileLines(plan: Plan, options: ReportOptions): readonly string[] {
  const listed = isBlocked(plan) ? (['conflict'] as const) : shown
  return listed.flatMap((status) => {
    const files = plan.files.filter((file) => file.status === status && isWorthALine(file))
    const lines = files.slice(0, most).map((file) => fileLine(file, options))
    const more = files.length - lines.length
    return more > 0 ? [...lines, `  ${status.padEnd(9)} … and ${more} more`] : lines
  })
}

function isWorthALine({ status, note, before, movedTo }: PlanFile): boolean {
  if (movedTo !== undefined) return false
  if (status === 'keep') return note !== null
  return status !== 'remove' || before !== null
}

function fileLine(file: PlanFile, { isColored, isWriting }: ReportOptions): string {
  const remark = remarkOn(file, isWriting)
  const status = colors(isColored)[file.status](file.status.padEnd(9))
  return `  ${status} ${file.path}${remark === null ? '' : `  (${remark})`}`
}

function remarkOn(
  { status, note, aside, owner, path, movedFrom }: PlanFile,
  isWritten: boolean,
): string | null {
  if (note === 'replaced') return replaced(status, isWritten)
  if (status === 'move') return `from ${movedFrom}`
  if (note === 'unreadable')
    return `the merged text does not parse${isWritten ? `; see ${path}.svc-new` : ''}`
  if (note === 'outdated')
    return `yours; svc would write it differently now: \`svc diff --upstream ${path}\` shows it, \`svc eject ${path}\` dismisses it`
  if (note === 'unfinished') return 'still has conflict markers'
  if (status === 'conflict' && aside === null) return 'both versions, with markers'
  if (status === 'conflict') {
    return isWritten ? `see ${path}.svc-new` : `\`svc diff ${path}\` shows both`
  }
  if (note === 'needed') return 'code of yours still imports it'
  if (status === 'orphan' && path.startsWith('config/')) {
    return 'edited, and no longer in the manifest: it does nothing; delete it unless you will ask for it again'
  }
  if (status === 'orphan') return 'edited, and no longer in the manifest'
  if (status === 'deleted' && path.startsWith('app/Policies/')) {
    return `you deleted it, so the policy denies everyone; \`svc adopt ${path}\` brings it back`
  }
  if (status === 'deleted' && path.startsWith('app/Hooks/')) {
    return `it ${lostHooksText}; \`svc adopt ${path}\` writes it anew`
  }
  if (status === 'deleted') return `you deleted it; \`svc adopt ${path}\` brings it back`
  return owner === 'you' && status === 'create' ? 'yours' : null
}

function replaced(status: Status, isWritten: boolean): string {
  const edits = status === 'merge' ? 'your disputed lines' : 'your edits'
  if (!isWritten) return `${edits} would be replaced`
  return `${edits} were replaced; \`svc undo\` brings them back`
}
