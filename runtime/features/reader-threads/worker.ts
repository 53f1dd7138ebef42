import { getPriority, platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { Caller } from '../../database/caller.js'
import { charactersOf } from '../../database/memory.js'
import { SqliteConnection } from '../../database/sqlite/connection.js'
import { SqliteDriver } from '../../database/sqlite/driver.js'
import { openReader } from '../../database/sqlite/handle.js'
import {
  mostText,
  SlowStatementError,
  type StatementLimits,
} from '../../database/statement-limits.js'
import type { Parameter, RawRow } from '../../database/types.js'
import { HttpError } from '../../errors.js'
import { goOn } from './endable.js'

/** The data that a thread is started with. */
export interface WorkerData {
  readonly file: string
  readonly limits: StatementLimits
  /** One number: 1 when the statement is to end. */
  readonly stop: Int32Array
}

/** A statement that the server's thread sends. */
export interface ThreadStatement {
  readonly sql: string
  /** The statement in a form that asks at times whether to go on (`endable.ts`). */
  readonly endable: string
  readonly parameters: readonly Parameter[]
  /** True if a request sends it: then the limits of config/svc.ts hold. */
  readonly isLimited: boolean
  /** Characters that there is room for; limits of the config may be lower. */
  readonly room: number
}

/** Rows, and how many characters were counted of them. */
export type Answer = { readonly rows: RawRow[]; readonly text: number } | Failure

export interface Failure {
  readonly kind: 'slow' | 'large' | 'no room' | 'stopped' | 'other'
  /** SQLite's code for it; empty where the error is not SQLite's. */
  readonly code: string
  readonly message: string
}

class StoppedError extends Error {}

const { file, limits, stop } = workerData as WorkerData // from thread.ts
const connection = new SqliteConnection(openReader(file), limits)
const texts = new LRUCache<string, string>({ max: 500 })
const caller = new Caller()
let end = Infinity

stepBack()

connection.handle.function(goOn, () => {
  if (Atomics.load(stop, 0) === 1) throw new StoppedError('Nobody waits for this any more.')
  if (performance.now() > end) throw new SlowStatementError()
  return 1
})

parentPort?.on('message', (sent: ThreadStatement) => parentPort?.postMessage(answer(sent)))

/**
 * The server's own thread goes first where cores are few: with four clients searching on two cores,
 * the slowest hundredth of requests for a record took 20 ms, and 11 like this. Only Linux gives
 * each thread a priority of its own.
 */
function stepBack(): void {
  if (platform() !== 'linux') return
  try {
    setPriority(Math.min(19, getPriority() + 10))
  } catch {
    // A sandbox may forbid it.
  }
}

function answer(sent: ThreadStatement): Answer {
  const { isLimited, parameters, room } = sent
  const isTimed = isLimited && limits.statement_ms > 0
  end = isTimed ? performance.now() + limits.statement_ms : Infinity
  try {
    const statement = { sql: textOf(sent), access: 'read' } as const
    const rows = connection.answer(statement, parameters, isLimited ? caller : undefined, room)
    return { rows, text: charactersOf(rows) }
  } catch (error) {
    return failureOf(error, room)
  }
}

/** The text that can be ended, unless its columns are others: code of your own sends any SQL. */
function textOf({ sql, endable }: ThreadStatement): string {
  const known = texts.get(sql)
  if (known !== undefined) return known
  const columns = columnsOf(endable)
  const text = columns !== null && columns === columnsOf(sql) ? endable : sql
  texts.set(sql, text)
  return text
}

function columnsOf(sql: string): string | null {
  try {
    const columns = connection.prepare(sql).columns()
    return columns.map(({ name }) => name).join('\n')
  } catch {
    return null
  }
}

function failureOf(thrown: unknown, room: number): Failure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  // The connection wraps SQLite's own error, which is then its `cause`.
  const sqlite = [error, error.cause].find((each) => each instanceof SqliteDriver.SqliteError)
  const { code, message } = sqlite ?? { code: '', message: error.message }
  if (error instanceof SlowStatementError) return { kind: 'slow', code, message }
  if (error instanceof StoppedError) return { kind: 'stopped', code, message }
  if (!(error instanceof HttpError)) return { kind: 'other', code, message }
  return { kind: room < mostText(limits.response_bytes) ? 'no room' : 'large', code, message }
}
