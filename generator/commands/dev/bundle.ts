import { readFileSync, renameSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { context, type BuildContext, type BuildOptions, type Plugin } from 'esbuild'
import { readCode } from '../../write/read-code.js'
import { targetAt } from '../../write/target.js'
import { placedCode } from '../placed-code.js'
import { syntaxLines } from './syntax.js'

/** The project's server as one script. */
export interface ServerScript {
  readonly file: string
  /** What it imports of npm's, before anything of its own runs. */
  readonly packages: readonly string[]
}

export interface Bundler {
  /** These files are not what they were. */
  note(changed: readonly string[]): void
  /** Null: it has to be loaded file by file, by a loader that also says what is wrong with it. Lines: it cannot be read. */
  build(): Promise<ServerScript | readonly string[] | null>
  close(): Promise<void>
}

/** Code that names files while it runs: in one script they would not be there, or there twice. */
const namesFiles = /\bimport\(\s*[^'"\s)]|\bnew Worker\(|\bfork\(|\brequire\(/

const isCode = (path: string) => /\.[cm]?[jt]s$/.test(path)

/**
 * A loader that works file by file takes 1.1 of the 1.7 seconds of CPU in which a server of 200 files starts; esbuild,
 * which keeps what did not change, makes one script of them in 0.1.
 */
export function openBundler(root: string, folder: string): Bundler {
  /** Files that speak of their own place, and those that a script cannot hold. */
  const placed = new Set<string>()
  const unfit = new Set<string>()
  let made: BuildContext<ReturnType<typeof optionsOf>> | null = null
  let count = 0
  /** The script of last time, as long as it is what there is: a manifest may change without any code. */
  let last: Kept | null = null

  const read = (path: string, text: string) => {
    const file = resolve(root, path)
    const isPlaced = text.includes('import.meta')
    if (isPlaced !== placed.has(file)) {
      // Its list of files is part of a context.
      void made?.dispose()
      made = null
    }
    mark(placed, file, isPlaced)
    mark(unfit, file, isOwn(path) && namesFiles.test(text))
  }
  let isRead = false
  return {
    note: (changed) => {
      if (changed.some((path) => mayChange(last, path))) last = null
      if (isRead) for (const path of changed.filter(isCode)) read(path, textOf(join(root, path)))
    },
    build: async () => {
      try {
        if (!isRead) for (const [path, text] of readCode(targetAt(root))) read(path, text)
        isRead = true
        if (unfit.size > 0) return null
        if (last !== null) return last.script
        made ??= await context(optionsOf(root, join(folder, 'server.mjs'), placed))
        const { metafile } = await made.rebuild()
        const [output] = Object.values(metafile.outputs)
        count += 1
        const file = join(folder, `server-${count}.mjs`)
        renameSync(join(folder, 'server.mjs'), file)
        // The last one may be on its way to a process.
        rmSync(join(folder, `server-${count - 2}.mjs`), { force: true })
        const imported = (output?.imports ?? []).filter(({ kind }) => kind === 'import-statement')
        const script = { file, packages: [...new Set(imported.map(({ path }) => path))] }
        const inputs = new Set(Object.keys(metafile.inputs))
        // Nobody says when Prisma's client is made.
        const isWatched = ![...inputs].some((path) => path.startsWith('prisma/client/'))
        last = isWatched ? { script, inputs } : null
        return script
      } catch (error) {
        return syntaxLines(error)
      }
    },
    close: async () => made?.dispose(),
  }
}

interface Kept {
  readonly script: ServerScript
  /** What it was made of. */
  readonly inputs: ReadonlySet<string>
}

/** A file of the script, one that may take the place of another, or one that says where imports lead. */
const mayChange = (kept: Kept | null, path: string) =>
  kept?.inputs.has(path) === true ||
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
