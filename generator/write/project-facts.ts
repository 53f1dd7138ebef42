import { basename } from 'node:path'
import type { LeftAlone } from '../plan/prisma/left-alone.js'
import { publishables } from '../plan/publish.js'
import { readMigrationState } from './migration-state.js'
import { svckitSource } from './svckit-source.js'
import { at, svcPaths, type Target } from './target.js'

/** What a project says of itself, or what is true of one that has no package.json yet. */
export interface ProjectFacts {
  readonly name: string
  /** What package.json asks for as `svckit`. */
  readonly svckit: string
  /** What `svc auth` published here: the base knows. */
  readonly published: readonly string[]
  /** Those of them that are still there. */
  readonly present: readonly string[]
  /** Tables of which a test can make no row, and the column that keeps it from doing so. */
  readonly unmade: readonly { readonly table: string; readonly column: string | null }[]
  /** The config that svc wrote last says who signs in. */
  readonly saysSignIn: boolean
  /** The config that svc wrote last has strict queries. */
  readonly saysStrictQueries: boolean
  /** The config has them today. */
  readonly hasStrictQueries: boolean
  /** The config may name an outside issuer of tokens today. */
  readonly hasJwt: boolean
}

/** A name or version that the developer chose stays. `isStrict`: whether a project without a config has strict queries. */
export function readProjectFacts(target: Target, isStrict = true): ProjectFacts {
  const given = readPackage(target)
  const isThere = (path: string) => target.files.kind(at(target, path)) !== null
  const published = publishables
    .map(({ to }) => to)
    .filter((path) => isThere(`${svcPaths.base}/${path}`))
  const svckit = text(given['devDependencies'], 'svckit') ?? text(given['dependencies'], 'svckit')
  const config = target.files.read(at(target, `${svcPaths.base}/config/svc.ts`))
  const today = target.files.read(at(target, 'config/svc.ts'))
  return {
    name: text(given, 'name') ?? packageName(basename(target.root)),
    svckit: svckit ?? svckitSource(target.root),
    published,
    present: published.filter(isThere),
    unmade: unmadeIn(readMigrationState(target).left ?? []),
    saysSignIn: /^ +user_model:/m.test(config ?? ''),
    saysStrictQueries: saysStrict(config) ?? isStrict,
    hasStrictQueries: saysStrict(today) ?? isStrict,
    hasJwt: namesIssuer.test(today ?? ''),
  }
}

const unmadeIn = (left: readonly LeftAlone[]): ProjectFacts['unmade'] =>
  left.flatMap((each): ProjectFacts['unmade'] => {
    if (each.is === 'column')
      return each.isRequired ? [{ table: each.table, column: each.name }] : []
    const isBound = each.is === 'constraint' || (each.is === 'unique' && each.isOnce === true)
    return isBound ? [{ table: each.table, column: null }] : []
  })

/** Outside comments, wherever it stands: in a constant of one line, in what is imported. */
const namesIssuer = /^(?!\s*(?:\/?\*|\/\/)).*\bjwt\b(?!['"]?\s*:\s*null\b)/m

/** Null: there is no config yet. */
const saysStrict = (config: string | null) =>
  config === null ? null : /^ *strict_queries: true\b/m.test(config)

/** A folder's name as npm takes it. */
export function packageName(folder: string): string {
  const name = folder.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '-')
  return name.replaceAll(/^[-._]+|-+$/g, '') || 'api'
}

function readPackage(target: Target): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(target.files.read(at(target, 'package.json')) ?? '{}')
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function text(value: unknown, key: string): string | undefined {
  const found = isRecord(value) ? value[key] : undefined
  return typeof found === 'string' && found !== '' ? found : undefined
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
