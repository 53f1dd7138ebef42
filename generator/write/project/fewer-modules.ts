import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { packageFolder, versionOf } from '../../source/package-files.js'
import type { Target } from '../target.js'
import { installedFolder, installedVersion } from './installed.js'
import { runtimeForm, runtimePackage } from './runtime-form.js'

/** Libraries of hundreds of modules, each of which svc has as one file. */
const packed = ['kysely', 'zod']

/**
 * The packed libraries, and the runtime, which imports them, as a part of the script: loading their four hundred modules was
 * half of the CPU of the process. For a project with the versions that svc has packed; svc asks its database without them.
 */
export function fewerModules(target: Target): readonly Plugin[] {
  const runtime = runtimeForm(target) === 'own' ? null : hoistedRuntime(target)
  // A runtime that is a package of its own loads its libraries itself.
  const isPart = runtime !== null || runtimeForm(target) === 'own'
  const files = new Map(isPart ? packed.flatMap((name) => packedFile(target, name)) : [])
  if (files.size < packed.length) return []
  return [
    {
      name: 'fewer-modules',
      setup({ onResolve }) {
        onResolve({ filter: new RegExp(`^(${packed.join('|')})$`) }, ({ path }) => ({
          path: files.get(path) ?? path,
          external: true,
        }))
        if (runtime === null) return
        onResolve({ filter: /^(#runtime|svckit-runtime)\/.+\.js$/ }, ({ path }) => {
          const file = join(runtime, 'runtime', path.slice(path.indexOf('/')))
          return existsSync(file) ? { path: file } : null
        })
      },
    },
  ]
}

/** The name and the address of its file, where the project has the same version. */
function packedFile(target: Target, name: string): readonly (readonly [string, string])[] {
  const file = join(packageFolder('dist/libraries'), `${name}.mjs`)
  const isSame = installedVersion(target, name) === versionOf(name) && existsSync(file)
  return isSame ? [[name, pathToFileURL(file).href]] : []
}

/**
 * Returns the place of the project's runtime; null: it has packages that the script, which is
 * looked at from the project, does not find.
 */
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
