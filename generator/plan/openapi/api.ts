import type { Entity, Relation } from '../../blueprint/types.js'
import type { Project } from '../project.js'
import { noNames, usualFacts, type CodeNames, type OpenapiFacts } from './facts.js'

/** What every part of the document asks: the project, its facts, and the names of the schemas. */
export interface Api {
  readonly project: Project
  readonly facts: OpenapiFacts
  /** What the schemas of a repository begin with. */
  readonly prefix: (entity: Entity) => string
  readonly codeOf: (entity: Entity) => CodeNames
  /** Repositories from which some related collection can be included, at any depth. */
  readonly canInclude: ReadonlySet<string>
  /** Repositories whose records those of others can keep from being deleted. */
  readonly pointedAt: ReadonlySet<string>
}

export function apiOf(project: Project): Api {
  const facts = project.openapi ?? usualFacts(project.auth !== null)
  const prefixes = prefixesOf(project.entities, sharedSchemas, endings)
  return {
    project,
    facts,
    prefix: ({ key, name }) => prefixes.get(key) ?? name,
    codeOf: ({ key }) => facts.code.get(key) ?? noNames,
    canInclude: includersOf(project.entities),
    pointedAt: pointedAt(project.entities),
  }
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

/** Those with a related collection, and all that lead there. */
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

/** What the names of schemas of a repository end with. */
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

export const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` })
export const response = (name: string) => ({ $ref: `#/components/responses/${name}` })
export const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })
