import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isListType,
  isObjectType,
} from 'graphql'
import type { AnyRepository } from '../../operations/repository.js'
import { type Entry, relatedOf } from '../relations/entries.js'

/** Where the value of a field of a record comes from. */
export type Member =
  | { readonly kind: 'id' }
  | { readonly kind: 'attribute'; readonly name: string }
  /** A computed entry. */
  | { readonly kind: 'computed'; readonly key: string }
  | { readonly kind: 'one' | 'many'; readonly key: string; readonly record: string }
  | { readonly kind: 'ids' | 'total'; readonly key: string }

/** A type of the schema whose values are records of a repository. */
export interface RecordType {
  readonly repository: AnyRepository
  /** Fields without a resolver of their own. */
  readonly members: ReadonlyMap<string, Member>
}

/** The record type behind a type of the schema, if it is one. */
export function recordTypeOf(type: GraphQLOutputType): RecordType | null {
  const named = getNamedType(type)
  return isObjectType(named) ? (extensions(named).svc ?? null) : null
}

export function setRecordType(type: GraphQLObjectType, record: RecordType): void {
  type.extensions = { ...type.extensions, svc: record }
}

// Only `setRecordType` writes this key.
const extensions = (type: GraphQLObjectType) => type.extensions as { readonly svc?: RecordType }

/** Relations have the names of their keys; a hyphen cannot stand in a name of GraphQL. */
const memberName = (key: string) => key.replaceAll('-', '_')

/** What a field of a record's type reads; null: nothing known, a property of that name. */
export function memberOf(
  { definition }: AnyRepository,
  field: GraphQLField<unknown, unknown>,
  idsOf: string | null,
): Member | null {
  const { name } = field
  if (name === 'id') return { kind: 'id' }
  if (idsOf !== null) return { kind: 'ids', key: idsOf }
  if (definition.attributes.includes(name)) return { kind: 'attribute', name }
  const entries = relatedOf(definition)?.entries ?? new Map<string, Entry>()
  const keys = [...entries.keys()]
  const key = keys.find((each) => memberName(each) === name)
  const relation = entries.get(key ?? '')?.relation
  if (key !== undefined && relation !== undefined) {
    if (relation.kind === 'computed') return { kind: 'computed', key }
    if (relation.kind === 'member') return null
    const kind = isListType(getNullableType(field.type)) ? 'many' : 'one'
    return { kind, key, record: getNamedType(field.type).name }
  }
  const counted = keys.find((each) => `${memberName(each)}_total` === name)
  return counted === undefined ? null : { kind: 'total', key: counted }
}
