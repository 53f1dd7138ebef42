import { posix } from 'node:path'
import type { Change } from './changes.js'
import { guard } from './guard.js'
import { hash, installJournal, storedPath, writeJournal, type Journal } from './journal.js'
import { ChangedMeanwhile, explained } from './refusal.js'
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
    changes.forEach(({ path, before, after }, index) => {
      store(target, { side: 'before', index, text: before, like: before === null ? null : path })
      store(target, { side: 'after', index, text: after, like: before === null ? null : path })
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

interface Stored {
  readonly side: 'before' | 'after'
  readonly index: number
  readonly text: string | null
  /** The file that is replaced, which may be one to run, or for few to read. */
  readonly like: string | null
}

function store(target: Target, { side, index, text, like }: Stored): void {
  if (text === null) return
  const path = storedPath(target, own.nextJournal, side, index)
  target.files.write(path, text)
  if (like !== null) target.files.copyMode(at(target, like), path)
}

/** What was saved since the plan was made is not in it, and would be lost. */
function put(target: Target, { path, before, after }: Change, index: number): void {
  if (target.files.read(at(target, path)) !== before) throw new ChangedMeanwhile(path)
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
