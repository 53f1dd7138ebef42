import { posix } from 'node:path'
import type { Change } from './changes.js'
import { linkOnTheWay } from './links.js'
import { Refusal } from './refusal.js'
import { at, own, type Target } from './target.js'

/** Refuses changes that would fail halfway: read-only files and folders, files reached through links. */
export function guard(target: Target, changes: readonly Change[]): void {
  const folders = new Set(changes.map(({ path }) => posix.dirname(path)))
  const inFolders = new Map([...folders].map((folder) => [folder, folderObstacle(target, folder)]))
  const links = [...folders, own.journal, own.nextJournal].flatMap((folder) => {
    const link = linkOnTheWay(target, folder)
    return link === null ? [] : [link]
  })
  const obstacles = changes.flatMap(({ path, before }) => {
    const inFolder = inFolders.get(posix.dirname(path)) ?? null
    const found = before === null ? inFolder : (inFolder ?? fileObstacle(target, path))
    return found === null ? [] : [found]
  })
  const found = new Set([...links, ...obstacles])
  if (found.size > 0) throw new Refusal([...found].join('\n'))
}

/** The nearest folder that exists must take new entries. */
function folderObstacle(target: Target, folder: string): string | null {
  const path = at(target, folder)
  if (folder !== '.' && target.files.kind(path) === null) {
    return folderObstacle(target, posix.dirname(folder))
  }
  return target.files.isWritable(path) ? null : readOnly(folder === '.' ? target.root : folder)
}

function fileObstacle(target: Target, path: string): string | null {
  if (target.files.kind(at(target, path)) === 'link') {
    return `'${path}' is a symbolic link; svc writes files, so put the file itself there.`
  }
  return target.files.isWritable(at(target, path)) ? null : readOnly(path)
}

const readOnly = (path: string) => `'${path}' is read-only, and svc has something to write there.`
