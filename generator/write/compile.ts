import { Worker } from 'node:worker_threads'

/** A line of the developer's that does not compile. */
export interface Broken {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Files to be compiled twice: as the project is, and as it was. */
export interface Compilation {
  readonly root: string
  readonly paths: readonly { readonly now: string; readonly before: string }[]
  /** What other texts the project had; null: no such file. */
  readonly before: readonly (readonly [path: string, text: string | null])[]
  /** Other work on this machine goes first. */
  readonly isPatient?: boolean
}

export interface Compiled {
  readonly broken: readonly Broken[]
  readonly isComplete: boolean
}

/** What the worker says: what one file lost, that all are done, or that it failed. */
export type Message = { readonly broken: readonly Broken[] } | 'done' | 'failed'

export interface Limits {
  readonly timeoutMs: number
  /** Processor time, of all this process does meanwhile. */
  readonly cpuMs?: number
  /** A compiler that wants more JavaScript memory is stopped. */
  readonly memoryMb: number
}

/** A project that takes longer has its own `npm run typecheck`. On a busy machine, the same work takes several times as long. */
const usual: Limits = { timeoutMs: 120_000, cpuMs: 20_000, memoryMb: 320 }

const betweenLooksMs = 250

/**
 * Lines that compiled before and do not now. The compiler runs in a thread of its own, whose time and memory end: reading
 * a program cannot be interrupted from within. Whatever happens to it, the run goes on.
 */
export function compile(
  compilation: Compilation,
  limits = usual,
  signal?: AbortSignal,
): Promise<Compiled> {
  const broken: Broken[] = []
  return new Promise((resolve) => {
    const worker = startWorker(compilation, limits.memoryMb)
    const end = (isComplete: boolean) => {
      clearTimeout(timer)
      clearInterval(looking)
      void worker.terminate()
      resolve({ broken, isComplete })
    }
    const timer = setTimeout(() => end(false), limits.timeoutMs)
    const started = process.cpuUsage()
    const looking = setInterval(() => {
      const { user, system } = process.cpuUsage(started)
      if ((user + system) / 1_000 > (limits.cpuMs ?? Infinity)) end(false)
    }, betweenLooksMs)
    signal?.addEventListener('abort', () => end(false), { once: true })
    worker.on('message', (message: Message) => {
      if (typeof message === 'string') end(message === 'done')
      else broken.push(...message.broken)
    })
    worker.on('error', () => end(false))
    worker.on('exit', () => end(false))
  })
}

function startWorker(workerData: Compilation, memory: number): Worker {
  const options = {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memory },
    stdout: true,
    stderr: true,
  }
  // A thread runs JavaScript, so svc from its sources, as in its tests, starts the built one.
  const isBuilt = import.meta.url.endsWith('.js')
  const worker = isBuilt ? './compile-worker.js' : '../../dist/svc/compile-worker.js'
  return new Worker(new URL(worker, import.meta.url), options)
}
