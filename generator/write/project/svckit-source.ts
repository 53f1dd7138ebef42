import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { ownVersion, packageFolder } from '../../source/package-files.js'

const home = realpathSync(packageFolder('.'))

/**
 * How a project asks for the svckit that made it: a checkout or a tarball by its path, a published one by version.
 * Package managers note where an installed package came from: npm in `node_modules/.package-lock.json`, pnpm in
 * `node_modules/.pnpm/lock.yaml`, beside the folder in which the package lies.
 */
export function svckitSource(project: string): string {
  if (existsSync(join(home, 'generator'))) return fileReference(project, home)
  const modules = dirname(home)
  if (basename(modules) !== 'node_modules') return ownVersion
  const store = resolve(modules, '../..')
  const isOfPnpm = basename(store) === '.pnpm'
  const found = isOfPnpm ? resolvedByPnpm(store) : resolvedByNpm(modules)
  if (found === null || !found.startsWith('file:')) return ownVersion
  const installedIn = isOfPnpm ? resolve(store, '../..') : dirname(modules)
  return fileReference(project, resolve(installedIn, found.slice('file:'.length)))
}

/** Relative where it can be, so that the two may move together. */
function fileReference(project: string, path: string): string {
  const from = existsSync(project) ? realpathSync(project) : resolve(project)
  return `file:${relative(from, path).replaceAll('\\', '/')}`
}

function resolvedByNpm(modules: string): string | null {
  try {
    const lock: unknown = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
    return resolvedIn(lock)
  } catch {
    return null
  }
}

/** Its key in YAML, such as `  svckit@file:../svckit-10.0.0.tgz:`; what it was resolved with is in parentheses. */
const keyOfPnpm = /^ {2}'?svckit@(file:[^\n'(]+?)(?:\(.*\))?'?:\s*$/m

function resolvedByPnpm(store: string): string | null {
  try {
    return keyOfPnpm.exec(readFileSync(join(store, 'lock.yaml'), 'utf8'))?.[1] ?? null
  } catch {
    return null
  }
}

function resolvedIn(lock: unknown): string | null {
  if (typeof lock !== 'object' || lock === null || !('packages' in lock)) return null
  const packages = lock.packages
  if (typeof packages !== 'object' || packages === null) return null
  const entry: unknown = Object.entries(packages).find(([key]) =>
    key.endsWith('node_modules/svckit'),
  )?.[1]
  if (typeof entry !== 'object' || entry === null || !('resolved' in entry)) return null
  return typeof entry.resolved === 'string' ? entry.resolved : null
}
