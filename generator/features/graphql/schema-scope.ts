import type { Column, Entity, Relation } from '../../blueprint/types.js'
import { kindOf } from '../../kinds/kinds.js'
import type { Project, Surroundings } from '../../plan/project.js'
import type { Import } from '../../plan/render/imports.js'
import type { Write } from '../../plan/written-columns.js'
import { type AnswerType, answerTypesOf } from './answer-types.js'
import { enumsOf, type EnumType, isList } from './enums.js'
import { type FreeName, freeNames } from './names.js'
import { unionsOf, type Union } from './unions.js'

/** A type of the schema file. */
export interface TypeView {
  /** `type`, `input` or `enum`. */
  readonly kind: string
  readonly name: string
  /** As it stands in the schema, quotes included; null: none. */
  readonly description: string | null
  readonly members: readonly MemberView[]
  /** The members of a union: `Post | User`. */
  readonly union?: string | null
}

export interface MemberView {
  /** `title: String`, arguments and directives included. */
  readonly text: string
  readonly description: string | null
}

export const input = (name: string, members: readonly MemberView[]): TypeView => ({
  kind: 'input',
  name,
  description: null,
  members,
})

/** A feature's part of the schema. */
export interface GraphqlPart {
  /** Members of the type of a record, between its columns and its relations. */
  readonly shown?: (entity: Entity, scope: Scope) => readonly MemberView[]
  /** Members beside the list of a relation; `given` are the arguments of the list. */
  readonly besideList?: (
    entity: Entity,
    relation: Relation,
    given: string,
    scope: Scope,
  ) => readonly MemberView[]
  /** Members of an input of a repository; `writes` are those that it is of. */
  readonly written?: (
    entity: Entity,
    scope: Scope,
    writes: readonly Write[],
  ) => readonly MemberView[]
  /** Members of the input by which lists of a repository are matched, beside columns. */
  readonly matched?: (entity: Entity, scope: Scope) => readonly MemberView[]
  /**
   * Returns members of the input that compares columns: `comparisonOf` names the type for a column
   * of a repository, or pivot table.
   */
  readonly compared?: (
    entity: Entity,
    scope: Scope,
    comparisonOf: (owner: string, column: Column) => string | null,
  ) => { readonly members: readonly MemberView[]; readonly types: readonly TypeView[] }
  /** Arguments of the lists of a repository. */
  readonly listed?: (entity: Entity, scope: Scope) => readonly string[]
  /** Returns the arguments of a whole repository's list and total, not of a relation. */
  readonly listedAtRoot?: (entity: Entity, scope: Scope) => readonly string[]
  /** Returns the arguments of one record. */
  readonly shownAtRoot?: (entity: Entity, scope: Scope) => readonly string[]
  /** Arguments of mutations that change or delete one record; `other`: of a mutation that a feature adds. */
  readonly changed?: (entity: Entity, scope: Scope, of?: 'other') => readonly string[]
  /** Members of each of several records that one mutation changes, beside its fields: `version: Int`. */
  readonly inRows?: (entity: Entity, scope: Scope) => readonly string[]
  readonly queries?: (entity: Entity, scope: Scope) => readonly MemberView[]
  readonly mutations?: (entity: Entity, scope: Scope) => readonly MemberView[]
  /** Types of its own; those that nothing names are left out. */
  readonly types?: (scope: Scope) => readonly TypeView[]
  /** Declared where some member has them. */
  readonly directives?: readonly Directive[]
}

export interface Directive {
  readonly name: string
  /** The description in the schema: what it does, and where. */
  readonly description: string
  readonly text: string
}

/** A feature's addition to GraphQL. */
export interface GraphqlFeature {
  /** Made once for a schema; `free` gives its types names that no other type has. */
  readonly part?: (project: Project, free: FreeName) => GraphqlPart
  /** In the endpoint: its imports, and options of `createGraphql`. */
  readonly endpoint?: (project: Project) => Lines | null
  /** In the resolver class of a repository: its imports, and methods. */
  readonly resolver?: (entity: Entity, project: Surroundings) => Lines | null
}

export interface Lines {
  readonly imports: readonly Import[]
  readonly lines: readonly string[]
}

declare module '../../plan/project.js' {
  interface Contribution {
    readonly graphql?: GraphqlFeature
  }
}

/** Every part of the schema uses this: the project, and the names of all types. */
export interface Scope {
  readonly project: Project
  readonly names: ReadonlyMap<string, string>
  readonly unions: readonly Union[]
  /** By `posts.status`. */
  readonly enums: ReadonlyMap<string, EnumType>
  /** The features' parts. */
  readonly parts: readonly GraphqlPart[]
  /** By `posts.reading_time`. */
  readonly answers: ReadonlyMap<string, AnswerType>
}

export function scopeOf(project: Project): Scope {
  const { entities, blueprint } = project
  const { settings, types: names } = project.derived.graphql
  const free = freeNames(names, settings)
  return {
    project,
    names,
    unions: unionsOf(entities, names, free),
    enums: enumsOf(entities, blueprint.pivots, names, settings, free),
    parts: project.features.flatMap(({ graphql }) => graphql?.part?.(project, free) ?? []),
    answers: answerTypesOf(entities, names, settings, free),
  }
}

export const nameOf = ({ key, name }: Entity, { names }: Scope) => names.get(key) ?? name

export function descriptionIn(text: string | undefined, { project }: Scope): string | null {
  if (text === undefined || !project.derived.graphql.settings.output.descriptions) return null
  return JSON.stringify(text.replaceAll(/\s+/g, ' ').trim())
}

/**
 * Describes a column; options that are no enum are listed. `owner` is a URI key or a pivot table.
 */
export function describeColumn(owner: string, column: Column, scope: Scope): string | null {
  const { description, name, options = [] } = column
  const isListed = options.length > 0 && !scope.enums.has(`${owner}.${name}`)
  const some = isList(column) ? 'Some' : 'One'
  const listing = isListed ? [`${some} of: ${options.join(', ')}`] : []
  const parts = [...(description === undefined ? [] : [description]), ...listing]
  return descriptionIn(parts.length === 0 ? undefined : parts.join('. '), scope)
}

/** The type of a column; `pointer` is that of a foreign key. */
export function typeOf(
  owner: string,
  column: Column,
  pointer: 'ID' | 'String',
  { project, enums }: Scope,
): string {
  const { fields, types } = project.derived.graphql.settings
  const configured = fields[`${owner}.${column.name}`]
  if (configured !== undefined) return configured
  if (column.role === 'id' && pointer === 'ID') return pointer
  if (column.role === 'foreign' || column.role === 'morphId') return pointer
  const choice = enums.get(`${owner}.${column.name}`)?.name
  if (choice !== undefined) return isList(column) ? `[${choice}!]` : choice
  return types[column.kind] ?? kindOf(column.kind).graphql
}

export function isClosed(
  { key }: Entity,
  name: string,
  how: 'shown' | 'written',
  { project }: Pick<Scope, 'project'>,
): boolean {
  return project.derived.graphql.closed.get(key)?.[how].has(name) === true
}
