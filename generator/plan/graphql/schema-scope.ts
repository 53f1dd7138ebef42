import { FIELD_KINDS } from '../../blueprint/field-kinds.js'
import type { Column, Entity } from '../../blueprint/types.js'
import type { Project } from '../project.js'
import { type AnswerType, answerTypesOf } from './answer-types.js'
import { enumsOf, type EnumType, isList } from './enums.js'
import { freeNames } from './names.js'
import { type PivotTypes, pivotTypesOf } from './pivot-types.js'
import { unionsOf, type Union } from './unions.js'

/** A type of the schema file. */
export interface TypeView {
  /** `type`, `input` or `enum`. */
  readonly kind: string
  readonly name: string
  /** As it stands in the schema, quotes included; null: none. */
  readonly description: string | null
  readonly members: readonly MemberView[]
  /** Of a union: `Post | User`. */
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

/** What every part of the schema asks: the project, and the names of all types. */
export interface Scope {
  readonly project: Project
  readonly names: ReadonlyMap<string, string>
  readonly unions: readonly Union[]
  /** By `posts.status`. */
  readonly enums: ReadonlyMap<string, EnumType>
  readonly pivots: PivotTypes
  /** By `posts.reading_time`. */
  readonly answers: ReadonlyMap<string, AnswerType>
}

export function scopeOf(project: Project): Scope {
  const { graphqlTypes: names, entities, blueprint } = project
  const { settings } = project.graphql
  const free = freeNames(names, settings)
  return {
    project,
    names,
    unions: unionsOf(entities, names, free),
    enums: enumsOf(entities, blueprint.pivots, names, settings, free),
    pivots: pivotTypesOf(project, free),
    answers: answerTypesOf(entities, names, settings, free),
  }
}

export const nameOf = ({ key, name }: Entity, { names }: Scope) => names.get(key) ?? name

export function descriptionIn(text: string | undefined, { project }: Scope): string | null {
  if (text === undefined || !project.graphql.settings.output.descriptions) return null
  return JSON.stringify(text.replaceAll(/\s+/g, ' ').trim())
}

/** Of a column; options that are no enum are listed. `owner` is a URI key or a pivot table. */
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
  const { fields, types } = project.graphql.settings
  const configured = fields[`${owner}.${column.name}`]
  if (configured !== undefined) return configured
  if (column.role === 'foreign' || column.role === 'morphId') return pointer
  const choice = enums.get(`${owner}.${column.name}`)?.name
  if (choice !== undefined) return isList(column) ? `[${choice}!]` : choice
  return types[column.kind] ?? FIELD_KINDS[column.kind].graphql
}

export function isClosed(
  { key }: Entity,
  name: string,
  how: 'shown' | 'written',
  { project }: Pick<Scope, 'project'>,
): boolean {
  return project.graphql.closed.get(key)?.[how].has(name) === true
}
