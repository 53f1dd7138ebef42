import type { Entity } from '../../blueprint/types.js'
import { lowerFirst } from './names.js'
import { inputName, isWritable, openMatches, otherMatches } from './schema-inputs.js'
import { type MemberView, nameOf, type Scope } from './schema-scope.js'

/** Arguments that narrow an index down. */
export function narrowingOf(entity: Entity, type: string, scope: Scope): readonly string[] {
  const isSearched =
    entity.searchable.length > 0 || entity.relations.some(({ searchable }) => searchable.length > 0)
  return [
    ...(isSearched ? ['search: String'] : []),
    ...(hasMatches(entity, scope) ? [`match: ${type}Match`] : []),
    ...scope.parts.flatMap(({ listed }) => listed?.(entity, scope) ?? []),
  ]
}

const hasMatches = (entity: Entity, scope: Scope): boolean =>
  openMatches(entity, scope).length > 0 || otherMatches(entity, scope).length > 0

export function sortingOf(entity: Entity): readonly string[] {
  const { sort, relations, otherSort = [] } = entity
  const isSorted =
    sort.length > 0 || otherSort.length > 0 || relations.some(({ sortable }) => sortable.length > 0)
  return isSorted ? ['sort: [String!]'] : []
}

export function queriesOf(entity: Entity, scope: Scope): readonly MemberView[] {
  const type = nameOf(entity, scope)
  const field = lowerFirst(type)
  const { first, relations } = scope.project.derived.graphql.settings.schema
  const narrowing = [
    ...(relations ? narrowingOf(entity, type, scope) : []),
    ...scope.parts.flatMap(({ listedAtRoot }) => listedAtRoot?.(entity, scope) ?? []),
  ]
  const one = [
    'id: ID!',
    ...scope.parts.flatMap(({ shownAtRoot }) => shownAtRoot?.(entity, scope) ?? []),
  ]
  const sort = relations ? sortingOf(entity) : []
  const list = [`first: Int = ${first}`, 'page: Int = 1', ...narrowing, ...sort].join(', ')
  const counted = narrowing.length === 0 ? '' : `(${narrowing.join(', ')})`
  return [
    resolved(`${field}(${one.join(', ')}): ${type}`, type, 'show'),
    resolved(`${field}List(${list}): [${type}!]!`, type, 'index'),
    ...(relations ? [resolved(`${field}ListTotal${counted}: Int!`, type, 'total')] : []),
    ...scope.parts.flatMap((part) => part.queries?.(entity, scope) ?? []),
  ]
}

/** A repository without a field to write has no input to give. */
export function mutationsOf(entity: Entity, scope: Scope): readonly MemberView[] {
  const type = nameOf(entity, scope)
  const input = (write: 'store' | 'patch') => inputName(entity, write, scope)
  const create = `create${type}(input: ${input('store')}!): ${type}!`
  const more = scope.parts.flatMap(({ changed }) => changed?.(entity, scope) ?? [])
  const given = (...all: readonly string[]) => [...all, ...more].join(', ')
  const update = `update${type}(${given('id: ID!', `input: ${input('patch')}!`)}): ${type}!`
  return [
    ...(isWritable(entity, 'store', scope) ? [resolved(create, type, 'create')] : []),
    ...(isWritable(entity, 'patch', scope) ? [resolved(update, type, 'update')] : []),
    resolved(`delete${type}(${given('id: ID!')}): Boolean!`, type, 'delete'),
    ...scope.parts.flatMap((part) => part.mutations?.(entity, scope) ?? []),
  ]
}

const resolved = (text: string, type: string, method: string): MemberView => ({
  text: `${text} @field(resolver: "${type}Resolver@${method}")`,
  description: null,
})
