import { basename } from 'node:path'
import type { LeftAlone } from '../../migrations/diff/left-alone.js'
import { baseText } from '../base/base-store.js'
import type { RuntimeForm } from '../base/lock-file.js'
import { readMigrationState } from '../migrations/migration-state.js'
import { at, type Target } from '../target.js'
import { askedFor, runtimeForm } from './runtime-form.js'
import { svckitSource } from './svckit-source.js'

/** Facts of a project, or those of one that has no package.json yet. */
export interface ProjectFacts {
  readonly name: string
  /** The `svckit` of package.json. */
  readonly svckit: string
  /** The `svckit-runtime` of package.json; null: the project has the files. */
  readonly runtime: string | null
  /** Tables of which a test can make no row, and the column that keeps it from doing so. */
  readonly tablesWithoutRows: readonly { readonly table: string; readonly column: string | null }[]
  /** The config that svc wrote last has strict queries. */
  readonly saysStrictQueries: boolean
  /** The config has them today. */
  readonly hasStrictQueries: boolean
  /** True: the config sets strict bodies. */
  readonly saysStrictBodies: boolean
  readonly hasStrictBodies: boolean
}

export interface Choices {
  /** True if a project without a config has strict queries and bodies; absent: it does. */
  readonly isStrict?: boolean | undefined
  /** Whose the runtime shall be; absent: whose it is. */
  readonly runtime?: RuntimeForm | undefined
}

/** A name or version that the developer chose stays. */
export function readProjectFacts(
  target: Target,
  { isStrict = true, runtime = runtimeForm(target) }: Choices = {},
): ProjectFacts {
  const given = readPackage(target)
  const svckit =
    text(given['devDependencies'], 'svckit') ??
    text(given['dependencies'], 'svckit') ??
    svckitSource(target.root)
  const config = baseText(target, 'config/svc.ts')
  const today = target.files.read(at(target, 'config/svc.ts'))
  return {
    name: text(given, 'name') ?? packageName(basename(target.root)),
    svckit,
    runtime: runtime === 'own' ? null : askedFor(svckit),
    tablesWithoutRows: withoutRowsIn(readMigrationState(target).left ?? []),
    saysStrictQueries: saysStrict(config, 'queries') ?? isStrict,
    hasStrictQueries: saysStrict(today, 'queries') ?? isStrict,
    saysStrictBodies: saysStrict(config, 'bodies') ?? isStrict,
    hasStrictBodies: saysStrict(today, 'bodies') ?? isStrict,
  }
}

const withoutRowsIn = (left: readonly LeftAlone[]): ProjectFacts['tablesWithoutRows'] =>
  left.flatMap((each): ProjectFacts['tablesWithoutRows'] => {
    if (each.is === 'column')
      return each.isRequired ? [{ table: each.table, column: each.name }] : []
    const isBound = each.is === 'constraint' || (each.is === 'unique' && each.isOnce === true)
    return isBound ? [{ table: each.table, column: null }] : []
  })

/** Null: there is no config yet. */
const saysStrict = (config: string | null, of: 'queries' | 'bodies') =>
  config === null ? null : new RegExp(`^ *strict_${of}: true\\b`, 'm').test(config)

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
