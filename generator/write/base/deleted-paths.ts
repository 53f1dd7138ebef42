import { posix } from 'node:path'
import type { Move } from '../../plan/compare/move.js'
import { ownOutputs, type PlannedFeature } from '../../plan/feature.js'
import { outputs } from '../../plan/render/outputs.js'
import { at, type Target } from '../target.js'
import { readBase } from './base-store.js'

/** Lists the folders of files that the developer has for each repository. */
const foldersOf = (features: readonly PlannedFeature[]): ReadonlySet<string> =>
  new Set(
    [...outputs, ...ownOutputs(features)]
      .filter((output) => output.owner === 'you' && output.of === 'entity')
      .map(({ path }) => posix.dirname(path)),
  )

/** Policies, hooks and the like that svc wrote once and that are gone; by their names of today. */
export function deletedPaths(
  target: Target,
  features: readonly PlannedFeature[],
  moves: readonly Move[],
): ReadonlySet<string> {
  const renamed = new Map(moves.flatMap(({ paths }) => paths.map(({ from, to }) => [from, to])))
  const written = [...readBase(target).keys()]
  const gone = [...foldersOf(features)].flatMap((folder) => {
    const here = target.files.list(at(target, folder))
    return written.filter(
      (path) => posix.dirname(path) === folder && !here.has(posix.basename(path)),
    )
  })
  return new Set(gone.map((path) => renamed.get(path) ?? path))
}
