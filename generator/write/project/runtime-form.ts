import { readdirSync } from 'node:fs'
import { Refusal } from '../../blueprint/refusal.js'
import { ownVersion, packageBytes, packageFolder } from '../../source/package-files.js'
import { hasBase } from '../base/base-store.js'
import { readLock, type RuntimeForm } from '../base/lock-file.js'
import type { FolderFile, PlannedFolder } from '../base/own-folder.js'
import { at, type Target } from '../target.js'

/** The package that the servers have in common. */
export const runtimePackage = 'svckit-runtime'

/** `package`: a project imports it. `own`: it has the files, as every project before had them. */
export function runtimeForm(target: Target): RuntimeForm {
  const said = readLock(target, ownVersion)?.runtime
  if (said !== undefined) return said
  // A lock that was lost is written again from what the project imports.
  const text = target.files.read(at(target, 'package.json'))
  const [, imported] = /"#runtime\/\*":\s*"([^"]*)"/.exec(text ?? '') ?? []
  if (imported !== undefined) return imported.startsWith(runtimePackage) ? 'package' : 'own'
  return hasBase(target) ? 'own' : 'package'
}

/** A version that npm finds in a registry, as opposed to paths, addresses and tags. */
const isVersion = (svckit: string) => /^[~^]?\d+\.\d+\.\d+/.test(svckit)

/**
 * Returns the tarball for a svckit that is asked for by a path or an address: its runtime is in no
 * registry.
 */
export const askedFor = (svckit: string): string =>
  isVersion(svckit) ? ownVersion : `file:${tarball().path}`

/** The version that an entry of package.json asks for. */
export const askedVersion = (asked: string): string =>
  /^file:.*-(\d+\.\d+\.\d+.*)-[0-9a-f]{12}\.tgz$/.exec(asked)?.[1] ?? asked

const folder = 'vendor'
const packed = /^svckit-runtime-([0-9a-f]{12})\.tgz$/

interface Tarball extends FolderFile {
  /** Relative to svckit. */
  readonly source: string
}

/** Named after what it was made of, so that npm sees another one, and two people's builds are one. */
function tarball(): Omit<Tarball, 'content'> {
  const found = readdirSync(packageFolder('dist')).find((name) => packed.test(name))
  const hash = packed.exec(found ?? '')?.[1]
  if (found === undefined || hash === undefined) {
    throw new Refusal(`svckit has no ${runtimePackage} in it.\n  fix    npm run build, in svckit`)
  }
  return { path: `${folder}/${runtimePackage}-${ownVersion}-${hash}.tgz`, source: `dist/${found}` }
}

/** The folder of the tarball, where the project asks for one; of others, the ones that svc put there go. */
export function vendored(target: Target, asked: string | null): PlannedFolder {
  const isOurs = (name: string) => name.startsWith(`${runtimePackage}-`) && name.endsWith('.tgz')
  const present = [...target.files.list(at(target, folder))].flatMap(([name, kind]) =>
    kind === 'file' && isOurs(name) ? [`${folder}/${name}`] : [],
  )
  const read = (path: string) => target.files.read(at(target, path)) ?? ''
  return {
    what: runtimePackage,
    path: folder,
    inside: ['.'],
    head: gzip,
    files: asked?.startsWith('file:') === true ? [wantedFile(present, read)] : [],
    disk: new Map(present.map((path) => [path, read(path)])),
  }
}

/** Bytes as files of the project have them: a character each. */
const gzip = '\u001f\u008b'

/** One of that name was made of the same sources, and a lock file of npm's has its checksum. */
function wantedFile(present: readonly string[], read: (path: string) => string): FolderFile {
  const { path, source } = tarball()
  const content = present.includes(path) ? read(path) : packageBytes(source).toString('latin1')
  return { path, content }
}
