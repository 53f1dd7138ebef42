import type { Entity } from '../../blueprint/types.js'
import type { Project } from '../project.js'
import { noNames, usualFacts, type CodeNames, type OpenapiFacts } from './facts.js'

/** What every part of the document asks: the project, its facts, and the names of the schemas. */
export interface Api {
  readonly project: Project
  readonly facts: OpenapiFacts
  /** What the schemas of a repository begin with. */
  readonly prefix: (entity: Entity) => string
  readonly codeOf: (entity: Entity) => CodeNames
}

export function apiOf(project: Project): Api {
  const facts = project.openapi ?? usualFacts(project.auth !== null)
  const prefixes = prefixesOf(project.entities)
  return {
    project,
    facts,
    prefix: ({ key, name }) => prefixes.get(key) ?? name,
    codeOf: ({ key }) => facts.code.get(key) ?? noNames,
  }
}

/** Schemas of every document. */
export const sharedSchemas = [
  'Error',
  'ValidationError',
  'Meta',
  'PageMeta',
  'PageLinks',
  'Json',
  'Id',
] as const

const endings = [
  ...['', 'Resource', 'Related', 'Relationships', 'Store', 'Replace', 'Patch', 'Page'],
  'ValidationError',
]

/** The name of a repository, unless a schema of another is called so: `PostPage` beside `Post`. */
function prefixesOf(entities: readonly Entity[]): ReadonlyMap<string, string> {
  const taken = new Set<string>(sharedSchemas)
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
