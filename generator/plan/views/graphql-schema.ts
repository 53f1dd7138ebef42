import { FIELD_KINDS } from '../../blueprint/field-kinds.js'
import { idsName } from '../../blueprint/names.js'
import type { Column, Entity } from '../../blueprint/types.js'
import { lowerFirst } from '../graphql/names.js'
import { isToMany, memberName } from '../graphql/settings.js'
import { unionsOf, type Union } from '../graphql/unions.js'
import type { Project } from '../project.js'
import { isShown } from './repository.js'

export interface GraphqlSchemaView {
  readonly scalars: readonly string[]
  readonly hasIds: boolean
  readonly queries: readonly MemberView[]
  readonly mutations: readonly MemberView[]
  readonly types: readonly (TypeView & { readonly union: string | null })[]
}

interface TypeView {
  /** `type` or `input`. */
  readonly kind: string
  readonly name: string
  /** As it stands in the schema, quotes included; null: none. */
  readonly description: string | null
  readonly members: readonly MemberView[]
  /** Of a union: `Post | User`. */
  readonly union?: string | null
}

interface MemberView {
  /** `title: String`, arguments and directives included. */
  readonly text: string
  readonly description: string | null
}

interface Scope {
  readonly project: Project
  readonly names: ReadonlyMap<string, string>
  readonly unions: readonly Union[]
}

export function graphqlSchemaView(project: Project): GraphqlSchemaView {
  const names = project.graphqlTypes
  const scope = { project, names, unions: unionsOf(project.entities, names) }
  const { output, schema } = project.graphql.settings
  const entities = project.entities.filter(({ key }) => scope.names.has(key))
  const types = entities.flatMap((entity) => typesOf(entity, scope))
  const unions = schema.relations ? scope.unions.map(unionType) : []
  const byName = output.sort === 'name'
  const sort = <Item>(items: readonly Item[], name: (item: Item) => string) =>
    byName ? items.toSorted((a, b) => (name(a) < name(b) ? -1 : 1)) : items
  const queries = entities.flatMap((entity) => queriesOf(entity, scope))
  const mutations = schema.mutations ? entities.flatMap((entity) => mutationsOf(entity, scope)) : []
  return {
    scalars: scalarsIn([...types, ...unions]),
    hasIds: types.some(({ members }) => members.some(({ text }) => text.includes('@ids('))),
    queries: sort(queries, ({ text }) => text),
    mutations: sort(mutations, ({ text }) => text),
    types: sort([...types, ...unions], ({ name }) => name).map((each) => ({
      union: null,
      ...each,
    })),
  }
}

const unionType = ({ name, types }: Union): TypeView => ({
  kind: 'union',
  name,
  description: null,
  members: [],
  union: types.join(' | '),
})

const builtIn = new Set(['String', 'Int', 'Float', 'Boolean', 'ID'])

/** Types that are named and not declared: JSON, and those of the config. */
function scalarsIn(types: readonly TypeView[]): readonly string[] {
  const declared = new Set(types.map(({ name }) => name))
  const named = types.flatMap(({ members }) =>
    members.map(({ text }) => /: \[?(\w+)[!\]]*(?: @.*)?$/.exec(text)?.[1] ?? 'String'),
  )
  return [...new Set(named)].filter((name) => !builtIn.has(name) && !declared.has(name)).toSorted()
}

function typesOf(entity: Entity, scope: Scope): readonly TypeView[] {
  const name = nameOf(entity, scope)
  const { schema } = scope.project.graphql.settings
  const inputs = schema.mutations ? inputMembers(entity, scope) : []
  const matches = schema.relations ? matchMembers(entity, name, scope) : []
  const description = describe(entity.description, scope)
  return [
    { kind: 'type', name, description, members: outputMembers(entity, scope) },
    ...(inputs.length === 0 ? [] : [input(`${name}Input`, inputs)]),
    ...(matches.length === 0 ? [] : [input(`${name}Match`, matches)]),
  ]
}

const input = (name: string, members: readonly MemberView[]) => ({
  kind: 'input',
  name,
  description: null,
  members,
})

