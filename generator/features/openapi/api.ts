import type { Column, Entity, Match, Relation } from '../../blueprint/types.js'
import type { Project } from '../../plan/project.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import type { Write } from '../../plan/written-columns.js'
import { noNames, type CodeNames } from '../../source/code-names.js'
import { usualFacts, type Data, type OpenapiFacts } from './facts.js'
import type { Operation } from './operations/operation.js'

/** Every part of the document uses this: the project, its facts, and the names of the schemas. */
export interface Api {
  readonly project: Project
  /** The features' parts, by their names. */
  readonly parts: ReadonlyMap<string, DocumentPart>
  readonly facts: OpenapiFacts
  /** Returns the beginning of a repository's schema names. */
  readonly prefix: (entity: Entity) => string
  readonly codeOf: (entity: Entity) => CodeNames
  /** Repositories from which some related collection can be included, at any depth. */
  readonly canInclude: ReadonlySet<string>
  /** Repositories whose records those of others can keep from being deleted. */
  readonly pointedAt: ReadonlySet<string>
}

/** A feature's part of the API's document. */
export interface DocumentPart {
  /** Returns the operation of one of its own routes. */
  readonly operation?: (api: Api, route: KnownRoute) => Operation
  /** Any operation, as it is where the project has the feature. */
  readonly around?: (operation: Operation, route: KnownRoute, api: Api) => Operation
  /** Members of `meta` of the records of a repository, beside the flags. */
  readonly meta?: (api: Api, entity: Entity) => Data
  /** Headers of answers with one record of a repository. */
  readonly headers?: (api: Api, entity: Entity) => Data
  /** Attributes of them that only some answers show. */
  readonly shown?: (api: Api, entity: Entity) => Data
  /** Names of parameters that columns do not have any more: `filter[…]` speaks of one. */
  readonly takes?: (api: Api, entity: Entity) => readonly string[]
  /** Members of records that are asked for, beside `attributes`: those that an answer may have. */
  readonly members?: (api: Api, entity: Entity) => Data
  /** Returns true if answers may lack any attribute, also what no gate hides: only `fields` leaves them out. */
  readonly mayLack?: (api: Api, entity: Entity) => boolean
  /** Returns the members of a repository's body besides its fields. */
  readonly written?: (api: Api, entity: Entity, write: Write) => Data
  /** What each record says besides its fields, where one request changes many: only its version. */
  readonly inRows?: (api: Api, entity: Entity) => RowMember | null
  /** Parameters of lists of a repository, by what their components are called after its prefix: `compare.price`. */
  readonly listed?: (api: Api, entity: Entity) => Data
  /** Returns the filters of a repository's lists besides its columns, as JSON. */
  readonly filteredBy?: (api: Api, entity: Entity) => readonly BodyFilter[]
  /** Relations of which a request says which records it includes; null: of none, at any depth. Only one feature asks for that. */
  readonly listsIncluded?: (
    api: Api,
    entity: Entity,
  ) => readonly (readonly [key: string, target: Entity])[] | null
  /** Parameters that are one for all repositories, and narrow a list down: only `trashed`. */
  readonly narrowing?: (api: Api, entity: Entity) => readonly Data[]
  /** A paragraph about all operations, at the head of the document. */
  readonly says?: string
  /** The tag of its operations, where it has something to say. */
  readonly tag?: { readonly name: string; readonly description: string }
  /** `securitySchemes/bearer`: what is there though nothing refers to it. */
  readonly always?: readonly string[]
  /** Components that operations refer to. */
  readonly components?: (api: Api) => Components
  /** Components of one repository; each name begins with the prefix of the repository. */
  readonly componentsOf?: (api: Api, entity: Entity) => Components
}

/** A name by which a list is filtered. */
export interface BodyFilter {
  readonly name: string
  /** The compared column and its match type; or the values, where it compares no column. */
  readonly by: { readonly column: Column; readonly type: Match['type'] } | { readonly value: Data }
  /** True for a related record: `where`, too, compares it only where lists have comparisons. */
  readonly isRelated?: true
  /** A minus before its name finds all others. */
  readonly hasMinus: boolean
}

export interface RowMember {
  readonly name: string
  readonly schema: Data
  readonly isRequired: boolean
}

