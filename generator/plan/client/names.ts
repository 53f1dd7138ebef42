import type { Entity } from '../../blueprint/types.js'
import { prefixesOf, type Api } from '../openapi/api.js'

/** The project as its client sees it: what the document tells of it, and the names of the emitted code. */
export interface Client {
  readonly api: Api
  /** What the types of a repository begin with. */
  readonly name: (entity: Entity) => string
  /** Its module beside the others, without an ending. */
  readonly module: (entity: Entity) => string
}

export function clientOf(api: Api): Client {
  const { entities } = api.project
  const names = prefixesOf(entities, [...exported, ...others], typeEndings)
  return {
    api,
    name: ({ key, name }) => names.get(key) ?? name,
    module: ({ key }) => (modules.has(key.toLowerCase()) ? `${key}-repository` : key),
  }
}

/** Types of `types.ts` that modules import. */
export const exported = [
  ...['Each', 'Id', 'ListQuery', 'Many', 'One', 'Options', 'Page', 'Paths', 'Range'],
  ...['Resource', 'ShowQuery', 'Some'],
] as const

/** Other types that they speak of. */
const others = ['Api', 'Omit', 'Partial', 'Promise']

/** What the name of a repository is followed by; nothing: the record itself. */
export const typeEndings = [
  ...['', 'Attributes', 'Include', 'Match', 'Model', 'Patch', 'Query', 'Relations', 'Replace'],
  ...['Sort', 'Store'],
] as const

/** Modules that are no repository's. */
const modules = new Set(['auth', 'client', 'types'])
