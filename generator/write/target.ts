import { join } from 'node:path'
import { disk, type Files } from './files.js'

/** The project being written. */
export interface Target {
  /** Absolute path of the project. */
  readonly root: string
  readonly files: Files
  /** The time that a run waits for another one that writes the project; default: `lockWaitMs`. */
  readonly waitMs?: number
}

export const targetAt = (root: string): Target => ({ root, files: disk })

/** Names of svc's own in a project, relative to it. `base` and the lock are committed, the others are not. */
export const svcPaths = {
  folder: '.svc',
  base: '.svc/base.txt',
  ignore: '.svc/.gitignore',
  tidied: '.svc/tidied.json',
  migrated: '.svc/migrated',
  broken: '.svc/broken.json',
  lock: 'svc.lock.json',
  run: '.svc/run.lock',
  journal: '.svc/journal',
  nextJournal: '.svc/journal.next',
  oldJournal: '.svc/journal.old',
} as const

/** The path of svc's text, beside a file in conflict. */
export const besides = (path: string) => `${path}.svc-new`

/**
 * The path of the replaced text of a run that was taken back, beside a file that was edited since.
 */
export const old = (path: string) => `${path}.svc-old`

export const at = (target: Target, path: string) => join(target.root, path)
