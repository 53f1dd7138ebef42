import { hash as digest } from 'node:crypto'
import { Refusal } from '../../blueprint/refusal.js'
import { at, svcPaths, type Target } from '../target.js'

/**
 * What a run did, so that it can be taken back. `applying` and `undoing` survive only a crash; the next start takes
 * the whole run back. The very files from before lie in `before/<index>` once they have been replaced, those to come in
 * `after/<index>` until they are in place.
 */
export interface Journal {
  readonly state: 'applying' | 'undoing' | 'done'
  readonly entries: readonly Entry[]
  /** Folders the run made, outermost first. */
  readonly folders: readonly string[]
}

/** Hashes of a file's text; null: there was, or will be, none. */
export interface Entry {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

const name = 'journal.json'

export const hash = (text: string | null) => (text === null ? null : digest('sha256', text))

export const storedPath = (
  target: Target,
  folder: string,
  side: 'before' | 'after',
  index: number,
) => at(target, `${folder}/${side}/${index}`)

export function readJournal(target: Target): Journal | null {
  // A crash in the middle of `installJournal` leaves only that: `tidyJournals` puts it back.
  const isMoved = target.files.kind(at(target, svcPaths.journal)) === null
  const folder = isMoved ? svcPaths.oldJournal : svcPaths.journal
  const text = target.files.read(at(target, `${folder}/${name}`))
  if (text === null) return null
  const journal = parseJournal(text)
  if (journal !== null) return journal
  throw new Refusal(
    `'${svcPaths.journal}' cannot be read, so svc does not know what its last run did. ` +
      'If the project is as you want it, delete that folder.',
  )
}

function parseJournal(text: string): Journal | null {
  try {
    const value: unknown = JSON.parse(text)
    const isJournal = typeof value === 'object' && value !== null && 'entries' in value
    // Written by writeJournal and by nothing else.
    return isJournal ? (value as Journal) : null
  } catch {
    return null
  }
}

/** In one step: there is the old text or the new one, never half of it. */
export function writeJournal(target: Target, folder: string, journal: Journal): void {
  const path = at(target, `${folder}/${name}`)
  target.files.write(`${path}.new`, JSON.stringify(journal))
  target.files.rename(`${path}.new`, path)
}

/** Puts the finished `journal.next` in the place of the journal before it. */
export function installJournal(target: Target): void {
  if (target.files.kind(at(target, svcPaths.journal)) !== null) {
    target.files.rename(at(target, svcPaths.journal), at(target, svcPaths.oldJournal))
  }
  target.files.rename(at(target, svcPaths.nextJournal), at(target, svcPaths.journal))
  target.files.removeTree(at(target, svcPaths.oldJournal))
}

/** Undoes a half-finished `installJournal`, and clears what a crash left of preparing one. */
export function tidyJournals(target: Target): void {
  target.files.removeTree(at(target, svcPaths.nextJournal))
  if (target.files.kind(at(target, svcPaths.oldJournal)) === null) return
  if (target.files.kind(at(target, svcPaths.journal)) === null) {
    target.files.rename(at(target, svcPaths.oldJournal), at(target, svcPaths.journal))
    return
  }
  target.files.removeTree(at(target, svcPaths.oldJournal))
}

/** The first step forgets, the second cleans up: a crash between them leaves nothing to repair. */
export function dropJournal(target: Target): void {
  target.files.remove(at(target, `${svcPaths.journal}/${name}`))
  target.files.removeTree(at(target, svcPaths.journal))
}
