import pg from 'pg'
import { SlowStatementError } from '../statement-limits.js'
import { ConstraintError } from '../types.js'
import { UnavailableError } from '../unavailable.js'

type Kind = ConstraintError['kind']

/** SQLSTATE codes that a request can cause. */
const kinds: Readonly<Record<string, Kind>> = {
  '23505': 'unique',
  '23503': 'foreign',
  '23001': 'foreign',
  '23502': 'notNull',
  '23514': 'value',
  '22P02': 'value', // text that is no number, no uuid
  '22P05': 'value', // characters the encoding lacks
  '22021': 'value', // NUL and broken UTF-8
  '22001': 'value', // too long
  '22003': 'value', // out of range
  '22007': 'value', // no date
  '22008': 'value', // a date out of range
  P0001: 'value', // RAISE EXCEPTION, in a trigger of somebody's own
}

/** A transaction was ended for what may not happen again (a deadlock); nothing was written. */
export class RepeatableError extends UnavailableError {
  override name = 'RepeatableError'
}

/** Deadlocks and serialization failures; prepared statements that a pooler gave to others. */
const repeatable = /^(40P01|40001|26000|42P05)$/

/**
 * The server stops, starts or has no connection or disk left, and a timeout of its own: 08, 53 and
 * 57. Or it only reads: a primary until a moment ago.
 */
const unavailable = /^(08|53|57|25006$)/

/** node-pg's messages, without a code, when a connection ends below a statement. */
const connectionEnded = /^(Connection terminated|Client has encountered a connection error)/

/**
 * An error that values of a request can cause becomes a ConstraintError, one that passes by itself
 * an UnavailableError; others stay as they are.
 */
export function mapPostgresError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return isConnectionError(error) ? ended(error) : error
  if (repeatable.test(error.code ?? '') || isStale(error)) {
    return new RepeatableError(undefined, { cause: error })
  }
  if (error.code === '57014') return new SlowStatementError({ cause: error })
  if (unavailable.test(error.code ?? '')) return ended(error)
  const kind = kinds[error.code ?? '']
  if (kind === undefined) return error
  const check = error.code === '23514' ? error.constraint : undefined
  return new ConstraintError(kind, columnsOf(error), { cause: error, check })
}

const ended = (cause: unknown) => new UnavailableError(undefined, { cause })

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return /^(ECONN|EPIPE|ETIMEDOUT)/.test(code) || connectionEnded.test(error.message)
}

/** The connection leads to a server that only reads; a new one may lead to its successor. */
export const isReadOnly = (error: unknown): boolean =>
  error instanceof UnavailableError &&
  error.cause instanceof pg.DatabaseError &&
  error.cause.code === '25006'

/**
 * The statement is unknown where it was prepared, or known where it was not: a pooler (PgBouncer in
 * transaction mode) gives each transaction another connection.
 */
export const isFromPooler = (error: unknown): boolean =>
  error instanceof RepeatableError &&
  error.cause instanceof pg.DatabaseError &&
  /^(26000|42P05)$/.test(error.cause.code ?? '')

/** Another connection changed a table's columns; the statement must be prepared anew. */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof RepeatableError &&
  error.cause instanceof pg.DatabaseError &&
  isStale(error.cause)

const isStale = ({ code, routine }: pg.DatabaseError): boolean =>
  code === '0A000' && routine === 'RevalidateCachedQuery'

/**
 * `Key (tenant_id, email)=(1, a@b.c) already exists.`, in whatever language the server speaks; an
 * index in any case says `Key (lower(email COLLATE "C"))=(a@b.c)`.
 */
function columnsOf(error: pg.DatabaseError): string[] {
  if (error.column !== undefined) return [error.column]
  const anyCase = /\(lower\("?(\w+)[^()]*\)\)=\(/.exec(error.detail ?? '')?.[1]
  if (anyCase !== undefined) return [anyCase]
  const list = /\(((?:"[^"]+"|[^"()])+)\)=\(/.exec(error.detail ?? '')?.[1] ?? ''
  return (list.match(/"[^"]+"|[^", ]+/g) ?? []).map((name) => name.replaceAll('"', ''))
}
