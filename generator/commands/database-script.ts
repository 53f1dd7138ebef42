import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { projectScript } from '../load/project-script.js'
import { packageFolder, versionOf } from '../plan/package-files.js'
import { installedFolder, installedVersion } from '../write/installed.js'
import { runtimeForm, runtimePackage } from '../write/runtime-form.js'
import { at, targetAt, type Target } from '../write/target.js'

/** What svc uses of the project's runtime, besides its database. */
const modules = ['accepted-loss', 'folder', 'history', 'migrate'].map(
  (name) => `runtime/database/migrations/${name}`,
)

/** False: its runtime is of another svc, and `svc generate` brings it up to date. */
export const hasMigrations = (target: Target): boolean =>
  runtimeForm(target) === 'package' ||
  modules.every((path) => target.files.kind(at(target, `${path}.ts`)) === 'file')

/** What asks a project's database, as a script. Throws `WrongCode`. */
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

/** From its sources, as in its tests, svc bundles the source. */
const ending = import.meta.url.endsWith('.js') ? 'js' : 'ts'
const entry = fileURLToPath(new URL(`./database-process.${ending}`, import.meta.url))

const ownFiles: Plugin = {
  name: 'svc',
  setup: ({ onResolve }) => onResolve({ filter: /^svc:/ }, () => ({ path: entry })),
}

/**
 * Kysely as one module, and the runtime, which imports it, as a part of the script: of the CPU of the process, loading their three
 * hundred modules was a third. For a project with that very Kysely; svc asks its database without it.
 */
function fewerModules(target: Target): readonly Plugin[] {
  const kysely = join(packageFolder('dist/libraries'), 'kysely.mjs')
  if (installedVersion(target, 'kysely') !== versionOf('kysely') || !existsSync(kysely)) return []
  const runtime = runtimeForm(target) === 'own' ? null : hoistedRuntime(target)
  const plugin: Plugin = {
    name: 'fewer-modules',
    setup: ({ onResolve }) => {
      onResolve({ filter: /^kysely$/ }, () => ({
        path: pathToFileURL(kysely).href,
        external: true,
      }))
      if (runtime === null) return
      onResolve({ filter: /^(#runtime|svckit-runtime)\/.+\.js$/ }, ({ path }) => {
        const file = join(runtime, 'runtime', path.slice(path.indexOf('/')))
        return existsSync(file) ? { path: file } : null
      })
    },
  }
  return [plugin]
}

/** Where the project's runtime is; null: it has packages that the script, which is looked at from the project, does not find. */
function hoistedRuntime(target: Target): string | null {
  const installed = installedFolder(target, runtimePackage)
  if (installed === null) return null
  const runtime = realpathSync(installed)
  const text = target.files.read(join(runtime, 'package.json')) ?? '{}'
  const { dependencies = {} }: { dependencies?: Readonly<Record<string, string>> } =
    JSON.parse(text)
  const found = (root: string, name: string) => {
    const folder = installedFolder({ root, files: target.files }, name)
    return folder === null ? null : realpathSync(folder)
  }
  const isShared = Object.keys(dependencies).every((name) => {
    const folder = found(runtime, name)
    return folder !== null && folder === found(target.root, name)
  })
  return isShared ? runtime : null
}
