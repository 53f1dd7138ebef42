import { Worker } from 'node:worker_threads'
import { withNative } from './compile-native.js'
import { newIn, type Compilation, type Found } from './found-errors.js'
import { answersWithGone } from './silent-keys.js'

export interface Compiled {
  readonly broken: readonly Found[]
  readonly isComplete: boolean
}

/** A message of the worker: the errors of one file, that all are done, or that it failed. */
export type Message = { readonly broken: readonly Found[] } | 'done' | 'failed'

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
 * Lines that compiled before and do not now. The project's own compiler says it, where it is a fast one: of files as they are,
 * and where it finds something, as they were. Whatever happens to a compiler, the run goes on.
 */
export async function compile(
  compilation: Compilation,
  limits = usual,
  signal?: AbortSignal,
): Promise<Compiled> {
  const { root, paths, before, stillBroken } = compilation
  const running = { timeoutMs: limits.timeoutMs, signal }
  const silent = answersWithGone(root, before)
  const said = await withNative(compilation, running, async (native) => {
    const doubtful = paths.filter(({ now }) => native.now.has(now) && !silent(now))
    if (doubtful.length === 0) return []
    const known = await native.before(doubtful.map((path) => path.before))
    if (known === null) return null
    return doubtful.flatMap((path) =>
      newIn(native.now.get(path.now) ?? [], known.get(path.before) ?? [], stillBroken),
    )
  })
  if (signal?.aborted === true) return { broken: [], isComplete: false }
  if (said === null) return compileTwice(compilation, limits, signal)
  const answering = paths.filter(({ now }) => silent(now))
  if (answering.length === 0) return { broken: said, isComplete: true }
  const looked = await compileTwice({ ...compilation, paths: answering }, limits, signal)
  return { ...looked, broken: inOrder([...said, ...looked.broken], paths) }
}

function inOrder(broken: readonly Found[], paths: Compilation['paths']): readonly Found[] {
  const place = new Map(paths.map(({ now }, index) => [now, index]))
  return broken.toSorted((one, other) => (place.get(one.path) ?? 0) - (place.get(other.path) ?? 0))
}

/**
 * As they are and as they were. The compiler runs in a thread of its own, whose time and memory end: reading a program cannot
 * be interrupted from within.
 */
function compileTwice(
  compilation: Compilation,
  limits: Limits,
  signal?: AbortSignal,
): Promise<Compiled> {
  const broken: Found[] = []
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
  const worker = isBuilt ? './compile-worker.js' : '../../../dist/svc/compile-worker.js'
  return new Worker(new URL(worker, import.meta.url), options)
}
