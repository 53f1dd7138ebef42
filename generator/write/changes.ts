import { isBaseStale, isBlocked, type Plan } from '../plan/status.js'
import { lockText, type Lock } from './lock-file.js'
import type { ProjectSnapshot } from './snapshot.js'
import { besides, own, type Target, at } from './target.js'

/** One file of the project, before and after; null: there is none. */
export interface Change {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  /** The file it takes its permissions from, when that is another one. */
  readonly from?: string | undefined
}

const ignored = 'journal/\njournal.*/\nrun.lock*\ntidied.json\nmigrated\n'

/** Everything a plan does to the disk, svc's own files included. A blocked plan only puts texts beside its conflicts. */
export function changesOf(
  target: Target,
  plan: Plan,
  snapshot: ProjectSnapshot,
  lock: Lock,
): readonly Change[] {
  const read = (path: string) => target.files.read(at(target, path))
  const aside = plan.files.flatMap(({ path, aside: after }) =>
    after === null ? [] : [{ path: besides(path), before: read(besides(path)), after }],
  )
  const whole = isBlocked(plan)
    ? []
    : [
        ...plan.files.map(({ path, before, content: after, movedFrom: from }) => {
          return { path, before, after, from }
        }),
        ...baseChanges(plan),
        ...settledAsides(plan, snapshot, read),
        { path: own.lock, before: read(own.lock), after: lockText(lock) },
      ]
  const changes = [...whole, ...aside].filter(({ before, after }) => before !== after)
  if (changes.length === 0) return []
  const ignore = { path: own.ignore, before: read(own.ignore), after: ignored }
  return ignore.before === ignored ? changes : [...changes, ignore]
}

function baseChanges(plan: Plan): readonly Change[] {
  return plan.files.filter(isBaseStale).map(({ path, baseBefore: before, base: after }) => {
    return { path: `${own.base}/${path}`, before, after }
  })
}

/** Conflicts that are over leave no `.svc-new` behind. */
function settledAsides(
  plan: Plan,
  snapshot: ProjectSnapshot,
  read: (path: string) => string | null,
): readonly Change[] {
  return plan.files
    .filter(({ path, aside }) => aside === null && snapshot.besides.has(path))
    .map(({ path }) => ({ path: besides(path), before: read(besides(path)), after: null }))
}
