import { Worker } from 'node:worker_threads'
import type { Caller } from '../../database/caller.js'
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
  readonly statement: LongStatement
  readonly parameters: readonly Parameter[]
  readonly caller: Caller | undefined
  readonly resolve: (rows: RawRow[]) => void
  readonly reject: (error: unknown) => void
  readonly since: number
}

interface Listeners {
  readonly idle: () => void
  readonly ended: () => void
}

/** One thread with a connection that reads. It keeps the process alive only while it works. */
export class Thread {
  readonly #worker: Worker
  /** What the statement looks at: whether it is to end. */
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
      this.#job?.reject(new UnavailableError(ended, { cause }))
      this.#job = null
      listeners.ended()
    })
  }

  get isIdle(): boolean {
    return this.#job === null
  }

  run(job: Job): void {
    const { statement, parameters, caller } = job
    this.#job = job
    Atomics.store(this.#stop, 0, 0)
    this.#worker.ref()
    const sent: ThreadStatement = { parameters, isLimited: caller !== undefined, ...statement }
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
    const job = this.#job
    this.#job = null
    this.#worker.unref()
    if ('rows' in answer) job?.resolve(answer.rows.map(withBuffers))
    else job?.reject(this.#errorOf(answer))
    this.listeners.idle()
  }

  /** Errors lose their class on the way. */
  #errorOf({ kind, code, message }: Failure): unknown {
    if (kind === 'slow') return new SlowStatementError()
    if (kind === 'large') return responseTooLarge(this.limits.response_bytes)
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
 * The file is beside this one: compiled, or TypeScript where tsx runs the server, which threads do
 * not inherit (https://github.com/privatenumber/tsx/issues/354).
 */
function startWorker(workerData: WorkerData): Worker {
  const isCompiled = import.meta.url.endsWith('.js')
  if (isCompiled) return new Worker(new URL('./worker.js', import.meta.url), { workerData })
  const file = JSON.stringify(new URL('./worker.ts', import.meta.url).href)
  const code = `import('tsx/esm/api').then(({ tsImport }) => tsImport(${file}, ${file}))`
  return new Worker(code, { eval: true, workerData })
}
