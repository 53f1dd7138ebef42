import { basename } from 'node:path'
import type { LeftAlone } from '../../migrations/diff/left-alone.js'
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
  /** The config does not switch them off. */
  readonly hasStrictQueries: boolean
  readonly hasStrictBodies: boolean
}

export interface Choices {
  /** Whose the runtime shall be; absent: whose it is. */
  readonly runtime?: RuntimeForm | undefined
}

/** A name or version that the developer chose stays. */
export function readProjectFacts(
  target: Target,
  { runtime = runtimeForm(target) }: Choices = {},
): ProjectFacts {
  const given = readPackage(target)
  const svckit =
    text(given['devDependencies'], 'svckit') ??
    text(given['dependencies'], 'svckit') ??
    svckitSource(target.root)
  const config = target.files.read(at(target, 'config/svc.ts')) ?? ''
  return {
    name: text(given, 'name') ?? packageName(basename(target.root)),
    svckit,
    runtime: runtime === 'own' ? null : askedFor(svckit),
    tablesWithoutRows: withoutRowsIn(readMigrationState(target).left ?? []),
    hasStrictQueries: !/^ *strict_queries: false\b/m.test(config),
    hasStrictBodies: !/^ *strict_bodies: false\b/m.test(config),
  }
}

const withoutRowsIn = (left: readonly LeftAlone[]): ProjectFacts['tablesWithoutRows'] =>
  left.flatMap((each): ProjectFacts['tablesWithoutRows'] => {
    if (each.is === 'column')
      return each.isRequired ? [{ table: each.table, column: each.name }] : []
    const isBound = each.is === 'constraint' || (each.is === 'unique' && each.isOnce === true)
    return isBound ? [{ table: each.table, column: null }] : []
  })

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
