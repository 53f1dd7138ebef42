import type { CheckRepositories } from './checks.js'
import type { Id } from './id.js'
import type { Repository } from './repository.js'
import type { ManifestWords } from './words.js'

/** A frozen description of the whole API. */
export interface Manifest extends ManifestWords {
  readonly type: 'manifest'
  readonly database: 'sqlite' | 'postgresql'
  readonly id: Id
  readonly newPolicies?: NewPolicies
  readonly repositories: Readonly<Record<string, Repository>>
}

/** The access that policies give when svc writes them. */
export type NewPolicies = 'owner' | 'signed-in' | 'public-read'

/** The options of `defineManifest`. */
export interface ManifestOptions<Repositories> extends ManifestWords {
  readonly database: 'sqlite' | 'postgresql'
  readonly id?: Id
  /**
   * What a policy opens when svc writes it, for repositories of later too: everyone reads and writes their own rows
   * (`'owner'`), everyone who is signed in all rows (`'signed-in'`), or everyone reads all rows and writes their own
   * (`'public-read'`). Policies that are there stay as they are. Default: nothing.
   */
  readonly newPolicies?: NewPolicies
  readonly repositories: CheckRepositories<Repositories>
}

/**
 * The default export of `manifest/index.ts`: the database, and every repository by its URI key.
 * Keys are integers unless `id` says `'bigint'`, `'uuid'` or `'text'`, here or in a repository.
 *
 * @example export default defineManifest({ database: 'sqlite', repositories: { users, posts } })
 */
export function defineManifest<const Repositories extends Readonly<Record<string, unknown>>>(
  manifest: ManifestOptions<Repositories>,
): Manifest {
  // The compiler saw a checked view of the same data.
  const repositories = { ...manifest.repositories } as unknown as Manifest['repositories']
  return Object.freeze({
    type: 'manifest',
    id: 'integer',
    ...manifest,
    repositories: Object.freeze(repositories),
  })
}
