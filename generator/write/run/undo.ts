import { Refusal } from '../../blueprint/refusal.js'
import { at, svcPaths, type Target } from '../target.js'
import { hash, readJournal, writeJournal } from './journal.js'
import { repair, takeBack, type Taken } from './take-back.js'

/** Restores the project to what it was before the last run that wrote something. Refuses when files were edited since. */
export function undo(target: Target): Taken {
  const repaired = repair(target)
  if (repaired !== null) return repaired
  const journal = readJournal(target)
  if (journal === null) throw new Refusal('There is no run to undo.')
  const edited = journal.entries.filter(
    ({ path, after }) => hash(target.files.read(at(target, path))) !== after,
  )
  if (edited.length > 0) throw new Refusal(refusal(edited.map(({ path }) => path)))
  writeJournal(target, svcPaths.journal, { ...journal, state: 'undoing' })
  return takeBack(target, { ...journal, state: 'undoing' })
}

const refusal = (paths: readonly string[]) =>
  `These files were changed after the last run, and undo would lose that:\n${paths
    .map((path) => `  ${path}`)
    .join('\n')}\nNothing was undone. Move your changes away, or use version control.`
