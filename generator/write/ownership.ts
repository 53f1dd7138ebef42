import { createHash } from 'node:crypto'
import { Refusal } from '../blueprint/refusal.js'
import type { Move } from '../plan/compare/move.js'
import type { PlanFile, Rendered } from '../plan/status.js'
import { sameText } from '../source/merge.js'
import { unifiedDiff } from '../source/unified-diff.js'
import type { Ejected } from './base/lock-file.js'
import type { ProjectSnapshot } from './base/snapshot.js'

/** The request of `svc eject` and `svc adopt`. */
export interface Handover {
  readonly kind: 'eject' | 'adopt'
  readonly path: string
}

/** A file that was handed over, and that svc would write differently since. */
export interface Upstream {
  readonly path: string
  /** From svc's text of then to that of today. */
  readonly diff: readonly string[]
}

/** The files in the developer's hands once the handover is done. Refuses one that makes no sense. */
export function handOver(
  ejected: readonly Ejected[],
  handover: Handover | undefined,
  rendered: readonly Rendered[],
  { disk, base }: ProjectSnapshot,
): readonly Ejected[] {
  if (handover === undefined) return ejected
  const { kind, path } = handover
  const known = ejected.some((each) => each.path === path)
  const file = rendered.find((each) => each.path === path)
  if (kind === 'adopt') {
    if (!known && !(base.has(path) && !disk.has(path))) throw new Refusal(notEjected(path))
    return ejected.filter((each) => each.path !== path)
  }
  if (isDismissal(handover, rendered, { disk, base }, known)) return ejected
  if (known) throw new Refusal(`'${path}' is yours already; \`svc adopt ${path}\` gives it back.`)
  if (file === undefined)
    throw new Refusal(`svc writes no file '${path}', so there is nothing to hand over.`)
  if (file.owner === 'you')
    throw new Refusal(`'${path}' is yours already: svc never overwrites it.`)
  if (!disk.has(path)) throw new Refusal(`'${path}' does not exist: \`svc generate\` writes it.`)
  const seen = hash(base.get(path) ?? file.content)
  return [...ejected, { path, seen }].toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

/** True when `svc eject` names a file that is the developer's already, and that svc would write differently now. */
export function isDismissal(
  handover: Handover | undefined,
  rendered: readonly Rendered[],
  { disk, base }: Pick<ProjectSnapshot, 'disk' | 'base'>,
  isEjected: boolean,
): handover is Handover {
  const file = rendered.find(({ path }) => path === handover?.path)
  if (handover?.kind !== 'eject' || file === undefined || !disk.has(file.path)) return false
  const before = base.get(file.path)
  const isTheirs = isEjected || file.owner === 'you'
  return isTheirs && before !== undefined && !sameText(before, file.content)
}

/** A repository that changes its name takes its ejected files with it. */
export function renamedHands(
  ejected: readonly Ejected[],
  moves: readonly Move[],
  { base }: ProjectSnapshot,
): readonly Ejected[] {
  const paths = moves
    .flatMap((move) => move.paths)
    .filter(({ from, to }) => base.has(from) && !base.has(to))
  const renamed = new Map(paths.map(({ from, to }) => [from, to]))
  return ejected.map((each) => ({ ...each, path: renamed.get(each.path) ?? each.path }))
}

/**
 * Returns what svc would write differently in ejected files since that was last reported, and the
 * list that remembers it.
 */
export function upstreamOf(
  ejected: readonly Ejected[],
  files: readonly PlanFile[],
): { readonly news: readonly Upstream[]; readonly ejected: readonly Ejected[] } {
  const planned = new Map(files.map((file) => [file.path, file]))
  const news: Upstream[] = []
  const reported = ejected.map((each) => {
    const file = planned.get(each.path)
    if (file === undefined || file.rendered === null) return each
    const seen = hash(file.rendered)
    if (seen === each.seen) return each
    news.push({ path: each.path, diff: unifiedDiff(each.path, file.baseBefore, file.rendered) })
    return { path: each.path, seen }
  })
  return { news, ejected: reported }
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)

const notEjected = (path: string) =>
  `'${path}' is neither ejected nor deleted, so svc has nothing to take back.`
