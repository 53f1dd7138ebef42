import { posix, sep } from 'node:path'
import { at, type Target } from '../target.js'

/**
 * Returns the problem with following the link at this path; null when it stays within the project.
 */
export function leavesTree(target: Target, path: string): string | null {
  const root = target.files.real(target.root)
  const real = realOf(target, path)
  if (real !== null && (real === root || real.startsWith(root + sep))) return null
  return `'${path}' is a symbolic link that leads out of the project; svc does not follow it.`
}

/** The first folder on the way to a path, itself included, that leads out of the project. */
export function symlinkOnTheWay(target: Target, folder: string): string | null {
  if (folder === '.') return null
  const outer = symlinkOnTheWay(target, posix.dirname(folder))
  if (outer !== null || target.files.kind(at(target, folder)) !== 'link') return outer
  return leavesTree(target, folder)
}

// A link to nothing has no real path.
function realOf(target: Target, path: string): string | null {
  try {
    return target.files.real(at(target, path))
  } catch {
    return null
  }
}
