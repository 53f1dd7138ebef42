import { posix } from 'node:path'
import { isUntouchedByBranches } from '../../source/branches.js'
import { hasOwnMarkers, sameText } from '../../source/merge.js'
import { importedFile, specifiersIn } from '../../source/specifiers.js'
import type { Plan, PlanFile, PlanOptions, Rendered, Snapshot } from '../status.js'
import { planEdited, planMarked, planTorn } from './edited.js'
import { isTorn, keptFile, result, written } from './outcome.js'

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
 *  any      as base             not rendered today, an orphan in config/ imports it: keep
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
  const files = [...planned, ...withNeeded(left.map((path) => planLeft(path, snapshot)))]
  return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) }
}

const twice = (rendered: readonly Rendered[]) =>
  rendered.map(({ path }) => path).filter((path, index, all) => all.indexOf(path) !== index)

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
  const seen = snapshot.dismissed === file.path ? file.content : base
  if (file.isWrittenOnce === true) return keptFile(at, seen ?? file.content)
  if (sameText(disk, base) && !isEjected) return written(at, 'update')
  if (file.owner === 'you') return keptFile(at, seen === null || isTorn(seen) ? file.content : seen)
  if (hasOwnMarkers(disk)) return planMarked(at, options)
  if (isTorn(base) && isUntouchedByBranches(disk, base)) return written(at, 'update')
  if (isTorn(disk) || isTorn(base)) return planTorn(at, options)
  if (sameText(base, file.content) && !options.force) return keptFile(at, base)
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

/**
 * The types of a config that is edited stand in files that go with it: they stay, so that it compiles until somebody deletes
 * it, or asks for it again.
 */
function withNeeded(left: readonly PlanFile[]): readonly PlanFile[] {
  const byPath = new Map(left.map((file) => [file.path, file]))
  const configs = left.filter((file) => file.status === 'orphan' && file.path.startsWith('config/'))
  const needed = new Set(configs.map(({ path }) => path))
  for (const path of needed) {
    const text = byPath.get(path)?.before ?? ''
    for (const specifier of specifiersIn(text)) {
      const file = importedFile(path, specifier)
      if (file !== null && byPath.has(file)) needed.add(file)
    }
  }
  return left.map((file) => {
    const isNeeded = file.status === 'remove' && file.before !== null && needed.has(file.path)
    if (!isNeeded) return file
    const { before: content, baseBefore: base } = file
    return { ...file, status: 'keep', content, base, note: 'needed' }
  })
}
