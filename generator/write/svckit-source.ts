import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownVersion } from '../plan/package-files.js'

const home = realpathSync(fileURLToPath(new URL('../../', import.meta.url)))

/**
 * How a project asks npm for the svckit that made it: a checkout or a tarball by its path, a published one by version.
 * npm notes in `node_modules/.package-lock.json` where an installed package came from.
 */
export function svckitSource(project: string): string {
  if (existsSync(join(home, 'generator'))) return fileReference(project, home)
  const modules = dirname(home)
  const resolved = basename(modules) === 'node_modules' ? resolvedFrom(modules) : null
  if (resolved === null || !resolved.startsWith('file:')) return ownVersion
  return fileReference(project, resolve(dirname(modules), resolved.slice('file:'.length)))
}

/** Relative where it can be, so that the two may move together. */
function fileReference(project: string, path: string): string {
  const from = existsSync(project) ? realpathSync(project) : resolve(project)
  return `file:${relative(from, path).replaceAll('\\', '/')}`
}

function resolvedFrom(modules: string): string | null {
  try {
    const lock: unknown = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'))
    return resolvedIn(lock)
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
