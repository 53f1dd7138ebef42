import type { Blueprint, Entity, Pivot } from '../blueprint/types.js'
import type { Tidied } from '../source/tidy.js'
import type { OwnImports } from './render/runtime-files.js'
import { fillEntitySlots, type EntitySlots, type Slots } from './render/slots.js'
import type { KnownRoute, Serves } from './routes/routes.js'
import type { Texts } from './texts.js'

export interface ProjectOptions {
  readonly tidied?: Tidied
  /** Folder name: the `name` of package.json and the title of the README. */
  readonly name: string
  /** The `svckit` of package.json: a version, or `file:` and a path while it is unpublished. */
  readonly svckit: string
  /** The `svckit-runtime` of package.json; null or absent: the files are the project's own. */
  readonly runtime?: string | null
  /** The features' facts about the developer's own files; absent: those of new files. */
  readonly facts?: FeatureFacts
  /** Policies and hooks that their developer deleted: nothing emitted may import them. */
  readonly deleted?: ReadonlySet<string>
  /** Imports of the developer's own code from the project; absent: none. */
  readonly ownImports?: readonly OwnImports[]
  /** Files of svc's that are the developer's now. */
  readonly ejected?: readonly string[]
  /** Tables of which a test can make no row, and the column that keeps it from doing so; absent: none. */
  readonly tablesWithoutRows?: readonly { readonly table: string; readonly column: string | null }[]
  /** The config does not switch them off; absent: it is new. */
  readonly hasStrictQueries?: boolean
  readonly hasStrictBodies?: boolean
}

/** By feature; each says in its folder what it knows. */
// oxlint-disable-next-line typescript/no-empty-interface
export interface FeatureFacts {}

/**
 * Values that features derive from the blueprint and their facts, once for all files; each
 * feature's folder declares its own.
 */
// oxlint-disable-next-line typescript/no-empty-interface
export interface Derived {}

/** Every view uses this: the blueprint, with its names resolved. */
export interface Project extends ProjectOptions {
  readonly blueprint: Blueprint
  readonly runtime: string | null
  readonly entities: readonly Entity[]
  readonly isSqlite: boolean
  readonly deleted: ReadonlySet<string>
  /** Those of the hooks that the manifest asks for. */
  readonly lostHooks: readonly string[]
  readonly facts: FeatureFacts
  readonly derived: Derived
  /** The repository whose rows sign in, or null. */
  readonly auth: Entity | null
  readonly entity: (key: string) => Entity
  readonly pivot: (table: string) => Pivot
  /** The features that it has. */
  readonly features: readonly Contribution[]
  /** Their lines in files of others. */
  readonly slots: Slots
  /** Their texts in files for people, and for whoever runs the server. */
  readonly texts: readonly Texts[]
}

/** A feature's addition to a project; a folder that takes more of features declares it. */
export interface Contribution extends Serves {
  /** Its key in `blueprint.features`, where the manifest asks for it. */
  readonly name: string
  readonly packages?: (project: Project) => Packages
  /** Its lines in the files of a repository. */
  readonly entitySlots?: (entity: Entity, project: Surroundings) => Partial<EntitySlots>
  /**
   * What its extensions read of requests that write, besides the body: `{ in: 'header', name: 'If-Match' }`. Controllers hand it
   * to their repositories.
   */
  readonly understands?: readonly Understood[]
  /** Routes of its own, beside those of the API. */
  readonly routes?: (project: Project) => readonly KnownRoute[]
}

export interface Understood {
  readonly in: 'header' | 'query' | 'preference'
  readonly name: string
  /** Returns true if the profile of users takes it, too. */
  readonly isOfProfile?: (project: Pick<Project, 'auth' | 'blueprint'>) => boolean
}

/** Lists the headers and parameters that the project's features understand in writes. */
export const understoodIn = ({ features }: Pick<Project, 'features'>): readonly Understood[] =>
  features.flatMap(({ understands = [] }) => understands)

/** Names of packages that svckit pins. */
export interface Packages {
  readonly dependencies?: readonly string[]
  readonly devDependencies?: readonly string[]
}

/**
 * The parts of other repositories that a repository's files may use: while these stay the same, the
 * files need no rendering.
 */
export interface Surroundings extends Pick<Project, 'derived' | 'deleted' | 'features'> {
  readonly blueprint: Pick<Blueprint, 'database' | 'features'>
  readonly auth: Named | null
  readonly entity: (key: string) => Named
  readonly pivot: (table: string) => Pivot
}

type Named = Pick<Entity, 'key' | 'name' | 'variable' | 'plural'>

const known = new WeakMap<Surroundings, Map<Entity, EntitySlots>>()

/** Collects the features' lines in the files of a repository. */
export function entityLines(entity: Entity, project: Surroundings): EntitySlots {
  const lines = known.get(project) ?? new Map<Entity, EntitySlots>()
  known.set(project, lines)
  const said =
    lines.get(entity) ??
    fillEntitySlots(project.features.map((feature) => feature.entitySlots?.(entity, project) ?? {}))
  lines.set(entity, said)
  return said
}

export const hooksPath = ({ name }: Entity) => `app/Hooks/${name}Hooks.ts`
/** The meaning of a deleted hooks file: svc generate, doctor and the server report it. */
export const lostHooksText =
  'is gone, deleted or renamed: its hooks do not run, and what they compute is not served'

export const policyPath = ({ name }: Entity) => `app/Policies/${name}Policy.ts`
