import { statSync } from 'node:fs'
import { join } from 'node:path'
import { watch } from 'chokidar'
import { Refusal } from '../plan/refusal.js'
import { at, svcPaths, targetAt, type Target } from '../write/target.js'

/** What has to be done again. */
export interface Changed {
  readonly isManifest: boolean
  readonly isSchema: boolean
  readonly paths: readonly string[]
}

export interface Watching {
  /** Answers the paths that it wrote itself. */
  readonly renew: (changed: Changed) => Promise<readonly string[]>
  /** Before all others; what is saved while it runs is no less a change. What it throws ends the watching. */
  readonly first?: () => Promise<readonly string[]>
  /** Called when that fails, whatever it is; the next change tries again. */
  readonly report: (error: unknown) => void
}

export interface Watcher {
  close(): Promise<void>
}

const watched = [
  'manifest',
  'config',
  'app',
  'routes',
  'runtime',
  'prisma',
  '.env',
  svcPaths.migrated,
]
const unwatched = /(^|\/)(node_modules|prisma\/client|\.git)(\/|$)|\.svc-(new|tmp)$/
const fromManifest = /^(manifest|config)\//
const fromSchema = /^prisma\/(schema|migrations)\//

/** Editors save in several steps; changes this close together are one. Milliseconds. */
const settling = 60

/**
 * Calls `renew` after each burst of changes, one call at a time. The paths that a call says it wrote itself are no
 * changes, as long as they hold what it wrote. No failure ends it: what was started goes on, and somebody has to stop it.
 */
export async function watchProject(root: string, watching: Watching): Promise<Watcher> {
  const { renew, report, first } = watching
  const target = targetAt(root)
  const pending = new Set<string>()
  const written = new Map<string, string | null>()
  /** What files were when they were last a reason to begin. */
  const begun = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isClosed = false

  async function flush(): Promise<void> {
    const changed = [...pending]
    pending.clear()
    const paths = changed.filter((path) => !isOwn(target, path, written) && isNew(path))
    if (paths.length === 0) return
    note(await renew(changedBy(paths)))
  }

  /** One save may be told of twice, and a while later on a busy machine; saving again what is there is another one. */
  function isNew(path: string): boolean {
    const now = `${statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs} ${read(target, path)}`
    if (begun.get(path) === now) return false
    begun.set(path, now)
    return true
  }

  function note(paths: readonly string[]): void {
    for (const path of paths) written.set(path, read(target, path))
  }

  function notice(path: string): void {
    if (isClosed) return
    pending.add(path.replaceAll('\\', '/'))
    clearTimeout(timer)
    timer = setTimeout(() => void start(), settling)
  }

  async function start(): Promise<void> {
    if (running !== null) return
    running = flush().catch(report)
    await running
    running = null
    if (pending.size > 0 && !isClosed) await start()
  }

  const starting = first?.().then(note)
  running = starting?.catch(() => {}) ?? null
  const watcher = watch(watched, {
    cwd: root,
    ignored: (path) => unwatched.test(path),
    ignoreInitial: true,
  })
  watcher.on('all', (_event, path) => notice(path))
  watcher.on('error', (error) => report(unwatchable(error)))
  const ready = new Promise<void>((resolve) => watcher.once('ready', () => resolve()))
  await Promise.all([starting, ready]).catch(async (error: unknown) => {
    await watcher.close()
    throw error
  })
  if (starting !== undefined) running = null
  if (pending.size > 0) void start()
  return {
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await watcher.close()
      await running
    },
  }
}

/** The system watches so many files and no more, for one. */
const unwatchable = (error: unknown) =>
  new Refusal(
    `Some files are not watched: ${error instanceof Error ? error.message : String(error)}`,
  )

const changedBy = (paths: readonly string[]): Changed => ({
  isManifest: paths.some((path) => fromManifest.test(path) || path.startsWith('prisma/schema/')),
  isSchema: paths.some((path) => fromSchema.test(path) || path === svcPaths.migrated),
  paths,
})

function isOwn(target: Target, path: string, written: Map<string, string | null>): boolean {
  return written.has(path) && written.get(path) === read(target, path)
}

function read(target: Target, path: string): string | null {
  return target.files.kind(at(target, path)) === 'file' ? target.files.read(at(target, path)) : null
}
