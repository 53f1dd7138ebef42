import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database, Statement as Prepared } from 'better-sqlite3'
import { SetupError } from '../../setup-error.js'
import { BoundedCache } from './bounded-cache.js'
import { SqliteDriver } from './driver.js'
import type { Parameter, RawRow, Statement } from '../types.js'

export type Handle = Database

/** Statements kept prepared per connection; callers choose shapes, so there is a bound. */
const preparedLimit = 500

/**
 * Milliseconds the process is blocked while another process writes; waiting longer happens
 * asynchronously.
 */
const blockingTimeout = 20

/**
 * `file:storage/app.sqlite`, `file:/var/app.sqlite?x=1`, a bare path, `:memory:` or
 * `file::memory:`.
 */
export function sqliteFile(url: string): string {
  const [path = ''] = url.replace(/^(file|sqlite):/, '').split('?')
  if (path === '' || path === ':memory:') return ':memory:'
  return path.startsWith('//') ? path.slice(2) : path
}

/** The only connection that writes. Creates the file and its folder. */
export function openWriter(file: string): Handle {
  const handle = openFile(file)
  handle.pragma('synchronous = NORMAL')
  handle.pragma('foreign_keys = ON')
  handle.pragma(`busy_timeout = ${blockingTimeout}`)
  return handle
}

function openFile(file: string): Handle {
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
    // Two processes may start on a new file at once, and turning WAL on needs the file to oneself.
    const handle = new SqliteDriver(file, { timeout: 5_000 })
    handle.pragma('journal_mode = WAL')
    return handle
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SetupError(`The SQLite file '${file}' of DATABASE_URL cannot be opened: ${reason}`, {
      cause: error,
    })
  }
}

/** Reads beside the writer; cannot write. */
export function openReader(file: string): Handle {
  return new SqliteDriver(file, { readonly: true, timeout: 5_000 })
}

/** Runs statements on one connection and keeps them prepared. */
export function createRunner(handle: Handle) {
  const prepared = new BoundedCache<string, Prepared>(preparedLimit)

  function prepare(statement: Statement): Prepared {
    const known = prepared.get(statement.sql)
    if (known !== undefined) return known
    const fresh = handle.prepare(statement.sql)
    if (fresh.reader) fresh.raw(true)
    prepared.set(statement.sql, fresh)
    return fresh
  }

  return function run(statement: Statement, parameters: readonly Parameter[]): RawRow[] {
    const query = prepare(statement)
    if (!query.reader) {
      query.run(parameters)
      return []
    }
    // `.raw()` gives every row as an array, which the driver's types do not say.
    return query.all(parameters) as RawRow[]
  }
}
