import { isBlocked, type Plan } from '../../plan/status.js'
import { baseChanges } from '../base/base-store.js'
import { lockText, type Lock } from '../base/lock-file.js'
import type { ProjectSnapshot } from '../base/snapshot.js'
import { besides, svcPaths, type Target, at } from '../target.js'
import type { Change } from './change.js'

const ignored = 'journal/\njournal.*/\nrun.lock*\ntidied.json\nmigrated\nbroken.json\n'

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
        ...baseChanges(target, snapshot.base, basesOf(plan)),
        ...settledAsides(plan, snapshot, read),
        { path: svcPaths.lock, before: read(svcPaths.lock), after: lockText(lock) },
      ]
  const changes = [...whole, ...aside].filter(({ before, after }) => before !== after)
  if (changes.length === 0) return []
  return [...changes, ...ignoreChange(target)]
}

/** Keeps svc's own folder out of git, where needed. */
export function ignoreChange(target: Target): readonly Change[] {
  const before = target.files.read(at(target, svcPaths.ignore))
  return before === ignored ? [] : [{ path: svcPaths.ignore, before, after: ignored }]
}

const basesOf = ({ files }: Plan) => new Map(files.map(({ path, base }) => [path, base]))

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
