import type { Column, Entity } from '../../blueprint/types.js'
import { requiredColumns, writtenColumns, type Write } from '../../plan/written-columns.js'
import { noNames } from '../../source/code-names.js'
import {
  describeColumn,
  input,
  isClosed,
  type MemberView,
  nameOf,
  type Scope,
  typeOf,
  type TypeView,
} from './schema-scope.js'

/** The inputs of a repository: one, or (`precise`) one for create and one for update. */
export function inputTypes(entity: Entity, scope: Scope): readonly TypeView[] {
  const { schema } = scope.project.derived.graphql.settings
  const names = new Set([inputName(entity, 'store', scope), inputName(entity, 'patch', scope)])
  const inputs = [...names].map((name) => {
    const write = name === inputName(entity, 'patch', scope) ? 'patch' : 'store'
    return input(name, inputMembers(entity, write, scope))
  })
  const matches = schema.relations ? matchMembers(entity, scope) : []
  const all = [...(schema.mutations ? inputs : []), input(`${nameOf(entity, scope)}Match`, matches)]
  return all.filter(({ members }) => members.length > 0)
}

/** The name of the specification is that of update, which asks for nothing, and of both where nothing is said to be required. */
export function inputName(entity: Entity, write: Write, scope: Scope): string {
  const isOwn = write === 'store' && scope.project.derived.graphql.settings.schema.precise
  return `${nameOf(entity, scope)}${isOwn ? 'CreateInput' : 'Input'}`
}

/** Returns true if there is anything that a mutation may write. */
export const isWritable = (entity: Entity, write: Write, scope: Scope) =>
  inputMembers(entity, write, scope).length > 0

function inputMembers(entity: Entity, write: Write, scope: Scope): readonly MemberView[] {
  const { precise } = scope.project.derived.graphql.settings.schema
  return membersOf(entity, write, scope, precise ? [write] : ['store', 'patch'])
}

/** Returns the members of an input for changes only, whatever others have. */
export const changedMembers = (entity: Entity, scope: Scope): readonly MemberView[] =>
  membersOf(entity, 'patch', scope, ['patch'])

function membersOf(
  entity: Entity,
  write: Write,
  scope: Scope,
  writes: readonly Write[],
): readonly MemberView[] {
  const members = columnMembers(entity, inputColumns(entity, write, scope), scope)
  const more = scope.parts.flatMap(({ written }) => written?.(entity, scope, writes) ?? [])
  return [...members, ...more]
}

/** A member for each column that some user may write. */
export function columnMembers(
  entity: Entity,
  { columns, required }: InputColumns,
  scope: Scope,
): readonly MemberView[] {
  return columns
    .filter(({ name }) => !isClosed(entity, name, 'written', scope))
    .map((column) => ({
      text: `${column.name}: ${typeOf(entity.key, column, 'ID', scope)}${required.has(column.name) ? '!' : ''}`,
      description: describeColumn(entity.key, column, scope),
    }))
}

/** The columns of an input. */
export function inputColumns(entity: Entity, write: Write, scope: Scope): InputColumns {
  const { precise } = scope.project.derived.graphql.settings.schema
  return precise ? exactColumns(entity, write, scope) : looseColumns(entity)
}

export interface InputColumns {
  readonly columns: readonly Column[]
  readonly required: ReadonlySet<string>
}

/** Lists the columns that some write takes; the rules check the rest. */
const looseColumns = ({ columns }: Entity): InputColumns => ({
  columns: columns.filter(({ readonly }) => !readonly),
  required: new Set(),
})

/** Lists the columns that this write takes and needs, as in the API's document. */
function exactColumns(entity: Entity, write: Write, { project }: Scope): InputColumns {
  const { code } = project.derived.graphql
  const written = { project, codeOf: ({ key }: Entity) => code?.get(key) ?? noNames }
  return {
    columns: writtenColumns(written, entity, write),
    required: new Set(requiredColumns(written, entity, write)),
  }
}

export const openMatches = (entity: Entity, scope: Scope) =>
  entity.match.filter(({ column }) => !isClosed(entity, column, 'shown', scope))

/** By what lists of a repository are matched. */
export function matchMembers(entity: Entity, scope: Scope): readonly MemberView[] {
  const match = openMatches(entity, scope)
  const members = [
    ...match.map(({ column }) => matchMember(entity.key, column, scope)),
    ...scope.parts.flatMap(({ matched }) => matched?.(entity, scope) ?? []),
  ]
  const hasNot = members.length === 0 || match.some(({ column }) => column === 'not')
  if (hasNot) return members
  return [...members, { text: `not: ${nameOf(entity, scope)}Match`, description: null }]
}

/** Match columns are texts, as REST reads them, or what an enum has of them. `owner` is a URI key or a pivot table. */
export function matchMember(owner: string, column: string, { enums }: Scope): MemberView {
  const choice = enums.get(`${owner}.${column}`)?.name
  const type = choice === undefined ? 'String' : `[${choice}!]`
  return { text: `${column}: ${type}`, description: null }
}
