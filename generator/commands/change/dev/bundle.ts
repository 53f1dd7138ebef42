import { readFileSync, renameSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { context, type BuildContext, type BuildOptions, type Plugin } from 'esbuild'
import { placedCode } from '../../../load/placed-code.js'
import { readCode } from '../../../write/project/read-code.js'
import { targetAt } from '../../../write/target.js'
import { syntaxLines } from './syntax.js'

/** The project's server as one script. */
export interface ServerScript {
  readonly file: string
  /** Packages of npm that it imports, before anything of its own runs. */
  readonly packages: readonly string[]
}

/** Code that names files while it runs: in one script they would not be there, or there twice. */
const namesFiles = /\bimport\(\s*[^'"\s)]|\bnew Worker\(|\bfork\(|\brequire\(/

const isCode = (path: string) => /\.[cm]?[jt]s$/.test(path)

/**
 * A loader that works file by file takes 1.1 of the 1.7 seconds of CPU in which a server of 200 files starts; esbuild,
 * which keeps what did not change, makes one script of them in 0.1.
 */
export class Bundler {
  readonly #root: string
  readonly #folder: string
  /** Files that speak of their own place, and those that a script cannot hold. */
  readonly #placed = new Set<string>()
  readonly #unfit = new Set<string>()
  #isRead = false
  #context: BuildContext<ReturnType<typeof optionsOf>> | null = null
  #count = 0
  /** The script of last time, as long as it is what there is: a manifest may change without any code. */
  #last: Built | null = null

  constructor(root: string, folder: string) {
    this.#root = root
    this.#folder = folder
  }

  /** These files are not what they were. */
  note(changed: readonly string[]): void {
    if (changed.some((path) => mayChange(this.#last, path))) this.#last = null
    if (!this.#isRead) return
    for (const path of changed.filter(isCode)) this.#read(path, textOf(join(this.#root, path)))
  }

  /** Null: it has to be loaded file by file, by a loader that also says what is wrong with it. Lines: it cannot be read. */
  async build(): Promise<ServerScript | readonly string[] | null> {
    try {
      this.#readAll()
      if (this.#unfit.size > 0) return null
      if (this.#last !== null) return this.#last.script
      const built = await this.#rebuild()
      // Nobody says when Prisma's client is made.
      const isWatched = ![...built.inputs].some((path) => path.startsWith('prisma/client/'))
      this.#last = isWatched ? built : null
      return built.script
    } catch (error) {
      return syntaxLines(error)
    }
  }

  async close(): Promise<void> {
    await this.#context?.dispose()
  }

  #readAll(): void {
    if (this.#isRead) return
    for (const [path, text] of readCode(targetAt(this.#root))) this.#read(path, text)
    this.#isRead = true
  }

  #read(path: string, text: string): void {
    const file = resolve(this.#root, path)
    const isPlaced = text.includes('import.meta')
    if (isPlaced !== this.#placed.has(file)) {
      // Its list of files is part of a context.
      void this.#context?.dispose()
      this.#context = null
    }
    mark(this.#placed, file, isPlaced)
    mark(this.#unfit, file, isOwn(path) && namesFiles.test(text))
  }

  async #rebuild(): Promise<Built> {
    const written = join(this.#folder, 'server.mjs')
    this.#context ??= await context(optionsOf(this.#root, written, this.#placed))
    const { metafile } = await this.#context.rebuild()
    this.#count += 1
    const file = join(this.#folder, `server-${this.#count}.mjs`)
    renameSync(written, file)
    // The last one may be on its way to a process.
    rmSync(join(this.#folder, `server-${this.#count - 2}.mjs`), { force: true })
    const [output] = Object.values(metafile.outputs)
    const imported = (output?.imports ?? []).filter(({ kind }) => kind === 'import-statement')
    const packages = [...new Set(imported.map(({ path }) => path))]
    return { script: { file, packages }, inputs: new Set(Object.keys(metafile.inputs)) }
  }
}

interface Built {
  readonly script: ServerScript
  /** The files that it was made of. */
  readonly inputs: ReadonlySet<string>
}

/** A file of the script, one that may take the place of another, or one that says where imports lead. */
const mayChange = (last: Built | null, path: string) =>
  last?.inputs.has(path) === true ||
  (isCode(path) && !/^(manifest|tests|prisma|scripts)\//.test(path)) ||
  /^(package|tsconfig)\.json$/.test(path)

/** Scripts beside the folders are not of the server. */
const isOwn = (path: string) =>
  path.includes('/') && !/^(runtime|tests|prisma|scripts)\//.test(path)

function mark(set: Set<string>, file: string, isIn: boolean): void {
  if (isIn) set.add(file)
  else set.delete(file)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const optionsOf = (root: string, outfile: string, placed: ReadonlySet<string>) =>
  ({
    entryPoints: ['app/server.ts'],
    absWorkingDir: root,
    outfile,
    bundle: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    keepNames: true,
    // Every file runs that is imported, as it does elsewhere.
    treeShaking: false,
    ignoreAnnotations: true,
    sourcemap: 'inline',
    sourcesContent: false,
    plugins: placed.size === 0 ? [] : [places(placed)],
    logLevel: 'silent',
  }) satisfies BuildOptions

const places = (placed: ReadonlySet<string>): Plugin => ({
  name: 'places',
  setup: ({ onLoad }) =>
    onLoad({ filter: anyOf(placed) }, async ({ path }) =>
      placedCode(path, await readFile(path, 'utf8')),
    ),
})

const anyOf = (files: ReadonlySet<string>) =>
  new RegExp(
    `^(?:${[...files].map((file) => file.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})$`,
  )