const nameOf = ({ key, name }: Entity, { names }: Scope) => names.get(key) ?? name

function describe(text: string | undefined, { project }: Scope): string | null {
  if (text === undefined || !project.graphql.settings.output.descriptions) return null
  return JSON.stringify(text.replaceAll(/\s+/g, ' ').trim())
}

function outputMembers(entity: Entity, scope: Scope): readonly MemberView[] {
  const { settings } = scope.project.graphql
  const columns = entity.columns.filter(
    (column) =>
      isShown(column) &&
      !isClosed(entity, column.name, 'shown', scope) &&
      (settings.schema.timestamps || column.role !== 'timestamp'),
  )
  const members = new Map<string, MemberView>([['id', { text: 'id: ID!', description: null }]])
  for (const column of columns) {
    const text = `${column.name}: ${typeOf(entity, column, 'String', scope)}`
    members.set(column.name, { text, description: describe(column.description, scope) })
  }
  for (const { name, key } of idLists(entity, scope)) {
    members.set(name, { text: `${name}: [String!] @ids(of: "${key}")`, description: null })
  }
  if (settings.schema.relations) addRelated(members, entity, scope)
  return [...members.values()]
}

/** A column of the same name stays what it is. */
function addRelated(members: Map<string, MemberView>, entity: Entity, scope: Scope): void {
  const add = (name: string, type: string, description: string | undefined) => {
    if (members.has(name)) return
    const [head] = name.split('(')
    members.set(head ?? name, {
      text: `${name}: ${type}`,
      description: describe(description, scope),
    })
  }
  for (const relation of entity.relations) {
    const target = scope.names.get(relation.target)
    if (target === undefined || isClosed(entity, relation.key, 'shown', scope)) continue
    const name = memberName(relation.key)
    if (members.has(name)) continue
    if (!isToMany(relation)) {
      add(name, target, relation.description)
      continue
    }
    const related = scope.project.entity(relation.target)
    const pages = [`first: Int = ${related.relatablePerPage}`, 'page: Int = 1']
    const narrowing = narrowingOf(related, target, scope)
    const list = [...pages, ...narrowing, ...sortingOf(related)]
    add(`${name}(${list.join(', ')})`, `[${target}!]`, relation.description)
    const counted = narrowing.length === 0 ? '' : `(${narrowing.join(', ')})`
    if (!isRelated(entity, `${name}_total`)) add(`${name}_total${counted}`, 'Int', undefined)
  }
  for (const { key, description } of entity.morphs ?? []) {
    const union = scope.unions.find((each) => each.of === entity.key && each.key === key)
    if (union === undefined || isClosed(entity, key, 'shown', scope)) continue
    add(memberName(key), union.name, description)
  }
  for (const { key } of entity.computed) {
    if (!isClosed(entity, key, 'shown', scope)) add(memberName(key), 'JSON', undefined)
  }
}

/** A total gives way to a relation of its name. */
const isRelated = ({ relations, computed }: Entity, name: string) =>
  [...relations, ...computed].some(({ key }) => memberName(key) === name)

/** Arguments that narrow an index down. */
function narrowingOf(entity: Entity, type: string, scope: Scope): readonly string[] {
  const isSearched =
    entity.searchable.length > 0 || entity.relations.some(({ searchable }) => searchable.length > 0)
  return [
    ...(isSearched ? ['search: String'] : []),
    ...(openMatches(entity, scope).length === 0 ? [] : [`match: ${type}Match`]),
  ]
}

const openMatches = (entity: Entity, scope: Scope) =>
  entity.match.filter(({ column }) => !isClosed(entity, column, 'shown', scope))

function sortingOf(entity: Entity): readonly string[] {
  const isSorted =
    entity.sort.length > 0 || entity.relations.some(({ sortable }) => sortable.length > 0)
  return isSorted ? ['sort: [String!]'] : []
}

function typeOf(
  entity: Entity,
  column: Column,
  pointer: 'ID' | 'String',
  { project }: Scope,
): string {
  const { fields, types } = project.graphql.settings
  const own = fields[`${entity.key}.${column.name}`]
  if (own !== undefined) return own
  if (column.role === 'foreign' || column.role === 'morphId') return pointer
  return types[column.kind] ?? FIELD_KINDS[column.kind].graphql
}