/** By kind and name. */
export type Components = Readonly<Partial<Record<ComponentKind, Readonly<Record<string, Data>>>>>

export type ComponentKind = 'schemas' | 'parameters' | 'responses' | 'headers' | 'securitySchemes'

declare module '../../plan/project.js' {
  interface Contribution {
    /** Loaded where there is a document. */
    readonly document?: () => Promise<DocumentPart>
  }
  interface FeatureFacts {
    /** Absent: of a new project. */
    readonly openapi?: OpenapiFacts
  }
}

export async function apiOf(project: Project): Promise<Api> {
  const facts = project.facts.openapi ?? usualFacts(project.auth !== null)
  const prefixes = prefixesOf(project.entities, sharedSchemas, endings)
  return {
    project,
    parts: await partsOf(project),
    facts,
    prefix: ({ key, name }) => prefixes.get(key) ?? name,
    codeOf: ({ key }) => facts.code.get(key) ?? noNames,
    canInclude: includersOf(project.entities),
    pointedAt: pointedAt(project.entities),
  }
}

async function partsOf({ features }: Project): Promise<Api['parts']> {
  const parts = features.map(async ({ name, document }) => [name, await document?.()] as const)
  const said = await Promise.all(parts)
  return new Map(
    said.flatMap(([name, part]) => (part === undefined ? [] : [[name, part] as const])),
  )
}

/** Asked of the same repository by many operations, and made once. */
export function once<Made>(make: (api: Api, entity: Entity) => Made): typeof make {
  const known = new WeakMap<Api, Map<Entity, Made>>()
  return (api, entity) => {
    const ofApi = known.get(api) ?? new Map<Entity, Made>()
    known.set(api, ofApi)
    const made = ofApi.get(entity) ?? make(api, entity)
    ofApi.set(entity, made)
    return made
  }
}

/** Finds the repositories with a related collection, and all that lead there. */
function includersOf(entities: readonly Entity[]): ReadonlySet<string> {
  const sources = new Map<string, string[]>()
  for (const { key, relations, morphs = [] } of entities) {
    const targets = [
      ...relations.map(({ target }) => target),
      ...morphs.flatMap((morph) => morph.targets),
    ]
    for (const target of targets) sources.set(target, [...(sources.get(target) ?? []), key])
  }
  const found = new Set(
    entities.filter(({ relations }) => relations.some(isToMany)).map(({ key }) => key),
  )
  // A set is walked through what is added on the way, too.
  for (const key of found) for (const source of sources.get(key) ?? []) found.add(source)
  return found
}

function pointedAt(entities: readonly Entity[]): ReadonlySet<string> {
  const columns = entities.flatMap((entity) => entity.columns)
  const pointers = columns.flatMap(({ references, owners = [] }) => [
    ...(references === undefined ? [] : [references]),
    ...owners,
  ])
  return new Set(
    pointers.filter(({ onDelete }) => onDelete === 'restrict').map(({ entity }) => entity),
  )
}

const toMany = new Set(['hasMany', 'morphMany', 'belongsToMany', 'morphToMany'])

export const isToMany = ({ kind }: Relation) => toMany.has(kind)

/** Schemas of every document. */
export const sharedSchemas = [
  'Error',
  'ValidationError',
  'Meta',
  'Page',
  'PageMeta',
  'PageLinks',
  'Json',
  'Id',
] as const

/** Endings of a repository's schema names. */
export const endings = [
  ...['', 'Resource', 'Related', 'Relationships', 'Store', 'Replace', 'Patch', 'Page'],
  'ValidationError',
]

/** The name of a repository, unless something of another is called so: `PostPage` beside `Post`. */
export function prefixesOf(
  entities: readonly Entity[],
  reserved: readonly string[],
  endings: readonly string[],
): ReadonlyMap<string, string> {
  const taken = new Set<string>(reserved)
  const found = new Map<string, string>()
  for (const { key, name } of entities) {
    let prefix = name
    while (endings.some((ending) => taken.has(prefix + ending))) prefix += 'Entity'
    for (const ending of endings) taken.add(prefix + ending)
    found.set(key, prefix)
  }
  return found
}
