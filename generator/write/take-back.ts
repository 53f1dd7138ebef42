import { posix } from 'node:path'
import {
  dropJournal,
  hash,
  readJournal,
  storedPath,
  tidyJournals,
  type Entry,
  type Journal,
} from './journal.js'
import { at, old, own, type Target } from './target.js'

export interface Taken {
  /** Files that are as they were before the run. */
  readonly restored: readonly string[]
  /** Files that were edited since; they stay as they are. */
  readonly left: readonly string[]
}

/** True when a run was killed in its middle: nothing may be planned before `repair`. */
export function isInterrupted(target: Target): boolean {
  const journal = readJournal(target)
  return journal !== null && journal.state !== 'done'
}

/** Takes back a run that was killed in its middle; null when there is none. */
export function repair(target: Target): Taken | null {
  tidyJournals(target)
  const journal = readJournal(target)
  return journal === null || journal.state === 'done' ? null : takeBack(target, journal)
}

/** Restores each file that is as the run left it, newest first, and forgets the run. */
export function takeBack(target: Target, journal: Journal): Taken {
  const restored: string[] = []
  const left: string[] = []
  for (const [index, entry] of [...journal.entries.entries()].reverse()) {
    const now = hash(target.files.read(at(target, entry.path)))
    if (now === entry.before) continue
    if (now === entry.after) restore(target, entry, index)
    else keepBefore(target, entry, index)
    const list = now === entry.after ? restored : left
    if (!entry.path.startsWith(`${own.folder}/`)) list.push(entry.path)
  }
  for (const folder of [...journal.folders].reverse()) target.files.removeFolder(at(target, folder))
  dropJournal(target)
  return { restored: restored.reverse(), left: left.reverse() }
}

/** A file that was edited after the run had written it stays, and what the run had replaced goes beside it. */
function keepBefore(target: Target, { path, before, after }: Entry, index: number): void {
  if (before === null || after === null || path.startsWith(`${own.folder}/`)) return
  const stored = (side: 'before' | 'after') => storedPath(target, own.journal, side, index)
  const isPut = target.files.kind(stored('after')) === null
  if (!isPut || target.files.kind(stored('before')) !== 'file') return
  target.files.rename(stored('before'), at(target, old(path)))
}

function restore(target: Target, entry: Entry, index: number): void {
  const path = at(target, entry.path)
  if (entry.before === null) {
    target.files.remove(path)
    return
  }
  target.files.makeFolder(at(target, posix.dirname(entry.path)))
  target.files.rename(storedPath(target, own.journal, 'before', index), path)
}
