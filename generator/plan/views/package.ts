import { versionOf } from '../../source/package-files.js'
import type { Project } from '../project.js'
import type { Slots } from '../render/slots.js'

export interface PackageView {
  readonly name: string
  readonly isSqlite: boolean
  /** The target of `#runtime/*`. */
  readonly runtime: string
  readonly dependencies: readonly DependencyView[]
  /** Packages that are optional; npm leaves out those that a platform does not have. */
  readonly optionalDependencies: readonly DependencyView[]
  readonly devDependencies: readonly DependencyView[]
  /**
   * npm's name for a svckit that it builds on installation; null: a version or a tarball, which is
   * built.
   */
  readonly builtSvckit: string | null
  readonly slots: Slots
}

interface DependencyView {
  readonly name: string
  readonly version: string
}

/** Each package, and whether a project needs it. */
type Table = readonly (readonly [name: string, when: (project: Project) => boolean])[]

type Pair = readonly [name: string, version: string]

const always = () => true
const onSqlite = (project: Project) => project.isSqlite
/** The package of the runtime brings what only it imports. */
const ownsRuntime = (project: Project) => project.runtime === null
const onPostgresql = (project: Project) => !project.isSqlite

const dependencies: Table = [
  ['@hono/node-server', always],
  ['@prisma/adapter-better-sqlite3', onSqlite],
  ['@prisma/adapter-pg', onPostgresql],
  ['@prisma/client', always],
  ['better-sqlite3', onSqlite],
  ['hono', always],
  ['kysely', always],
  ['lru-cache', ownsRuntime],
  ['pg', onPostgresql],
  ['pino', ownsRuntime],
  ['zod', always],
]

/**
 * A second driver of SQLite: version 13, for Node 22.14 and later. Version 12 crashes Node 24.19, and is
 * for Node 20 and platforms without a binary of 13; `runtime/database/sqlite/driver.ts` chooses.
 */
const optionalDependencies: Table = [['better-sqlite3-napi', onSqlite]]

const devDependencies: Table = [
  ['@types/better-sqlite3', onSqlite],
  ['@types/node', always],
  ['@types/pg', onPostgresql],
  ['tsx', always],
  ['typescript', always],
  // Version 8 brings 30 MB of compilers more; vitest takes either.
  ['vite', always],
  ['vitest', always],
]

/** Versions are the ones svckit itself is tested with. */
export function packageView(project: Project): PackageView {
  const given = project.features.map(({ packages }) => packages?.(project) ?? {})
  const own = given.flatMap(({ dependencies: names = [] }) => names)
  const ownDevelopment = given.flatMap(({ devDependencies: names = [] }) => names)
  return {
    name: project.name,
    isSqlite: project.isSqlite,
    runtime: project.runtime === null ? './runtime/*' : 'svckit-runtime/*',
    dependencies: views([
      ...pinned([...namesOf(dependencies, project), ...own]),
      ...(project.runtime === null ? [] : [['svckit-runtime', project.runtime] as const]),
    ]),
    optionalDependencies: views(pinned(namesOf(optionalDependencies, project))),
    devDependencies: views([
      ...pinned([...namesOf(devDependencies, project), ...ownDevelopment]),
      ['svckit', project.svckit],
    ]),
    builtSvckit: isBuilt.test(project.svckit) ? `svckit@${project.svckit}` : null,
    slots: project.slots,
  }
}

/** A checkout, by its path or by git: npm runs its `prepare`. */
const isBuilt = /^(git\+|file:(?!.*\.t(ar\.)?gz$))/

const namesOf = (table: Table, project: Project) =>
  table.filter(([, when]) => when(project)).map(([name]) => name)

const pinned = (names: readonly string[]): readonly Pair[] =>
  [...new Set(names)].map((name) => [name, versionOf(name)])

function views(pairs: readonly Pair[]): readonly DependencyView[] {
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([name, version]) => ({ name, version }))
}
