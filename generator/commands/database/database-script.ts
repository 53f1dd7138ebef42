import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'
import { projectScript } from '../../load/project-script.js'
import { fewerModules } from '../../write/project/fewer-modules.js'
import { runtimeForm } from '../../write/project/runtime-form.js'
import { at, targetAt, type Target } from '../../write/target.js'

/** Parts of the project's runtime that svc uses, besides its database. */
const modules = ['accepted-loss', 'folder', 'history', 'migrate'].map(
  (name) => `runtime/database/migrations/${name}`,
)

/** False: its runtime is of another svc, and `svc generate` brings it up to date. */
export const hasMigrations = (target: Target): boolean =>
  runtimeForm(target) === 'package' ||
  modules.every((path) => target.files.kind(at(target, `${path}.ts`)) === 'file')

/** Makes the script that asks a project's database. Throws `WrongCode`. */
export const databaseScript = (root: string): Promise<string> =>
  projectScript(root, textOf(), [ownFiles, ...fewerModules(targetAt(root))])

// A wrong set-up is one sentence on stderr from the first import on.
const textOf = () => `
import { serve } from 'svc:database-process'
serve(async () => {
  await import('#runtime/failures.js')
  const { database } = await import('./app/database.ts')
  const parts = await Promise.all([${modules.map((path) => `import('#${path}.js')`).join(', ')}])
  return { database, runtime: Object.assign({}, ...parts) }
})
`

/** A program beside `cli.ts`. From its sources, as in its tests, svc bundles the source. */
const isBuilt = import.meta.url.endsWith('.js')
const program = isBuilt ? './database-process.js' : '../../database-process.ts'
const entry = fileURLToPath(new URL(program, import.meta.url))

const ownFiles: Plugin = {
  name: 'svc',
  setup: ({ onResolve }) => onResolve({ filter: /^svc:/ }, () => ({ path: entry })),
}
