import { versionOf } from '../package-files.js'
import type { Project } from '../project.js'

export interface PackageView {
  readonly name: string
  readonly isSqlite: boolean
  readonly dependencies: readonly DependencyView[]
  /** What works without; npm leaves out what a platform does not have. */
  readonly optionalDependencies: readonly DependencyView[]
  readonly devDependencies: readonly DependencyView[]
  /** What npm calls a svckit that it builds when it installs it; null: a version or a tarball, which is built. */
  readonly builtSvckit: string | null
}

interface DependencyView {
  readonly name: string
  readonly version: string
}

const always = () => true
const withGraphql = ({ graphql }: Project) => graphql.settings.enabled
const onSqlite = (project: Project) => project.isSqlite
const onPostgresql = (project: Project) => !project.isSqlite
export const hasPasswords = (project: Project) =>
  project.entities.some(({ columns }) => columns.some(({ kind }) => kind === 'password'))

const withOpenapi = ({ blueprint }: Project) => blueprint.openapi === true
const withMetrics = ({ blueprint }: Project) => blueprint.metrics === true
const withTracing = ({ blueprint }: Project) => blueprint.tracing === true
const withAuth = (project: Project) => project.auth !== null
const withJwt = ({ auth, hasJwt }: Project) => auth !== null && hasJwt === true

const dependencies: readonly [string, (project: Project) => boolean][] = [
  ['@hono/node-server', always],
  ['@node-rs/argon2', hasPasswords],
  ['@opentelemetry/api', withTracing],
  ['@opentelemetry/context-async-hooks', withTracing],
  ['@opentelemetry/core', withTracing],
  ['@opentelemetry/exporter-trace-otlp-http', withTracing],
  ['@opentelemetry/resources', withTracing],
  ['@opentelemetry/sdk-trace-base', withTracing],
  ['@prisma/adapter-better-sqlite3', onSqlite],
  ['@prisma/adapter-pg', onPostgresql],
  ['@prisma/client', always],
  ['better-sqlite3', onSqlite],
  ['graphql', withGraphql],
  ['hono', always],
  ['jose', withJwt],
  ['kysely', always],
  ['lru-cache', always],
  ['nodemailer', withAuth],
  ['pg', onPostgresql],
  ['pino', always],
  ['prom-client', withMetrics],
  ['rate-limiter-flexible', withAuth],
  ['resend', withAuth],
  ['zod', always],
]

const optionalDependencies: readonly [string, (project: Project) => boolean][] = [
  ['better-sqlite3-napi', onSqlite],
]

const devDependencies: readonly [string, (project: Project) => boolean][] = [
  ['@types/better-sqlite3', onSqlite],
  ['@types/node', always],
  ['@types/nodemailer', withAuth],
  ['@types/pg', onPostgresql],
  ['ajv', withOpenapi],
  ['ajv-formats', withOpenapi],
  ['fast-check', withOpenapi],
  ['tsx', always],
  ['typescript', always],
  // Version 8 brings 30 MB of compilers more; vitest takes either.
  ['vite', always],
  ['vitest', always],
]

/** Versions are the ones svckit itself is tested with. */
export function packageView(project: Project): PackageView {
  const development = [...pinned(devDependencies, project), ['svckit', project.svckit] as const]
  return {
    name: project.name,
    isSqlite: project.isSqlite,
    dependencies: views(pinned(dependencies, project)),
    optionalDependencies: views(pinned(optionalDependencies, project)),
    devDependencies: views(development),
    builtSvckit: isBuilt.test(project.svckit) ? `svckit@${project.svckit}` : null,
  }
}

/** A checkout, by its path or by git: npm runs its `prepare`. */
const isBuilt = /^(git\+|file:(?!.*\.t(ar\.)?gz$))/

function pinned(
  table: readonly [string, (project: Project) => boolean][],
  project: Project,
): readonly (readonly [string, string])[] {
  return table.filter(([, when]) => when(project)).map(([name]) => [name, versionOf(name)] as const)
}

function views(pairs: readonly (readonly [string, string])[]): readonly DependencyView[] {
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([name, version]) => ({ name, version }))
}
