import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type BuildFailure, type Message, type Plugin } from 'esbuild'
import { placedCode } from './placed-code.js'

/** The project's code cannot be read; the message says where. */
export class WrongCode extends Error {}

/**
 * One script of svc's side and the project's: plain Node runs it in half the time that tsx takes for as many files. Throws
 * `WrongCode`. A script is kept while the files that it is made of stay as they are: `svc dev` asks for it at every save.
 */
export async function projectScript(
  root: string,
  contents: string,
  plugins: readonly Plugin[],
): Promise<string> {
  const known = kept.get(contents)
  if (known?.root === root && stateOf(known.files) === known.state) return known.text
  const { text, files } = await bundled(root, contents, plugins)
  // A module that a plugin brings from elsewhere, as from another commit, has no file to look at.
  if (files.some((path) => isOfPlugin.test(path))) return text
  // These files say what `#app/…` and a package are.
  const all = [...files, 'package.json', 'tsconfig.json', ...packages]
  const paths = all.map((path) => join(root, path))
  kept.set(contents, { root, text, files: paths, state: stateOf(paths) })
  return text
}

const isOfPlugin = /^[\w-]{2,}:/

const packages = ['runtime', 'node_modules', 'node_modules/svckit-runtime']

interface Kept {
  readonly root: string
  readonly text: string
  readonly files: readonly string[]
  readonly state: string
}

/** Each script of the project that asked last. */
const kept = new Map<string, Kept>()

/** Identifies the files: another one has another time, size or number. */
const stateOf = (paths: readonly string[]): string =>
  paths
    .map((path) => {
      const found = statSync(path, { throwIfNoEntry: false })
      return found === undefined ? '' : `${found.mtimeMs} ${found.size} ${found.ino}`
    })
    .join('\n')

async function bundled(root: string, contents: string, plugins: readonly Plugin[]) {
  try {
    const { outputFiles, metafile } = await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      absWorkingDir: root,
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      plugins: [...plugins, places],
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'silent',
    })
    const files = Object.keys(metafile.inputs).filter((path) => path !== '<stdin>')
    return { text: outputFiles[0]?.text ?? '', files }
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    throw new WrongCode(error.errors.map(placed).join('\n'))
  }
}

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors)

const placed = ({ location, text }: Message) =>
  location === null ? text : `${location.file}:${location.line}:${location.column + 1}: ${text}`

const places: Plugin = {
  name: 'places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      return text.includes('import.meta') ? placedCode(path, text) : null
    }),
}
