import { ConstraintError } from '../types.js'
import { UnavailableError } from '../unavailable.js'
import { SqliteDriver } from './driver.js'

type Kind = ConstraintError['kind']

const kinds: Readonly<Record<string, Kind>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign',
  SQLITE_CONSTRAINT_TRIGGER: 'value',
  SQLITE_CONSTRAINT_NOTNULL: 'notNull',
  SQLITE_CONSTRAINT_CHECK: 'value',
  SQLITE_CONSTRAINT_DATATYPE: 'value',
  SQLITE_MISMATCH: 'value',
  SQLITE_TOOBIG: 'value',
}

/** A disk that is full, fails or became read-only. */
const unwritable = /^SQLITE_(FULL|IOERR|READONLY)/

/**
 * An error that values of a request can cause becomes a ConstraintError, one that the disk causes
 * an UnavailableError; others stay as they are.
 */
export function mapSqliteError(error: unknown): unknown {
  if (!(error instanceof SqliteDriver.SqliteError)) return error
  if (unwritable.test(error.code)) {
    const text = `The SQLite file cannot be written now: ${error.message}.`
    return new UnavailableError(text, { cause: error })
  }
  // ON DELETE RESTRICT is a trigger inside SQLite, and svc's own say the same.
  const isForeign = error.message.startsWith('FOREIGN KEY ')
  const kind = isForeign ? 'foreign' : kinds[error.code]
  if (kind === undefined) return error
  const check = /^CHECK constraint failed: ([^]*)/.exec(error.message)?.[1]
  return new ConstraintError(kind, columnsOf(error.message), { cause: error, check })
}

export function isBusy(error: unknown): boolean {
  return error instanceof SqliteDriver.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

/**
 * `UNIQUE constraint failed: users.email, users.tenant_id` names columns; an index on an
 * expression names itself: ours are called `<table>_<column>_any_case`.
 */
function columnsOf(message: string): string[] {
  const list = message.split('constraint failed: ')[1]
  const anyCase = /^index '\w+_([a-z0-9]+)_any_case'/.exec(list ?? '')?.[1]
  if (anyCase !== undefined) return [anyCase]
  if (list === undefined || list.startsWith('index ')) return []
  const table = /^(.*?\.)[^.]*(?:, \1[^.]*)*$/.exec(list)?.[1] ?? ''
  return list.slice(table.length).split(`, ${table}`)
}
