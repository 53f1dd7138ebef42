import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** svckit's own folder: the same distance from `generator/source` and, bundled, from `dist/svc`. */
const home = new URL('../../', import.meta.url)

/** Text of a file that svckit ships: templates and the runtime. Never of the project being written. */
export function packageFile(path: string): string {
  return readFileSync(fileURLToPath(new URL(path, home)), 'utf8')
}

/** Reads a file of the package that is no text. */
export const packageBytes = (path: string): Buffer =>
  readFileSync(fileURLToPath(new URL(path, home)))

/** A folder that svckit ships. */
export const packageFolder = (path: string) => fileURLToPath(new URL(`${path}/`, home))

interface PackageJson {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

const read: PackageJson = JSON.parse(packageFile('package.json'))
const pinned: Readonly<Record<string, string>> = { ...read.dependencies, ...read.devDependencies }

/** The version of svckit itself. */
export const ownVersion = read.version

/** The one place emitted versions come from: what svckit is tested with is what a project installs. */
export function versionOf(dependency: string): string {
  const version = pinned[dependency]
  if (version === undefined) throw new Error(`svckit's package.json does not pin '${dependency}'`)
  return version
}
