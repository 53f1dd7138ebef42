import { dirname, join } from 'node:path'
import { at, type Target } from '../target.js'
import { askedVersion } from './runtime-form.js'

/** Version of a dependency as the project resolves it: in its own `node_modules`, or in those of a folder above. */
export function installedVersion({ root, files }: Target, name: string): string | null {
  const folder = installedFolder({ root, files }, name)
  const text = folder === null ? null : files.read(join(folder, 'package.json'))
  return text === null ? null : versionIn(text)
}

/** The folder of a dependency, found in the same way. */
export function installedFolder(
  { root, files }: Pick<Target, 'root' | 'files'>,
  name: string,
): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    const installed = join(folder, 'node_modules', name)
    if (files.read(join(installed, 'package.json')) !== null) return installed
    if (folder === dirname(folder)) return null
  }
}

export const isInstalled = (target: Target, name: string) => installedVersion(target, name) !== null

/** True when everything package.json asks for, at exactly that version, is found from the project. svckit itself is not needed. */
export function hasDependencies(target: Target): boolean {
  const text = target.files.read(at(target, 'package.json'))
  if (text === null) return false
  const manifest: { dependencies?: object; devDependencies?: object } = JSON.parse(text)
  const listed = [manifest.dependencies, manifest.devDependencies].flatMap((each) =>
    Object.entries(each ?? {}),
  )
  return listed.every(
    ([name, version]) =>
      name === 'svckit' || installedVersion(target, name) === askedVersion(String(version)),
  )
}

function versionIn(text: string): string | null {
  const value: unknown = JSON.parse(text)
  const isVersioned = typeof value === 'object' && value !== null && 'version' in value
  return isVersioned ? String(value.version) : null
}
