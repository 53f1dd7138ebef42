import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from './log.js'

const name = 'svckit-runtime'

/** Logs that the server runs with another version of this package than its project asks for. */
export function reportOtherVersion(log: Log, folder = process.cwd()): void {
  const own = readJson(fileURLToPath(new URL('../../package.json', import.meta.url)))
  // Files that are the project's own have no version.
  if (own['name'] !== name) return
  const asked = [askedFor(readJson(join(folder, 'package.json'))), written(folder)]
  const [other] = asked.flatMap((each) => each ?? []).filter((each) => !isOf(own, each))
  if (other === undefined) return
  const text = `${other.where} asks for ${name} ${other.version}, and node_modules has ${String(own['version'])}`
  log.warn(`${text}${other.version === own['version'] ? ' of another build' : ''}: npm install`)
}

interface Asked {
  readonly where: string
  readonly version: string
  /** A hash of a tarball's content; absent where a version is asked for. */
  readonly contents?: string | undefined
}

const isOf = (own: Json, { version, contents }: Asked) =>
  own['version'] === version && (contents === undefined || own['contents'] === contents)

/** Null where it is no one version: a range, a path of the owner's. */
function askedFor(manifest: Json): Asked | null {
  const dependencies = manifest['dependencies']
  const asked = isJson(dependencies) ? dependencies[name] : undefined
  const [, version = '', contents] =
    /^(?:file:.*-)?(\d+\.\d+\.\d+[^/]*?)(?:-([0-9a-f]{12})\.tgz)?$/.exec(String(asked)) ?? []
  return version === '' ? null : { where: 'package.json', version, contents }
}

/** Reads the version of the svc that wrote the project last. */
function written(folder: string): Asked | null {
  const { svc, runtime } = readJson(join(folder, 'svc.lock.json'))
  const isPackage = runtime === 'package' && typeof svc === 'string'
  return isPackage ? { where: 'svc.lock.json', version: svc } : null
}

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null

function readJson(path: string): Json {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isJson(value) ? value : {}
  } catch {
    return {}
  }
}
