import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, type BuildFailure, type Message, type Plugin } from 'esbuild'
import { at, type Target } from '../write/target.js'
import { placedCode } from './placed-code.js'

/** What svc uses of the project's runtime, besides its database. */
const modules = ['folder', 'history', 'migrate'].map(
  (name) => `./runtime/database/migrations/${name}.ts`,
)

/** False: its runtime is of another svc, and `svc generate` brings it up to date. */
export const hasMigrations = (target: Target): boolean =>
  modules.every((path) => target.files.kind(at(target, path)) === 'file')

/** The project's code cannot be read; the message says where. */
export class WrongCode extends Error {}

/**
 * One script of svc's side and the project's: plain Node runs it in half the time that tsx takes for as many files. Throws
 * `WrongCode`.
 */
export async function databaseScript(root: string): Promise<string> {
  try {
    const { outputFiles } = await build({
      stdin: { contents: textOf(), resolveDir: root, loader: 'ts' },
      absWorkingDir: root,
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      plugins: [ownFiles, places],
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'silent',
    })
    return outputFiles[0]?.text ?? ''
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    throw new WrongCode(error.errors.map(placed).join('\n'))
  }
}

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors)

const placed = ({ location, text }: Message) =>
  location === null ? text : `${location.file}:${location.line}:${location.column + 1}: ${text}`

// A wrong set-up is one sentence on stderr from the first import on.
const textOf = () => `
import { serve } from 'svc:database-process'
serve(async () => {
  await import('./runtime/failures.ts')
  const { database } = await import('./app/database.ts')
  const parts = await Promise.all([${modules.map((path) => `import('${path}')`).join(', ')}])
  return { database, runtime: Object.assign({}, ...parts) }
})
`

/** From its sources, as in its tests, svc bundles the source. */
const ending = import.meta.url.endsWith('.js') ? 'js' : 'ts'
const entry = fileURLToPath(new URL(`./database-process.${ending}`, import.meta.url))

const ownFiles: Plugin = {
  name: 'svc',
  setup: ({ onResolve }) => onResolve({ filter: /^svc:/ }, () => ({ path: entry })),
}

const places: Plugin = {
  name: 'places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      return text.includes('import.meta') ? placedCode(path, text) : null
    }),
}
