import { posix } from 'node:path'
import { isUntouchedByBranches } from './branches.js'
import { planEdited, planMarked, planTorn } from './edited.js'
import { hasOwnMarkers, sameText, type Settle } from './merge.js'
import { isTorn, kept, result, written } from './outcome.js'

/**
 * Who a file belongs to. `svc`: regenerated, the developer's edits merged. `you`: written once, then the developer's.
 * `shared`: both write it, the developer wins where the two meet.
 */
export type Owner = 'svc' | 'you' | 'shared'

/** What a run does with a file, or why it leaves it alone. */
export type Status =
  | 'create'
  | 'same'
  | 'update'
  | 'merge'
  | 'move'
  | 'keep'
  | 'conflict'
  | 'remove'
  | 'orphan'
  | 'deleted'

/** A file as svc renders it today. Paths are relative to the project, with forward slashes. */
export interface Rendered {
  readonly path: string
  readonly content: string
  readonly owner: Owner
  /** A copy the developer asked for: not written again even while it is untouched. */
  readonly isPublished?: boolean
}

/** Texts by path: what the project holds, and what svc wrote last (`.svc/base`). */
export interface Snapshot {
  readonly disk: ReadonlyMap<string, string>
  readonly base: ReadonlyMap<string, string>
  /** Files of svc's that `svc eject` handed over: as `you`rs as any, and never updated. */
  readonly ejected?: ReadonlySet<string>
}

export interface PlanFile {
  readonly path: string
  readonly owner: Owner
  readonly status: Status
  /** What the project holds now, and after the run; null: no such file. */
  readonly before: string | null
  readonly content: string | null
  /** What svc renders today; null: nothing any more. */
  readonly rendered: string | null
  readonly baseBefore: string | null
  readonly base: string | null
  /** An unsettled conflict: svc's text goes beside the file, and nothing else is written. */
  readonly aside: string | null
  /**
   * `replaced`: edits that give way to svc's text, all of them or (merge) the disputed ones. `outdated`: kept, and svc would
   * write it differently today. `unfinished`: still has markers. `unreadable`: what was asked for does not parse.
   */
  readonly note: 'replaced' | 'outdated' | 'unfinished' | 'unreadable' | null
  /** The repository changed its name: where the file comes from, or where it goes. */
  readonly movedFrom?: string
  readonly movedTo?: string
}

export interface Plan {
  readonly files: readonly PlanFile[]
}

export interface PlanOptions {
  /** `stop`: a conflict stops the run before its first write. */
  readonly conflicts: Settle | 'stop'
  /** Replace edited files of svc's, and write again what was deleted. Files that are `you`rs stay. */
  readonly force: boolean
  readonly parses: (path: string, text: string) => Promise<boolean>
}

/*
 *  owner    on disk             in base     status
 *  any      absent              absent      create
 *  any      absent              present     deleted                      (--force: create, unless yours)
 *  any      as rendered         any         same
 *  you      published           any         keep
 *  any      as base             present     update
 *  svc      anything else       as today    keep
 *  svc      anything else       older       merge | conflict             (--force: update)
 *  svc      anything            absent      conflict                     (--force: update)
 *  you      anything else       any         keep                         (ejected: also when as base)
 *  shared   anything else       absent      keep, package.json: merge
 *  any      as base             not rendered today: remove
 *  any      edited              not rendered today: orphan
 */

/** Compares what svc renders today with the project and with what svc wrote last. */
export async function planChanges(
  rendered: readonly Rendered[],
  snapshot: Snapshot,
  options: PlanOptions,
): Promise<Plan> {
  const paths = new Set(rendered.map(({ path }) => path))
  if (paths.size < rendered.length) throw new Error(`rendered twice: ${twice(rendered).join(', ')}`)
  for (const path of paths) {
    const isInside = posix.normalize(path) === path && !/^(?:\/|\.\.?(?:\/|$))/.test(path)
    if (!isInside) throw new Error(`rendered outside the project: ${path}`)
  }
  const planned = await Promise.all(rendered.map((file) => planFile(file, snapshot, options)))
  const left = [...snapshot.base.keys()].filter((path) => !paths.has(path))
  const files = [...planned, ...left.map((path) => planLeft(path, snapshot))]
  return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) }
}

const twice = (rendered: readonly Rendered[]) =>
  rendered.map(({ path }) => path).filter((path, index, all) => all.indexOf(path) !== index)

/** True when an unsettled conflict keeps everything else from being written. */
export const isBlocked = (plan: Plan) => plan.files.some(isUnsettled)

export const isUnsettled = (file: PlanFile) =>
  file.aside !== null || (file.note === 'unfinished' && file.status === 'conflict')

/** True when the schema holds, or will hold, both versions of a line: no migration and no client come of that. */
export const hasOpenSchema = (plan: Plan) =>
  plan.files.some(({ path, status }) => status === 'conflict' && path.endsWith('.prisma'))

/** True when a run would write something, the base included. */
export const isPending = (plan: Plan) =>
  plan.files.some(
    (file) => file.content !== file.before || file.aside !== null || isBaseStale(file),
  )

export const isBaseStale = (file: PlanFile) => !sameText(file.base, file.baseBefore)

async function planFile(
  given: Rendered,
  snapshot: Snapshot,
  options: PlanOptions,
): Promise<PlanFile> {
  const isEjected = snapshot.ejected?.has(given.path) === true
  const file: Rendered = isEjected ? { ...given, owner: 'you' } : given
  const disk = snapshot.disk.get(file.path) ?? null
  const base = snapshot.base.get(file.path) ?? null
  const at = { file, disk, base }
  if (disk === null) {
    const isGone = base !== null && !(options.force && file.owner !== 'you')
    return isGone ? result(at, 'deleted', { base }) : written(at, 'create')
  }
  if (sameText(disk, file.content)) return result(at, 'same')
  if (file.isPublished === true) return kept(at, base ?? file.content)
  if (sameText(disk, base) && !isEjected) return written(at, 'update')
  if (file.owner === 'you') return kept(at, base === null || isTorn(base) ? file.content : base)
  if (hasOwnMarkers(disk)) return planMarked(at, options)
  if (isTorn(disk) || isTorn(base)) return planTorn(at, options)
  if (sameText(base, file.content) && !options.force) return kept(at, base)
  return planEdited(at, options)
}

/** In the base, and no longer rendered. */
function planLeft(path: string, snapshot: Snapshot): PlanFile {
  const before = snapshot.disk.get(path) ?? null
  const base = snapshot.base.get(path) ?? null
  const isUntouched = sameText(before, base) || isUntouchedByBranches(before ?? '', base)
  const isEdited = before !== null && (!isUntouched || snapshot.ejected?.has(path) === true)
  const kept = isEdited ? { content: before, base } : { content: null, base: null }
  const status = isEdited ? 'orphan' : 'remove'
  const empty = { rendered: null, aside: null, note: null } as const
  return { path, owner: 'svc', status, before, baseBefore: base, ...kept, ...empty }
}
