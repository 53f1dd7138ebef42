import { sameText, type Settle } from '../source/merge.js'

/**
 * Who a file belongs to. `svc`: regenerated, the developer's edits merged. `you`: written once, then the developer's.
 * `shared`: both write it, the developer wins where the two meet.
 */
export type Owner = 'svc' | 'you' | 'shared'

/** A run's action on a file, or why it leaves the file alone. */
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
  readonly isWrittenOnce?: boolean
}

/** Texts by path: what the project holds, and what svc wrote last (`.svc/base.txt`). */
export interface Snapshot {
  readonly disk: ReadonlyMap<string, string>
  readonly base: ReadonlyMap<string, string>
  /** Files of svc's that `svc eject` handed over: as `you`rs as any, and never updated. */
  readonly ejected?: ReadonlySet<string>
  /** A file whose difference from what svc would write today is not to be reported again. */
  readonly dismissed?: string | undefined
}

export interface PlanFile {
  readonly path: string
  readonly owner: Owner
  readonly status: Status
  /** The file's content now, and after the run; null: no such file. */
  readonly before: string | null
  readonly content: string | null
  /** The text that svc renders today; null: none any more. */
  readonly rendered: string | null
  readonly baseBefore: string | null
  readonly base: string | null
  /** An unsettled conflict: svc's text goes beside the file, and nothing else is written. */
  readonly aside: string | null
  /**
   * `replaced`: edits that give way to svc's text, all of them or (merge) the disputed ones. `outdated`: kept, and svc would
   * write it differently today. `unfinished`: still has markers. `unreadable`: what was asked for does not parse.
   * `imports`: nothing was merged; what it imports of svc's has moved. `needed`: an orphan imports it.
   */
  readonly note: 'replaced' | 'outdated' | 'unfinished' | 'unreadable' | 'needed' | null
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
