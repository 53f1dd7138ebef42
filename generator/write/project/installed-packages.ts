import { ownVersion } from '../../source/package-files.js'
import { readLock } from '../base/lock-file.js'
import { at, type Target } from '../target.js'
import { installedFolder } from './installed.js'
import { askedFor, askedVersion, runtimePackage } from './runtime-form.js'

/**
 * Packages that package.json asks for and node_modules does not have: the runtime, or one that a
 * feature needs.
 */
export interface NotInstalled {
  readonly text: string
  /** The command that installs them. */
  readonly command: string
}

const tarball = /-([0-9a-f]{12})\.tgz$/

/** Null where the two agree, or nothing was installed yet or elsewhere. */
export function notInstalled(target: Target): NotInstalled | null {
  if (target.files.kind(at(target, 'node_modules')) !== 'folder') return null
  const text = otherRuntimeText(target) ?? missingText(target)
  return text === null ? null : { text, command: `${packageManager(target)} install` }
}

/** Null: it is there, or package.json asks for no one version of it. */
function otherRuntimeText(target: Target): string | null {
  const asked = askedIn(target)
  const hash = tarball.exec(asked ?? '')?.[1]
  if (asked === null || !isOneVersion(asked)) return null
  const folder = installedFolder(target, runtimePackage)
  const found = folder === null ? null : json(target.files.read(`${folder}/package.json`))
  const version = typeof found?.['version'] === 'string' ? found['version'] : null
  const isIt =
    version === askedVersion(asked) && (hash === undefined || found?.['contents'] === hash)
  if (isIt) return null
  const wanted = shown(askedVersion(asked), hash)
  const has = version === null ? 'does not have it' : `has ${version}`
  const isOther = version !== null && wanted.startsWith(`${version} `) ? ' of another build' : ''
  return `package.json asks for ${runtimePackage} ${wanted}, and node_modules ${has}${isOther}`
}

/** Packages that the server imports, and that are nowhere: a feature that was turned on needs some. */
function missingText(target: Target): string | null {
  const asked = json(target.files.read(at(target, 'package.json')))?.['dependencies']
  const names = Object.keys(isJson(asked) ? asked : {})
  const missing = names.filter((name) => installedFolder(target, name) === null)
  if (missing.length === 0) return null
  const them = missing.length === 1 ? 'it' : 'them'
  return `package.json asks for ${missing.join(', ')}, and node_modules does not have ${them}`
}

const shown = (version: string, hash: string | undefined) =>
  hash === undefined ? version : `${version} (${hash})`

/** Whose lock file the project has. */
export function packageManager(target: Target): string {
  const isThere = (path: string) => target.files.kind(at(target, path)) !== null
  if (isThere('pnpm-lock.yaml')) return 'pnpm'
  if (isThere('yarn.lock')) return 'yarn'
  return isThere('bun.lock') || isThere('bun.lockb') ? 'bun' : 'npm'
}

/**
 * Returns the disagreement between the lock, package.json and this svckit; null: none. A project
 * that has the files has no version.
 */
export function disagreement(target: Target): { message: string; fix: string } | null {
  const lock = readLock(target, ownVersion)
  const asked = askedIn(target)
  const manifest = json(target.files.read(at(target, 'package.json')))
  const imported = text(manifest?.['imports'], '#runtime/*')
  if (lock === null || lock.runtime === undefined || imported === null) return null
  const isPackage = imported.startsWith(runtimePackage)
  if (isPackage !== (lock.runtime === 'package')) {
    const message = `leads #runtime/* to '${imported}', and svc.lock.json says "runtime": "${lock.runtime}"`
    return { message, fix: 'restore the one that was changed from version control' }
  }
  if (lock.runtime === 'own') return null
  if (asked === null) {
    const fix = '`svc generate`; where you took it out yourself, put it back first'
    return { message: `imports ${runtimePackage}, and does not list it`, fix }
  }
  const svckit = text(manifest?.['devDependencies'], 'svckit') ?? ownVersion
  const wanted = askedFor(svckit)
  if (!isOneVersion(asked) || asked === wanted) return null
  const message = `asks for ${runtimePackage} ${askedVersion(asked)}, and this svckit needs ${askedVersion(wanted)}`
  return {
    message: askedVersion(asked) === askedVersion(wanted) ? `${message} of another build` : message,
    fix: `\`svc generate\`; where you changed it yourself, make it "${wanted}", then \`${packageManager(target)} install\``,
  }
}

const isOneVersion = (asked: string) => tarball.test(asked) || /^\d+\.\d+\.\d+/.test(asked)

const askedIn = (target: Target): string | null =>
  text(json(target.files.read(at(target, 'package.json')))?.['dependencies'], runtimePackage)

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null

function text(value: unknown, key: string): string | null {
  const found = isJson(value) ? value[key] : undefined
  return typeof found === 'string' ? found : null
}

function json(content: string | null): Json | null {
  try {
    const value: unknown = JSON.parse(content ?? 'null')
    return isJson(value) ? value : null
  } catch {
    return null
  }
}
