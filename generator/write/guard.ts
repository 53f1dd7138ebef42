import { posix } from 'node:path'
import type { Change } from './changes.js'
import { Refusal } from './refusal.js'
import { leavesTree } from './snapshot.js'
import { at, own, type Target } from './target.js'

/** Refuses changes that would fail halfway: read-only files and folders, files reached through links. */
export function guard(target: Target, changes: readonly Change[]): void {
  const folders = new Set<string>([own.base, ...changes.map(({ path }) => posix.dirname(path))])
  const onTheWay = new Set([...folders].flatMap(ancestors))
  const blocked = [...onTheWay].flatMap((folder) => obstacleOnTheWay(target, folder) ?? [])
  if (blocked.length > 0) throw new Refusal(blocked.join('\n'))
  const inFolders = new Map([...folders].map((folder) => [folder, folderObstacle(target, folder)]))
  const obstacles = changes.flatMap(({ path, before }) => {
    const inFolder = inFolders.get(posix.dirname(path)) ?? null
    const found = inFolder ?? fileObstacle(target, path, before)
    return found === null ? [] : [found]
  })
  if (obstacles.length > 0) throw new Refusal([...new Set(obstacles)].join('\n'))
}

/** `app/Http` and `app`. */
function ancestors(folder: string): readonly string[] {
  return folder === '.' ? [] : [folder, ...ancestors(posix.dirname(folder))]
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
