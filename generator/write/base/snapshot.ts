import { posix } from 'node:path'
import { Refusal } from '../../blueprint/refusal.js'
import type { Snapshot } from '../../plan/status.js'
import type { Kind } from '../files.js'
import { leavesTree } from '../run/symlinks.js'
import { at, besides, type Target } from '../target.js'

export interface ProjectSnapshot extends Snapshot {
  /** Planned paths that have a `.svc-new` of an earlier conflict beside them. */
  readonly besides: ReadonlySet<string>
}

/** Reads what the project holds at the paths to be rendered, and at those of the base. Refuses before anything is written. */
export function readSnapshot(
  target: Target,
  rendered: Iterable<string>,
  base: Base,
  code: Code,
): ProjectSnapshot {
  const paths = [...new Set([...rendered, ...base.keys()])]
  const folders = foldersOf(target, paths)
  const texts = new Map<string, string>()
  const found = new Set<string>()
  const obstacles = folders.obstacles
  for (const path of paths) {
    const folder = folders.entries.get(posix.dirname(path))
    const name = posix.basename(path)
    const kind = folder?.get(name)
    if (folder?.has(besides(name))) found.add(path)
    if (kind === undefined) continue
    const obstacle = obstacleAt(target, path, kind)
    if (obstacle !== null) obstacles.push(obstacle)
    if (obstacle !== null) continue
    const text = code.get(path) ?? target.files.read(at(target, path)) ?? ''
    texts.set(path, once(text, base.get(path)))
  }
  if (obstacles.length > 0) throw new Refusal(obstacles.join('\n'))
  return { disk: texts, base, besides: found }
}

/** One string for equal texts: most files are as svc wrote them, and a large project has thousands. */
const once = (text: string, same: string | undefined) => (text === same ? same : text)

/** `.svc/base.txt`: by path, the text of each file as svc wrote it last. */
export type Base = ReadonlyMap<string, string>

/** TypeScript and JavaScript of the project, by path. The manifest is read apart, and Prisma's client is generated. */
export type Code = ReadonlyMap<string, string>

interface Folders {
  /** Entries of each folder that exists. */
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, Kind>>
  readonly obstacles: string[]
}

/** Lists each folder on the way to the paths, once. */
function foldersOf(target: Target, paths: readonly string[]): Folders {
  const entries = new Map([['.', target.files.list(target.root)]])
  const obstacles = new Set<string>()
  const visit = (folder: string): void => {
    if (entries.has(folder)) return
    const parent = posix.dirname(folder)
    visit(parent)
    const kind = entries.get(parent)?.get(posix.basename(folder))
    const obstacle = kind === undefined ? null : obstacleOnTheWay(target, folder, kind)
    if (obstacle !== null) obstacles.add(obstacle)
    const isEmpty = kind === undefined || obstacle !== null
    entries.set(folder, isEmpty ? new Map() : target.files.list(at(target, folder)))
  }
  for (const path of paths) visit(posix.dirname(path))
  return { entries, obstacles: [...obstacles] }
}

function obstacleOnTheWay(target: Target, folder: string, kind: Kind): string | null {
  if (kind === 'link') return leavesTree(target, folder)
  if (kind === 'folder') return null
  return `'${folder}' is a file, and svc needs a folder of that name: move it away.`
}

function obstacleAt(target: Target, path: string, kind: Kind): string | null {
  if (kind === 'file') return null
  if (kind === 'link') return leavesTree(target, path)
  return `'${path}' is a ${kind === 'folder' ? 'folder' : 'device'}, and svc writes a file of that name: move it away.`
}
