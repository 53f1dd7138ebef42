import type { Move } from '../plan/moves.js'
import { at, svcPaths, type Target } from './target.js'

const folders = ['app/Policies', 'app/Hooks']

/** Policies and hooks that svc wrote once and that are gone; by their names of today. */
export function deletedPaths(target: Target, moves: readonly Move[]): ReadonlySet<string> {
  const renamed = new Map(moves.flatMap(({ paths }) => paths.map(({ from, to }) => [from, to])))
  const gone = folders.flatMap((folder) => {
    const here = target.files.list(at(target, folder))
    const written = [...target.files.list(at(target, `${svcPaths.base}/${folder}`)).keys()]
    return written.filter((name) => !here.has(name)).map((name) => `${folder}/${name}`)
  })
  return new Set(gone.map((path) => renamed.get(path) ?? path))
}
