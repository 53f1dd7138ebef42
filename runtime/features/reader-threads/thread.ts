import { Worker } from 'node:worker_threads'
import type { Caller } from '../../database/caller.js'
import { NoRoomError, type Reading } from '../../database/memory.js'
import { SqliteDriver } from '../../database/sqlite/driver.js'
import { mapSqliteError } from '../../database/sqlite/errors.js'
import { SlowStatementError, type StatementLimits } from '../../database/statement-limits.js'
import type { Parameter, RawRow } from '../../database/types.js'
import { UnavailableError } from '../../database/unavailable.js'
import { responseTooLarge } from '../../errors.js'
import type { LongStatement } from './long-statements.js'
import type { Answer, Failure, ThreadStatement, WorkerData } from './worker.js'

/** A statement that runs or waits. */
export interface Job {
  readonly who: string
  readonly statement: LongStatement
  readonly parameters: readonly Parameter[]
  readonly caller: Caller | undefined
  /** Its part of the memory for answers; null: it is not counted. */
  readonly reading: Reading | null
  readonly since: number
  hasLeft(): boolean
  resolve(rows: RawRow[]): void
  reject(error: unknown): void
}

interface Listeners {
  readonly over: (job: Job) => void
  readonly idle: () => void
  readonly ended: () => void
}

/** One thread with a connection that reads. It keeps the process alive only while it works. */
export class Thread {
  readonly #worker: Worker
  /** The statement reads this flag: 1 ends it. */
  readonly #stop = new Int32Array(new SharedArrayBuffer(4))
  #job: Job | null = null

  constructor(
    file: string,
    readonly limits: StatementLimits,
    readonly listeners: Listeners,
  ) {
    const workerData: WorkerData = { file, limits, stop: this.#stop }
    this.#worker = startWorker(workerData)
    this.#worker.unref()
    let cause: unknown
    this.#worker.on('message', (answer: Answer) => this.#settle(answer))
    this.#worker.on('error', (error) => (cause = error))
    this.#worker.on('exit', () => {
      this.#takeJob()?.reject(new UnavailableError(ended, { cause }))
      listeners.ended()
    })
  }

  get isIdle(): boolean {
    return this.#job === null
  }

  run(job: Job): void {
    const { statement, parameters, caller, reading } = job
    this.#job = job
    Atomics.store(this.#stop, 0, 0)
    this.#worker.ref()
    const isLimited = caller !== undefined
    const room = reading?.reserve() ?? Infinity
    const sent: ThreadStatement = { parameters, isLimited, room, ...statement }
    this.#worker.postMessage(sent)
  }

  stopIfLeft(): void {
    if (this.#job?.caller?.hasLeft() === true) Atomics.store(this.#stop, 0, 1)
  }

  /** The statement ends first: a thread in the middle of one cannot be ended. */
  async end(): Promise<void> {
    Atomics.store(this.#stop, 0, 1)
    await this.#worker.terminate()
  }

  #settle(answer: Answer): void {
    const job = this.#takeJob()
    this.#worker.unref()
    if ('rows' in answer) {
      job?.reading?.take(answer.text)
      job?.resolve(answer.rows.map(withBuffers))
    } else job?.reject(this.#errorOf(answer))
    this.listeners.idle()
  }

  #takeJob(): Job | null {
    const job = this.#job
    this.#job = null
    if (job !== null) this.listeners.over(job)
    return job
  }

  /** Errors lose their class on the way. */
  #errorOf({ kind, code, message }: Failure): unknown {
    if (kind === 'slow') return new SlowStatementError()
    if (kind === 'large') return responseTooLarge(this.limits.response_bytes)
    if (kind === 'no room') return new NoRoomError()
    if (kind === 'stopped') return new UnavailableError(message)
    if (code === '') return new Error(message)
    return mapSqliteError(new SqliteDriver.SqliteError(message, code))
  }
}

/** Bytes lose their class on the way, too. */
function withBuffers(row: RawRow): RawRow {
  const hasBytes = row.some((value) => value instanceof Uint8Array)
  return hasBytes
    ? row.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value))
    : row
}

const ended = 'The thread that ran a statement has ended.'

/**
 * A thread runs a file: it would end of how a process was given its own code, so then it gets no
 * flags. Else it has those of the process: Node takes them as they are only where none are named, and
 * throws for a named one that is V8's, such as `--max-old-space-size`.
 */
const flags = process.execArgv.some((each) => each.startsWith('--input-type'))
  ? { execArgv: [] }
  : {}

/**
 * The file is beside this one: compiled, or TypeScript where tsx runs the server, which threads do
 * not inherit (https://github.com/privatenumber/tsx/issues/354).
 */
function startWorker(workerData: WorkerData): Worker {
  const isCompiled = import.meta.url.endsWith('.js')
  if (isCompiled)
    return new Worker(new URL('./worker.js', import.meta.url), { workerData, ...flags })
  const file = JSON.stringify(new URL('./worker.ts', import.meta.url).href)
  const code = `import('tsx/esm/api').then(({ tsImport }) => tsImport(${file}, ${file}))`
  return new Worker(code, { eval: true, workerData, ...flags })
}
