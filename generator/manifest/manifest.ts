import type { CheckRepositories } from './checks.js'
import type { Repository } from './repository.js'

/** A frozen description of the whole API. */
export interface Manifest {
  readonly type: 'manifest'
  readonly database: 'sqlite' | 'postgresql'
  readonly id: 'integer' | 'uuid'
  readonly openapi?: boolean
  readonly authorizationTests?: boolean
  readonly requestLimit?: boolean
  readonly metrics?: boolean
  readonly tracing?: boolean
  readonly readerThreads?: boolean
  readonly readReplicas?: boolean
  readonly newPolicies?: NewPolicies
  readonly client?: string | ClientOptions
  readonly repositories: Readonly<Record<string, Repository>>
}

/** What policies open when svc writes them. */
export type NewPolicies = 'owner' | 'signed-in' | 'public-read'

/** The typed client of the API. */
export interface ClientOptions {
  /** Its folder, relative to the project. All files in it that svc wrote are overwritten each time. */
  readonly path: string
  /** Adds options for `@tanstack/react-query`. */
  readonly query?: 'tanstack'
  /** Adds the rules of the server, for forms; they need `zod` 4. */
  readonly zod?: boolean
}

/**
 * The default export of `manifest/index.ts`: the database, and every repository by its URI key.
 * Keys are integers unless `id: 'uuid'`, here or in a repository.
 *
 * @example export default defineManifest({ database: 'sqlite', repositories: { users, posts } })
 */
export function defineManifest<
  const Repositories extends Readonly<Record<string, unknown>>,
>(manifest: {
  readonly database: 'sqlite' | 'postgresql'
  readonly id?: 'integer' | 'uuid'
  /** Emits `app/OpenApi/openapi.json`, the document of the API in OpenAPI 3.1, and serves it. Default false. */
  readonly openapi?: boolean
  /** Emits `tests/authorization.test.ts`, which notes who may do what, route by route, for review. Default false. */
  readonly authorizationTests?: boolean
  /** Limits the requests of one token or address; `requests` of `config/svc.ts` says to how many. Default false. */
  readonly requestLimit?: boolean
  /** Serves `/metrics` for Prometheus and logs slow statements; adds the package `prom-client`. Default false. */
  readonly metrics?: boolean
  /** Sends OpenTelemetry traces where `OTEL_EXPORTER_OTLP_ENDPOINT` says; adds its packages. Default false. */
  readonly tracing?: boolean
  /** SQLite: what goes through a large table is read on threads while others are served, and a total is kept until somebody writes. Default false. */
  readonly readerThreads?: boolean
  /** Reads from the replicas that `DATABASE_REPLICA_URLS` names, and keeps that users read what they wrote; PostgreSQL. Default false. */
  readonly readReplicas?: boolean
  /**
   * What a policy opens when svc writes it, for repositories of later too: everyone reads and writes their own rows
   * (`'owner'`), everyone who is signed in all rows (`'signed-in'`), or everyone reads all rows and writes their own
   * (`'public-read'`). Policies that are there stay as they are. Default: nothing.
   */
  readonly newPolicies?: NewPolicies
  /**
   * Keeps a typed client in step, in a folder that may lie beside the project.
   * @example client: '../web/src/api'
   */
  readonly client?: string | ClientOptions
  readonly repositories: CheckRepositories<Repositories>
}): Manifest {
  // What the compiler was shown is a checked view of the same data.
  const repositories = { ...manifest.repositories } as unknown as Manifest['repositories']
  return Object.freeze({
    type: 'manifest',
    id: 'integer',
    ...manifest,
    repositories: Object.freeze(repositories),
  })
}
