import { symlinkOnTheWay } from '../run/symlinks.js'
import { at, svcPaths, type Target } from '../target.js'
import type { BrokenKey } from './found-errors.js'

/**
 * The developer's lines that a run of svc broke and that nobody mended yet: the next run names them again. The file is not
 * committed; without it, or where it is torn, no line is named twice.
 */
export function readBroken(target: Target): readonly BrokenKey[] {
  try {
    const saved: unknown = JSON.parse(target.files.read(at(target, svcPaths.broken)) ?? '[]')
    return Array.isArray(saved) ? saved.filter(isBrokenKey) : []
  } catch {
    return []
  }
}

export function saveBroken(target: Target, lines: readonly BrokenKey[]): void {
  const file = at(target, svcPaths.broken)
  try {
    if (symlinkOnTheWay(target, svcPaths.folder) !== null) return
    if (lines.length === 0) return target.files.remove(file)
    const text = JSON.stringify(lines.map(({ path, key }) => ({ path, key })))
    target.files.write(file, `${text}\n`)
  } catch {
    // A full or read-only disk: these lines are named this time only.
  }
}

function isBrokenKey(value: unknown): value is BrokenKey {
  if (typeof value !== 'object' || value === null) return false
  const { path, key }: { path?: unknown; key?: unknown } = value
  return typeof path === 'string' && typeof key === 'string' && !path.includes('..')
}
