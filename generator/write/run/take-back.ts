import { posix } from 'node:path'
import { at, svcPaths, type Target } from '../target.js'
import {
  dropJournal,
  hash,
  readJournal,
  storedPath,
  tidyJournals,
  type Entry,
  type Journal,
} from './journal.js'

export interface Taken {
  /** Files that are as they were before the run. */
  readonly restored: readonly string[]
  /** Files that were edited since; they stay as they are. */
  readonly left: readonly Left[]
}

export interface Left {
  readonly path: string
  /** The place of the file from before the run; null: there was none. */
  readonly before: string | null
}

/** True when a run was killed in its middle: nothing may be planned before `repair`. */
export function isInterrupted(target: Target): boolean {
  const journal = readJournal(target)
  return journal !== null && journal.state !== 'done'
}

export const interrupted =
  'A run of svc was interrupted here. `svc undo` restores the project as it was before; ' +
  '`svc generate` does the same and then goes on.'

/** Takes back a run that was killed in its middle; null when there is none. */
export function repair(target: Target): Taken | null {
  tidyJournals(target)
  const journal = readJournal(target)
  return journal === null || journal.state === 'done' ? null : takeBack(target, journal)
}

export const leftLines = ({ left }: Taken) =>
  left.map(({ path, before }) => {
    const kept = before === null ? '' : ` (as it was before: ${before})`
    return `  ${path} was edited since, and stays as it is${kept}`
  })

/** Restores each file that is as the run left it, newest first, and forgets the run. */
export function takeBack(target: Target, journal: Journal): Taken {
  const restored: string[] = []
  const left: Left[] = []
  const before = (index: number) => storedPath(target, svcPaths.journal, 'before', index)
  target.files.makeFolder(at(target, `${svcPaths.journal}/after`))
  for (const [index, entry] of [...journal.entries.entries()].toReversed()) {
    const done = restore(target, entry, index)
    if (done === 'untouched' || entry.path.startsWith(`${svcPaths.folder}/`)) continue
    if (done === 'restored') restored.push(entry.path)
    else left.push({ path: entry.path, before: setAside(target, entry.path, before(index)) })
  }
  for (const folder of [...journal.folders].toReversed())
    target.files.removeFolder(at(target, folder))
  dropJournal(target)
  return { restored: restored.toReversed(), left: left.toReversed() }
}

/*
 *  on disk         in before/       the run had              now
 *  as before       any              not come to it           untouched
 *  none            a file           moved it away            restored
 *  none            none             not come to it           untouched (somebody else removed it)
 *  as after        any              written it               restored
 *  anything else   any              written it, and then     left
 *                                   somebody edited it
 */
function restore(target: Target, entry: Entry, index: number): 'restored' | 'left' | 'untouched' {
  const { files } = target
  const path = at(target, entry.path)
  const stored = (side: 'before' | 'after') => storedPath(target, svcPaths.journal, side, index)
  const [before, after] = [stored('before'), stored('after')]
  const now = hash(files.read(path))
  if (now === entry.before) return 'untouched'
  if (now !== null && now !== entry.after) return 'left'
  if (now === null && files.kind(before) === null) return 'untouched'
  if (now !== null) {
    files.remove(after) // Killed between link and removal: a rename of one name to the other does nothing.
    files.rename(path, after)
    const isSaved = hash(files.read(after)) !== now // In the moment between: back it goes.
    if (isSaved && !files.place(after, path)) setAside(target, entry.path, after)
    if (isSaved) return 'left'
  }
  if (entry.before === null) return 'restored'
  files.makeFolder(at(target, posix.dirname(entry.path)))
  return files.place(before, path) ? 'restored' : 'left'
}

/** Keeps the replaced file: it may be the only copy of somebody's edits. */
function setAside(target: Target, path: string, stored: string): string | null {
  if (target.files.kind(stored) === null) return null
  for (let number = 1; ; number += 1) {
    const aside = `${path}.svc-old${number === 1 ? '' : `-${number}`}`
    if (target.files.place(stored, at(target, aside))) return aside
  }
}
