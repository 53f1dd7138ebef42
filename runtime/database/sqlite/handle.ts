import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { SetupError } from '../../setup-error.js'
import type { Durability } from '../types.js'
import { SqliteDriver } from './driver.js'
import { isBusy } from './errors.js'

/** One connection of the driver. */
export type Handle = Database

/** `file:storage/app.sqlite`, `file:/var/app.sqlite?x=1`, a path, `:memory:`, `file::memory:`. */
export function sqliteFile(url: string): string {
  const [path = ''] = url.replace(/^(file|sqlite):/, '').split('?')
  if (path === '' || path === ':memory:') return ':memory:'
  return path.startsWith('//') ? path.slice(2) : path
}

/**
 * For the only connection that writes. Creates the file and its folder. While another process
 * writes, this one is blocked for 20 ms; waiting longer happens asynchronously.
 */
export function openWriter(file: string, durability: Durability): Handle {
  try {
    if (file !== ':memory:') createPrivately(file)
    // Two processes may start on a new file at once, and turning WAL on needs the file to oneself.
    const handle = new SqliteDriver(file, { timeout: 5_000 })
    for (const setting of [...settings, synchronous(durability)]) handle.pragma(setting)
    return handle
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const text = `The SQLite file '${file}' of DATABASE_URL cannot be opened: ${reason}`
    throw new SetupError(text, { cause: error })
  }
}

/** Only this user may read the file; what SQLite writes beside it gets the same mode. */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  closeSync(openSync(file, 'a', 0o600))
}

const settings = [
  'journal_mode = WAL',
  'foreign_keys = ON',
  'recursive_triggers = ON',
  'busy_timeout = 20',
]

/** `NORMAL` leaves it to the system when a commit reaches the disk; the file stays whole. */
export const synchronous = (durability: Durability): string =>
  `synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`

/** Reads beside the writer; cannot write. */
export function openReader(file: string): Handle {
  return new SqliteDriver(file, { readonly: true, timeout: 5_000 })
}

/** Closes the writer after SQLite has counted rows for its query planner. */
export function closeWriter(handle: Handle): void {
  if (!handle.open) return
  try {
    handle.pragma('optimize')
    deleteSmallCounts(handle)
  } catch (error) {
    // Another process is writing; it will count when it stops.
    if (!isBusy(error)) throw error
  } finally {
    handle.close()
  }
}

/**
 * The planner uses these counts until the next ones: a table counted with few rows is read as a
 * whole, also when it has a million by then. A table without a count is expected to have many.
 */
function deleteSmallCounts(handle: Handle): void {
  const counts = handle.prepare(`select 1 from sqlite_schema where name = 'sqlite_stat1'`).get()
  if (counts === undefined) return
  const small =
    'select tbl from sqlite_stat1 group by tbl having max(cast(stat as integer)) < 10000'
  handle.exec(`delete from sqlite_stat1 where tbl in (${small})`)
}
