import { posix } from 'node:path'
import type { Change } from './changes.js'
import { guard } from './guard.js'
import { hash, installJournal, storedPath, writeJournal, type Journal } from './journal.js'
import { explained } from './refusal.js'
import { takeBack } from './take-back.js'
import { at, own, type Target } from './target.js'

/**
 * Writes all changes or none. New texts are staged first, so a full disk stops the run while the project is untouched;
 * from then on there are only renames, each noted in the journal before it happens.
 */
export function apply(target: Target, changes: readonly Change[]): void {
  if (changes.length === 0) return
  guard(target, changes)
  const folders = newFolders(target, changes)
  const journal = stage(target, changes, folders)
  try {
    changes.forEach((change, index) => put(target, change, index))
    writeJournal(target, own.journal, { ...journal, state: 'done' })
  } catch (error) {
    takeBack(target, journal)
    throw explained(error)
  }
  target.files.removeTree(at(target, `${own.journal}/after`))
  removeEmptied(target, changes)
}

function stage(target: Target, changes: readonly Change[], folders: readonly string[]): Journal {
  const entries = changes.map(({ path, before, after }) => {
    return { path, before: hash(before), after: hash(after) }
  })
  const journal: Journal = { state: 'applying', entries, folders }
  try {
    for (const side of ['before', 'after']) {
      target.files.makeFolder(at(target, `${own.nextJournal}/${side}`))
    }
    changes.forEach(({ before, after }, index) => {
      store(target, 'before', index, before)
      store(target, 'after', index, after)
    })
    writeJournal(target, own.nextJournal, journal)
    installJournal(target)
  } catch (error) {
    forget(target)
    throw explained(error)
  }
  return journal
}

/** What was staged takes room on a disk that may just have become full; what is left is cleared at the next start. */
function forget(target: Target): void {
  try {
    target.files.removeTree(at(target, own.nextJournal))
  } catch {
    // The first failure is the one to report.
  }
}

function store(target: Target, side: 'before' | 'after', index: number, text: string | null): void {
  if (text !== null) target.files.write(storedPath(target, own.nextJournal, side, index), text)
}

function put(target: Target, { path, after }: Change, index: number): void {
  if (after === null) {
    target.files.remove(at(target, path))
    return
  }
  target.files.makeFolder(at(target, posix.dirname(path)))
  target.files.rename(storedPath(target, own.journal, 'after', index), at(target, path))
}

/** Folders that do not exist yet, outermost first. svc's own stay. */
function newFolders(target: Target, changes: readonly Change[]): readonly string[] {
  const known = new Map<string, boolean>([['.', true]])
  const exists = (folder: string): boolean => {
    const found = known.get(folder) ?? target.files.kind(at(target, folder)) !== null
    known.set(folder, found)
    if (!found) exists(posix.dirname(folder))
    return found
  }
  for (const { path, after } of changes) if (after !== null) exists(posix.dirname(path))
  const made = [...known].flatMap(([folder, found]) =>
    found || folder === own.folder ? [] : [folder],
  )
  return made.sort((a, b) => a.length - b.length)
}

/** A folder whose last file was removed goes with it. */
function removeEmptied(target: Target, changes: readonly Change[]): void {
  const folders = changes
    .filter(({ after }) => after === null)
    .map(({ path }) => posix.dirname(path))
  for (const folder of new Set(folders)) removeUpwards(target, folder)
}

function removeUpwards(target: Target, folder: string): void {
  if (folder === '.' || folder === own.folder) return
  if (target.files.removeFolder(at(target, folder))) removeUpwards(target, posix.dirname(folder))
}
