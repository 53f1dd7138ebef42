import { posix } from 'node:path'
import { Refusal } from '../../blueprint/refusal.js'
import { at, svcPaths, type Target } from '../target.js'
import type { Change } from './change.js'
import { leavesTree } from './symlinks.js'

/** Refuses changes that would fail halfway: read-only files and folders, what is in the way, links out of the project. */
export function guard(target: Target, changes: readonly Change[]): void {
  const folders = new Set<string>([
    svcPaths.folder,
    ...changes.map(({ path }) => posix.dirname(path)),
  ])
  const onTheWay = new Set([...folders, svcPaths.journal, svcPaths.nextJournal].flatMap(ancestors))
  refuse([...onTheWay].map((folder) => obstacleOnTheWay(target, folder)))
  const inFolders = new Map([...folders].map((folder) => [folder, folderObstacle(target, folder)]))
  refuse(
    changes.map(
      ({ path, before }) =>
        inFolders.get(posix.dirname(path)) ?? fileObstacle(target, path, before),
    ),
  )
}

function refuse(obstacles: readonly (string | null)[]): void {
  const found = new Set(obstacles.filter((obstacle) => obstacle !== null))
  if (found.size > 0) throw new Refusal([...found].join('\n'))
}

/** `app/Http` and `app`; the project, and what it lies in, are there. */
function ancestors(folder: string): readonly string[] {
  return /^(\.|(\.\.\/)*\.\.)$/.test(folder) ? [] : [folder, ...ancestors(posix.dirname(folder))]
}

function obstacleOnTheWay(target: Target, folder: string): string | null {
  const kind = target.files.kind(at(target, folder))
  if (kind === null || kind === 'folder') return null
  if (kind === 'link') return leavesTree(target, folder)
  return `'${folder}' is a file, and svc needs a folder of that name: move it away.`
}

/** The nearest folder that exists must take new entries. */
function folderObstacle(target: Target, folder: string): string | null {
  const path = at(target, folder)
  if (folder !== '.' && target.files.kind(path) === null) {
    return folderObstacle(target, posix.dirname(folder))
  }
  return target.files.isWritable(path) ? null : readOnly(folder === '.' ? target.root : folder)
}

function fileObstacle(target: Target, path: string, before: string | null): string | null {
  const kind = target.files.kind(at(target, path))
  if (kind === 'link') {
    return `'${path}' is a symbolic link; svc writes files, so put the file itself there.`
  }
  if (kind === 'folder')
    return `'${path}' is a folder, and svc has a file of that name: move it away.`
  return before === null || target.files.isWritable(at(target, path)) ? null : readOnly(path)
}

const readOnly = (path: string) => `'${path}' is read-only, and svc has something to write there.`
