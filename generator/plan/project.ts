import type { Blueprint, Entity, Pivot } from '../blueprint/types.js'
import { typeNames } from './graphql/names.js'
import { defaultSettings, type GraphqlFacts } from './graphql/settings.js'
import type { OpenapiFacts } from './openapi/facts.js'
import type { OwnImports } from './runtime-files.js'
import type { Tidied } from './tidy.js'

export interface ProjectOptions {
  readonly tidied?: Tidied
  /** Folder name: the `name` of package.json and the title of the README. */
  readonly name: string
  /** What package.json asks for as `svckit`: a version, or `file:` and a path while it is unpublished. */
  readonly svckit: string
  /** Absent: GraphQL as in a new project. */
  readonly graphql?: GraphqlFacts
  /** Absent: the document of a new project. */
  readonly openapi?: OpenapiFacts
  /** Policies and hooks that their developer deleted: nothing emitted may import them. */
  readonly deleted?: ReadonlySet<string>
  /** Files that `svc auth` published here; absent: none. */
  readonly published?: readonly string[]
  /** Those of them that are still there. */
  readonly present?: readonly string[]
  /** What the developer's own code imports of the project; absent: nothing. */
  readonly ownImports?: readonly OwnImports[]
  /** Files of svc's that are the developer's now. */
  readonly ejected?: readonly string[]
  /** Tables of which a test can make no row, and the column that keeps it from doing so; absent: none. */
  readonly unmade?: readonly { readonly table: string; readonly column: string | null }[]
  /** The config that svc wrote last says who signs in; absent: there is none, or it does not. */
  readonly saysSignIn?: boolean
  /** The config that svc wrote last has strict queries, or it is new; absent: it has none. */
  readonly saysStrictQueries?: boolean
  /** The config has them today. */
  readonly hasStrictQueries?: boolean
  /** The config names an outside issuer of tokens; absent: it does not. */
  readonly hasJwt?: boolean
}

/** What every view may ask: the blueprint, with its names resolved. */
export interface Project extends ProjectOptions {
  readonly graphql: GraphqlFacts
  /** Names of the GraphQL types, by URI key; what the schema leaves out has none. */
  readonly graphqlTypes: ReadonlyMap<string, string>
  readonly blueprint: Blueprint
  readonly entities: readonly Entity[]
  readonly isSqlite: boolean
  readonly deleted: ReadonlySet<string>
  /** The repository whose rows sign in, or null. */
  readonly auth: Entity | null
  readonly entity: (key: string) => Entity
  readonly pivot: (table: string) => Pivot
}

/** What the files of one repository may know of others: change nothing of it, and they need no rendering. */
export interface Surroundings extends Pick<Project, 'graphql' | 'graphqlTypes' | 'deleted'> {
  readonly auth: Named | null
  readonly entity: (key: string) => Named
  readonly pivot: (table: string) => Pivot
}

type Named = Pick<Entity, 'key' | 'name' | 'variable' | 'plural'>

/** Prepares a blueprint for the views; asks nothing of the disk. */
export function describeProject(given: Blueprint, options: ProjectOptions): Project {
  const deleted = options.deleted ?? new Set()
  const blueprint = withoutDeleted(given, deleted)
  const entities = new Map(blueprint.entities.map((entity) => [entity.key, entity]))
  const pivots = new Map(blueprint.pivots.map((pivot) => [pivot.table, pivot]))
  const entity = (key: string) => found(entities.get(key), `repository '${key}'`)
  const graphql = options.graphql ?? { settings: defaultSettings, closed: new Map() }
  return {
    ...options,
    graphql,
    graphqlTypes: typeNames(blueprint.entities, graphql.settings),
    blueprint,
    entities: blueprint.entities,
    deleted,
    isSqlite: blueprint.database === 'sqlite',
    auth: blueprint.auth === null ? null : entity(blueprint.auth),
    entity,
    pivot: (table) => found(pivots.get(table), `pivot table '${table}'`),
  }
}

/** Without its hooks file, a repository computes nothing. */
function withoutDeleted(blueprint: Blueprint, deleted: ReadonlySet<string>): Blueprint {
  if (deleted.size === 0) return blueprint
  const entities = blueprint.entities.map((entity) =>
    deleted.has(hooksPath(entity)) ? { ...entity, hasHooks: false, computed: [] } : entity,
  )
  return { ...blueprint, entities }
}

export const hooksPath = ({ name }: Entity) => `app/Hooks/${name}Hooks.ts`
export const policyPath = ({ name }: Entity) => `app/Policies/${name}Policy.ts`

// The blueprint is checked: a miss is a bug of ours, not a mistake in the manifest.
function found<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`the blueprint speaks of ${what} and has none`)
  return value
}
