import { posix } from 'node:path'
import type { Move } from '../plan/move.js'
import { readBase } from './base-store.js'
import { at, type Target } from './target.js'

const folders = ['app/Policies', 'app/Hooks']

/** Policies and hooks that svc wrote once and that are gone; by their names of today. */
export function deletedPaths(target: Target, moves: readonly Move[]): ReadonlySet<string> {
  const renamed = new Map(moves.flatMap(({ paths }) => paths.map(({ from, to }) => [from, to])))
  const written = [...readBase(target).keys()]
  const gone = folders.flatMap((folder) => {
    const here = target.files.list(at(target, folder))
    return written.filter(
      (path) => posix.dirname(path) === folder && !here.has(posix.basename(path)),
    )
  })
  return new Set(gone.map((path) => renamed.get(path) ?? path))
}
