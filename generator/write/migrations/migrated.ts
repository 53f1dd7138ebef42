import { symlinkOnTheWay } from '../run/symlinks.js'
import { at, svcPaths, type Target } from '../target.js'

/** For `svc dev`, which watches this file: a database that another terminal brought up to date changes no other. */
export function noteMigrated(target: Target): void {
  try {
    if (symlinkOnTheWay(target, svcPaths.folder) !== null) return
    target.files.makeFolder(at(target, svcPaths.folder))
    target.files.write(at(target, svcPaths.migrated), `${new Date().toISOString()}\n`)
  } catch {
    // A full or read-only disk: the database is up to date, and `svc dev` sees it with the next change.
  }
}
