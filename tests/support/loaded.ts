/**
 * Modules of an emitted project, as one script that esbuild makes: loaded by Vite, file by file, a project of sixty files took
 * three times the CPU. Its runtime is that of the tests, loaded once, where the project's is the same text.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { placedCode } from '../../generator/load/placed-code.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Module = Readonly<Record<string, unknown>>

/** Of a folder, by path: evaluates the module, once. */
type Modules = Record<string, () => Promise<Module>>

interface Loaded {
  readonly modules: Modules
  /** What the parts of its scripts import, by path. */
  readonly imports: Map<string, readonly string[]>
}

/** By path: what scripts find in place of the runtime and of what was loaded before them. */
const shared = new Map<string, Module>()
Object.assign(globalThis, { svcTestModules: shared })

const loaded = new Map<string, Promise<Loaded>>()

/** A module of the project's, or of the runtime as the project has it. */
// Tests look into modules freely; a wrong name is a failing test.
// oxlint-disable-next-line typescript/no-explicit-any
export async function load(folder: string, path: string): Promise<any> {
  if (path.startsWith('runtime/')) return loadRuntime(path)
  const key = `${isOfServer(path)} ${folder}`
  const made = loaded.get(key) ?? script(folder, sources(folder, path), null)
  loaded.set(key, made)
  const project = await made
  // A file that came later is a script of its own, which shares what is loaded.
  if (project.modules[path] === undefined || isMadeSince(project, path)) {
    const { modules, imports } = await script(folder, [path], project)
    Object.assign(project.modules, modules)
    for (const [from, to] of imports) project.imports.set(from, to)
  }
  for (const each of reached(project, path)) {
    if (each.startsWith('svc-runtime:')) shared.set(each, await loadRuntime(each.slice(12)))
    if (each.startsWith('svc-known:'))
      shared.set(each, await load(folder, each.split('>')[1] ?? ''))
  }
  return project.modules[path]?.()
}

const loadRuntime = (path: string) => import(pathToFileURL(join(root, path)).href)

function reached({ imports }: Loaded, path: string): ReadonlySet<string> {
  const seen = new Set([path])
  for (const each of seen) for (const next of imports.get(each) ?? []) seen.add(next)
  return seen
}

/**
 * Returns true if it imports what was not there, and is: the client of Prisma, which tests make
 * where they ask it.
 */
const isMadeSince = (project: Loaded, path: string) =>
  [...reached(project, path)].some(
    (each) => each.startsWith('missing:') && sourceOf(each.slice('missing:'.length)) !== null,
  )

const importNatively: (url: string) => Promise<Pick<Loaded, 'modules'>> = createRequire(
  import.meta.url,
)('./import-natively.cjs')

let scripts = 0

async function script(
  folder: string,
  paths: readonly string[],
  known: Loaded | null,
): Promise<Loaded> {
  const names = paths.map((path) => `${JSON.stringify(path)}: () => import('./${path}')`)
  const { outputFiles, metafile } = await build({
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
    plugins: [sharedModules(folder, known === null ? [] : Object.keys(known.modules), paths)],
    keepNames: true,
    logLevel: 'silent',
  })
  scripts += 1
  const file = join(folder, `.loaded-${scripts}.mjs`)
  writeFileSync(file, outputFiles[0]?.text ?? '')
  const { modules } = await importNatively(pathToFileURL(file).href)
  // What a test finds in the folder is the project's.
  rmSync(file)
  const imports = Object.entries(metafile.inputs).map(
    ([from, input]) => [from, input.imports.map(({ path }) => path)] as const,
  )
  return { modules: { ...modules }, imports: new Map(imports) }
}

/** The server, whose modules hold what it has opened, or all that stands beside it, as clients do. */
const isOfServer = (path: string) => /^(app|config|routes|tests)\//.test(path)

const beside = new Set(['manifest', 'node_modules', 'prisma', 'runtime', 'storage'])

/** The Vitest of a project is not the one that runs. */
const isOfVitest = (path: string) => readFileSync(path, 'utf8').includes("from 'vitest'")

/** What is loaded together with a module, so that each of their modules is there once. */
function sources(folder: string, wanted: string): readonly string[] {
  const below = (path: string): readonly string[] =>
    readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
      const at = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.isDirectory()) return beside.has(at) ? [] : below(at)
      const isSource = /(?<!\.d|\.test|\.config)\.ts$/.test(at)
      const isWanted = isSource && isOfServer(at) === isOfServer(wanted)
      return isWanted && !isOfVitest(join(folder, at)) ? [at] : []
    })
  return below('')
}

/** The file that an import by path means. */
const sourceOf = (path: string): string | null =>
  [path, path.replace(/\.js$/, '.ts'), `${path}.ts`].find((each) => existsSync(each)) ?? null

/**
 * What a script does not bring itself: packages; the runtime of the tests, in place of the package or of files with the same
 * text; what is loaded already. What is not there is an error once it is asked for, and not before.
 */
const sharedModules = (
  folder: string,
  known: readonly string[],
  wanted: readonly string[],
): Plugin => ({
  name: 'shared-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(#runtime|svckit-runtime)\/.+\.js$/ }, ({ path }) => {
      const file = `runtime${path.slice(path.indexOf('/')).replace(/\.js$/, '.ts')}`
      return isSame(folder, file) ? { path: file, namespace: 'svc-runtime' } : null
    })
    onResolve({ filter: /^[^./#]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return null
      const [, name = ''] = /^((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
      const isThere = isBuiltin(path) || existsSync(join(folder, 'node_modules', name))
      return isThere ? { path, external: true } : { path, namespace: 'missing' }
    })
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir, importer }) => {
      const file = join(resolveDir, path)
      const found = sourceOf(file)
      if (found === null) return { path: file, namespace: 'missing' }
      const own = relative(folder, found)
      const isKnown = importer !== '<stdin>' && known.includes(own) && !wanted.includes(own)
      return isKnown ? { path: `${folder}>${own}`, namespace: 'svc-known' } : null
    })
    const find = (key: string) => ({
      contents: `module.exports = svcTestModules.get(${JSON.stringify(key)})`,
      loader: 'js' as const,
    })
    onLoad({ filter: /./, namespace: 'svc-runtime' }, ({ path }) => find(`svc-runtime:${path}`))
    onLoad({ filter: /./, namespace: 'svc-known' }, ({ path }) => find(`svc-known:${path}`))
    onLoad({ filter: /./, namespace: 'missing' }, ({ path }) => ({
      contents: `module.exports = {}; throw new Error(${JSON.stringify(`Cannot find '${path}'`)})`,
      loader: 'js',
    }))
    onLoad({ filter: /\.ts$/, namespace: 'file' }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      return text.includes('import.meta') ? placedCode(path, text) : null
    })
  },
})

function isSame(folder: string, path: string): boolean {
  const own = join(folder, path)
  if (!existsSync(own)) return true
  const text = readFileSync(own, 'utf8')
  return text.slice(text.indexOf('\n\n') + 2) === readFileSync(join(root, path), 'utf8')
}