function inputMembers(entity: Entity, scope: Scope): readonly MemberView[] {
  const columns = entity.columns.filter(
    (column) => !column.readonly && !isClosed(entity, column.name, 'written', scope),
  )
  const lists = idLists(entity, scope)
    .filter(({ isWritable }) => isWritable)
    .map(({ name, key }) => ({ text: `${name}: [ID!] @ids(of: "${key}")`, description: null }))
  const members = columns.map((column) => ({
    text: `${column.name}: ${typeOf(entity, column, 'ID', scope)}`,
    description: describe(column.description, scope),
  }))
  return [...members, ...lists]
}

/** Match columns are texts, as REST reads them. */
function matchMembers(entity: Entity, name: string, scope: Scope): readonly MemberView[] {
  const match = openMatches(entity, scope)
  const members = match.map(({ column }) => ({ text: `${column}: String`, description: null }))
  const hasNot = match.length === 0 || match.some(({ column }) => column === 'not')
  return hasNot ? members : [...members, { text: `not: ${name}Match`, description: null }]
}

interface IdList {
  readonly name: string
  readonly key: string
  /** Requests may write the column that points back. */
  readonly isWritable: boolean
}

/** Whether inputs hold lists of ids of children. */
export function hasIdLists(project: Project): boolean {
  const { mutations } = project.graphql.settings.schema
  const known = project.entities.filter(({ key }) => project.graphqlTypes.has(key))
  return (
    mutations &&
    known.some((entity) => idLists(entity, { project }).some(({ isWritable }) => isWritable))
  )
}

/** To-many relations that the manifest, or the config, lists as fields too. */
function idLists(entity: Entity, { project }: Pick<Scope, 'project'>): readonly IdList[] {
  const asked = project.graphql.settings.schema.ids[entity.key] ?? []
  const listed = entity.relations.filter(
    ({ key, kind, listed }) => kind === 'hasMany' && (listed === true || asked.includes(key)),
  )
  return listed.map(({ key, target, foreignKey }) => {
    const column = project.entity(target).columns.find(({ name }) => name === foreignKey)
    return {
      key,
      name: idsName(memberName(key)),
      isWritable: column?.readonly === false,
    }
  })
}

function queriesOf(entity: Entity, scope: Scope): readonly MemberView[] {
  const type = nameOf(entity, scope)
  const field = lowerFirst(type)
  const { first, relations } = scope.project.graphql.settings.schema
  const narrowing = relations ? narrowingOf(entity, type, scope) : []
  const sort = relations ? sortingOf(entity) : []
  const list = [`first: Int = ${first}`, 'page: Int = 1', ...narrowing, ...sort].join(', ')
  const counted = narrowing.length === 0 ? '' : `(${narrowing.join(', ')})`
  return [
    resolved(`${field}(id: ID!): ${type}`, type, 'show'),
    resolved(`${field}List(${list}): [${type}!]!`, type, 'index'),
    ...(relations ? [resolved(`${field}ListTotal${counted}: Int!`, type, 'total')] : []),
  ]
}

function mutationsOf(entity: Entity, scope: Scope): readonly MemberView[] {
  const type = nameOf(entity, scope)
  const isWritable = inputMembers(entity, scope).length > 0
  const writes = [
    resolved(`create${type}(input: ${type}Input!): ${type}!`, type, 'create'),
    resolved(`update${type}(id: ID!, input: ${type}Input!): ${type}!`, type, 'update'),
  ]
  // A repository without a field to write has no input to give.
  return [
    ...(isWritable ? writes : []),
    resolved(`delete${type}(id: ID!): Boolean!`, type, 'delete'),
  ]
}

const resolved = (text: string, type: string, method: string): MemberView => ({
  text: `${text} @field(resolver: "${type}Resolver@${method}")`,
  description: null,
})

function isClosed(
  { key }: Entity,
  name: string,
  how: 'shown' | 'written',
  { project }: Scope,
): boolean {
  return project.graphql.closed.get(key)?.[how].has(name) === true
}
