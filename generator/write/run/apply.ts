import { posix } from 'node:path'
import { Refusal } from '../../blueprint/refusal.js'
import { Disturbed, explained, systemCode } from '../refusal.js'
import { at, svcPaths, type Target } from '../target.js'
import type { Change } from './change.js'
import { guard } from './guard.js'
import { hash, installJournal, storedPath, writeJournal, type Journal } from './journal.js'
import { interrupted, isInterrupted, leftLines, takeBack } from './take-back.js'

/**
 * Writes all changes or none. New texts are staged first, so a full disk stops the run while the project is untouched;
 * from then on there are only renames. A file is never replaced: it is moved into the journal, and the new one put where
 * there is none. So an edit saved at any moment is either seen here, and then everything is taken back, or not touched.
 */
export function apply(target: Target, changes: readonly Change[]): void {
  if (changes.length === 0) return
  if (isInterrupted(target)) throw new Refusal(interrupted)
  guard(target, changes)
  const folders = newFolders(target, changes)
  const journal = stage(target, changes, folders)
  try {
    refuseDisturbed(target, changes, ({ path }) => at(target, path))
    for (const folder of folders) target.files.makeFolder(at(target, folder))
    changes.forEach((change, index) => put(target, change, index))
    refuseDisturbed(target, changes, (_, index) => replaced(target, index))
    writeJournal(target, svcPaths.journal, { ...journal, state: 'done' })
  } catch (error) {
    const lines = leftLines(takeBack(target, journal))
    throw error instanceof Disturbed ? new Disturbed(error.paths, lines) : explained(error)
  }
  clear(target, `${svcPaths.journal}/after`)
  removeEmptied(target, changes)
}

function stage(target: Target, changes: readonly Change[], folders: readonly string[]): Journal {
  const hashed = hashOnce()
  const entries = changes.map(({ path, before, after }) => {
    return { path, before: hashed(before), after: hashed(after) }
  })
  const journal: Journal = { state: 'applying', entries, folders }
  try {
    for (const side of ['before', 'after']) {
      target.files.makeFolder(at(target, `${svcPaths.nextJournal}/${side}`))
    }
    changes.forEach((change, index) => store(target, change, index))
    writeJournal(target, svcPaths.nextJournal, journal)
    installJournal(target)
  } catch (error) {
    clear(target, svcPaths.nextJournal)
    throw explained(error)
  }
  return journal
}

/** Each written text is in two places, because it has a base. */
function hashOnce(): typeof hash {
  const known = new Map<string | null, string | null>()
  return (text) => {
    const found = known.get(text) ?? hash(text)
    known.set(text, found)
    return found
  }
}

/** Removes staged files: the disk may have become full; the rest is removed at the next start. */
function clear(target: Target, folder: string): void {
  try {
    target.files.removeTree(at(target, folder))
  } catch {
    // Either the run is done, or its first failure is the one to report.
  }
}

function store(target: Target, { path, before, after, from }: Change, index: number): void {
  if (after === null) return
  const stored = storedPath(target, svcPaths.nextJournal, 'after', index)
  target.files.write(stored, after)
  const replaced = from ?? (before === null ? null : path)
  if (replaced !== null) target.files.allowAs(stored, at(target, replaced))
}

/** Compares what is, or was, on the disk with what the plan was made for. */
function refuseDisturbed(
  { files }: Target,
  changes: readonly Change[],
  where: (change: Change, index: number) => string,
): void {
  // Most files of a first run are not there, and asking costs a fifth of failing to read one.
  const isGone = (path: string, before: string | null) =>
    before === null && files.kind(path) === null
  const now = (path: string, before: string | null) =>
    isGone(path, before) ? null : files.read(path)
  const paths = changes.filter(
    (change, index) => now(where(change, index), change.before) !== change.before,
  )
  if (paths.length > 0) throw new Disturbed(paths.map(({ path }) => path))
}

const replaced = (target: Target, index: number) =>
  storedPath(target, svcPaths.journal, 'before', index)

function put(target: Target, { path, before, after }: Change, index: number): void {
  const stored = (side: 'before' | 'after') => storedPath(target, svcPaths.journal, side, index)
  if (before !== null) moveAway(target, path, stored('before'))
  if (after === null) return
  const isPlaced = there(path, () => target.files.place(stored('after'), at(target, path)))
  if (!isPlaced) throw new Disturbed([path])
}

function moveAway(target: Target, path: string, stored: string): void {
  there(path, () => target.files.rename(at(target, path), stored))
}

/** A file or a folder that is gone since it was looked at, somebody else took away. */
function there<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw systemCode(error) === 'ENOENT' ? new Disturbed([path]) : error
  }
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
    found || folder === svcPaths.folder ? [] : [folder],
  )
  return made.toSorted((a, b) => a.length - b.length)
}

/** A folder whose last file was removed goes with it. */
function removeEmptied(target: Target, changes: readonly Change[]): void {
  const folders = changes
    .filter(({ after }) => after === null)
    .map(({ path }) => posix.dirname(path))
  for (const folder of new Set(folders)) removeUpwards(target, folder)
}

function removeUpwards(target: Target, folder: string): void {
  if (folder === '.' || folder === svcPaths.folder) return
  if (target.files.removeFolder(at(target, folder))) removeUpwards(target, posix.dirname(folder))
}
