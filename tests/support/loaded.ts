/**
 * Modules of an emitted project, as one script that esbuild makes: loaded by Vite, file by file, a project of sixty files took
 * ten times the CPU. Its runtime is that of the tests, loaded once, where the project's is the same text.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'
import { placedCode } from '../../generator/load/placed-code.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Module = Readonly<Record<string, unknown>>

interface Loaded {
  /** By path: evaluates the module, once. */
  readonly modules: Readonly<Record<string, () => Promise<Module>>>
  /** Paths of the runtime that are imported on the way. */
  runtimeOf(path: string): readonly string[]
}

/** By path: what scripts of projects find in place of the runtime. */
const runtime = new Map<string, Module>()
Object.assign(globalThis, { svcTestRuntime: runtime })

const loaded = new Map<string, Promise<Loaded>>()

/** A module of the project's, or of the runtime as the project has it. */
// Tests look into modules freely; a wrong name is a failing test.
// oxlint-disable-next-line typescript/no-explicit-any
export async function load(folder: string, path: string): Promise<any> {
  if (path.startsWith('runtime/')) return loadRuntime(path)
  let project = await loaded.get(folder)
  if (project?.modules[path] === undefined) {
    const made = script(folder, sources(folder, path))
    loaded.set(folder, made)
    project = await made
  }
  for (const each of project.runtimeOf(path)) runtime.set(each, await loadRuntime(each))
  return project.modules[path]?.()
}

const loadRuntime = (path: string) => import(pathToFileURL(join(root, path)).href)

let scripts = 0

async function script(folder: string, paths: readonly string[]): Promise<Loaded> {
  const names = paths.map((path) => `${JSON.stringify(path)}: () => import('./${path}')`)
  const result = await build({
    stdin: {
      contents: `export const modules = { ${names.join(', ')} }`,
      resolveDir: folder,
      loader: 'ts',
    },
    absWorkingDir: folder,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [sameRuntime(folder), files],
    keepNames: true,
    logLevel: 'silent',
  })
  scripts += 1
  const file = join(folder, `.loaded-${scripts}.mjs`)
  writeFileSync(file, result.outputFiles[0]?.text ?? '')
  const { modules } = await importNatively(pathToFileURL(file).href)
  return { modules, runtimeOf: (path) => runtimeOf(result.metafile, path) }
}

const importNatively: (url: string) => Promise<Pick<Loaded, 'modules'>> = createRequire(
  import.meta.url,
)('./import-natively.cjs')

/** What is loaded together: the server, whose modules hold what it has opened; any other module is a script of its own. */
function sources(folder: string, wanted: string): readonly string[] {
  if (!/^(app|config|routes)\//.test(wanted)) return [wanted]
  return ['app', 'config', 'routes'].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
      .filter(({ name }) => /(?<!\.d)\.ts$/.test(name))
      .map((file) => relative(folder, join(file.parentPath, file.name))),
  )
}

function runtimeOf({ inputs }: Metafile, path: string): readonly string[] {
  const seen = new Set([path])
  for (const each of seen) {
    for (const { path: next } of inputs[each]?.imports ?? []) seen.add(next)
  }
  return [...seen].flatMap((each) => (each.startsWith('svc-runtime:') ? [each.slice(12)] : []))
}

/** The runtime of the tests, in place of the package or of files with the same text. */
const sameRuntime = (folder: string): Plugin => ({
  name: 'same-runtime',
  setup(made) {
    made.onResolve({ filter: /^(#runtime|svckit-runtime)\/.+\.js$/ }, ({ path }) => {
      const file = `runtime${path.slice(path.indexOf('/')).replace(/\.js$/, '.ts')}`
      return isSame(folder, file) ? { path: file, namespace: 'svc-runtime' } : null
    })
    made.onLoad({ filter: /./, namespace: 'svc-runtime' }, ({ path }) => ({
      contents: `module.exports = svcTestRuntime.get(${JSON.stringify(path)})`,
      loader: 'js',
    }))
    // What a project does without unless it is asked for: the client of Prisma.
    made.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const file = join(resolveDir, path)
      const found = [file, file.replace(/\.js$/, '.ts'), `${file}.ts`].some((each) =>
        existsSync(each),
      )
      return found ? null : { path: file, namespace: 'missing' }
    })
    made.onLoad({ filter: /./, namespace: 'missing' }, ({ path }) => ({
      contents: `module.exports = {}; throw new Error(${JSON.stringify(`Cannot find module '${path}'`)})`,
      loader: 'js',
    }))
  },
})

function isSame(folder: string, path: string): boolean {
  const own = join(folder, path)
  if (!existsSync(own)) return true
  const text = readFileSync(own, 'utf8')
  return text.slice(text.indexOf('\n\n') + 2) === readFileSync(join(root, path), 'utf8')
}

const files: Plugin = {
  name: 'files',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/, namespace: 'file' }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      return text.includes('import.meta') ? placedCode(path, text) : null
    }),
}
