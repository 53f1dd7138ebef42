import { statSync } from 'node:fs'
import { join } from 'node:path'
import { watch, type FSWatcher } from 'chokidar'
import { Refusal } from '../../blueprint/refusal.js'
import { at, svcPaths, targetAt, type Target } from '../../write/target.js'

/** The work that a change needs. */
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
  const watcher = new Watcher(root, watching)
  await watcher.ready()
  return watcher
}

class Watcher {
  readonly #root: string
  readonly #target: Target
  readonly #watching: Watching
  readonly #files: FSWatcher
  readonly #pending = new Set<string>()
  readonly #written = new Map<string, string | null>()
  /** Hashes of the files when they last caused a run. */
  readonly #begun = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | null = null
  #isClosed = false

  constructor(root: string, watching: Watching) {
    this.#root = root
    this.#target = targetAt(root)
    this.#watching = watching
    const ignored = (path: string) => unwatched.test(path)
    this.#files = watch(watched, { cwd: root, ignored, ignoreInitial: true })
    this.#files.on('all', (_event, path) => this.#notice(path))
    this.#files.on('error', (error) => watching.report(unwatchable(error)))
  }

  /** Resolves when every file is watched, and what comes before all others is done. */
  async ready(): Promise<void> {
    const first = this.#watching.first?.().then((paths) => this.#noteWritten(paths))
    this.#running = first?.catch(() => {}) ?? null
    const isReady = new Promise<void>((resolve) => this.#files.once('ready', () => resolve()))
    await Promise.all([first, isReady]).catch(async (error: unknown) => {
      await this.#files.close()
      throw error
    })
    if (first !== undefined) this.#running = null
    if (this.#pending.size > 0) void this.#start()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#files.close()
    await this.#running
  }

  #notice(path: string): void {
    if (this.#isClosed) return
    this.#pending.add(path.replaceAll('\\', '/'))
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#start(), settling)
  }

  async #start(): Promise<void> {
    if (this.#running !== null) return
    this.#running = this.#flush().catch(this.#watching.report)
    await this.#running
    this.#running = null
    if (this.#pending.size > 0 && !this.#isClosed) await this.#start()
  }

  async #flush(): Promise<void> {
    const changed = [...this.#pending]
    this.#pending.clear()
    const paths = changed.filter((path) => !this.#isOwn(path) && this.#isNew(path))
    if (paths.length === 0) return
    this.#noteWritten(await this.#watching.renew(changedBy(paths)))
  }

  #noteWritten(paths: readonly string[]): void {
    for (const path of paths) this.#written.set(path, this.#textOf(path))
  }

  #isOwn(path: string): boolean {
    return this.#written.has(path) && this.#written.get(path) === this.#textOf(path)
  }

  /** One save may be told of twice, and a while later on a busy machine; saving again what is there is another one. */
  #isNew(path: string): boolean {
    const time = statSync(join(this.#root, path), { throwIfNoEntry: false })?.mtimeMs
    const now = `${time} ${this.#textOf(path)}`
    if (this.#begun.get(path) === now) return false
    this.#begun.set(path, now)
    return true
  }

  #textOf(path: string): string | null {
    const file = at(this.#target, path)
    return this.#target.files.kind(file) === 'file' ? this.#target.files.read(file) : null
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
