import { camelCase, isReservedVariable } from '../../../blueprint/names/names.js'
import type { Entity } from '../../../blueprint/types.js'
import { readingTypesOf, recordPartOf, type Client } from '../names.js'
import { readingOf, type Reading } from '../reading.js'

export interface ClientQueriesView extends Reading {
  readonly source: string
  readonly key: string
  readonly plural: string
  /** `posts`: what the module is called here. */
  readonly variable: string
  /** The beginning of the factories' names. */
  readonly stem: string
  readonly module: string
  readonly name: string
  readonly types: readonly string[]
  /** Names from `types.ts`. */
  readonly shared: readonly string[]
  /** Lists are asked in a body, too; and what that takes. */
  readonly isSearched: boolean
  readonly searchQuery: string
  /** Changes say which version they are about, and may leave it out. */
  readonly version: 'version' | 'version?' | null
}

export function clientQueriesView(entity: Entity, client: Client): ClientQueriesView {
  const { key, source, plural } = entity
  const name = client.name(entity)
  const reading = readingOf(client, [entity])
  const more = [...client.parts.values()].flatMap(
    ({ searchedWith }) => searchedWith?.(client, entity) ?? [],
  )
  const searchQuery = [reading.listQuery, ...more].join('')
  const asked = [reading.generics, searchQuery, reading.showQuery].join(' ')
  const isNamed = (type: string) => new RegExp(`\\b${type}\\b`).test(asked)
  const read = ['Attributes', 'Include', 'Relations', 'Where'].map((ending) => name + ending)
  const shared = ['ShowQuery', 'Options', ...Object.keys(readingTypesOf(client))]
  return {
    ...reading,
    ...{ isSearched: more.length > 0, searchQuery },
    ...{ source, key, plural, name, version: versionIn(client, entity) },
    shared: shared.filter(isNamed).toSorted(),
    variable: isTaken(camelCase(key)) ? `${camelCase(key)}Repository` : camelCase(key),
    stem: camelCase(key),
    module: client.module(entity),
    types: [
      ...read.filter(isNamed),
      `${name}Patch`,
      `${name}Query`,
      `${name}Replace`,
      `${name}Store`,
    ].toSorted(),
  }
}

function versionIn(client: Client, entity: Entity): ClientQueriesView['version'] {
  const part = recordPartOf(client, entity)
  if (part === null) return null
  return part.isRequired ? 'version' : 'version?'
}

/** Names that the file has itself. */
const own = new Set([
  ...['api', 'body', 'id', 'meta', 'page', 'query', 'signal', 'version'],
  ...['infiniteQueryOptions', 'mutationOptions', 'queryOptions'],
])

const isTaken = (name: string) => isReservedVariable(name) || own.has(name)
