import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isListType,
  isObjectType,
} from 'graphql'
import type { AnyRepository } from '../../operations/repository.js'
import { setCounted } from './counted.js'
import { edgesOf, idsOf, resolverOf } from './directives.js'
import type { ReadInput } from './resolver.js'

/**
 * Where a field of a record reads its value: `name` is an attribute, a member of `meta`, or the key of a relation, of
 * which it answers the record (`one`), records (`many`), their `ids` or their `total`. Of a record
 * with its pivot row, `self` is the record and `pivot` the row.
 */
export interface RecordMember {
  readonly kind: Own | 'computed' | 'one' | 'many' | 'ids' | 'total'
  readonly name: string
  /** The column of `meta`, and the attributes beside it. */
  readonly meta?: { readonly column: string; readonly beside: readonly string[] }
  readonly field: GraphQLField<unknown, unknown>
}

/** Members of a record that are no relations. */
type Own = 'id' | 'attribute' | 'meta' | 'self' | 'pivot'

export const isOwn = ({ kind }: RecordMember): boolean =>
  kind === 'id' || kind === 'attribute' || kind === 'meta' || kind === 'self' || kind === 'pivot'

/** Returns the reader of the schema's inputs; null: they hold columns and nothing more. */
export const inputReaderOf = ({ extensions }: GraphQLSchema): ReadInput | undefined =>
  (extensions as { readonly svcInput?: ReadInput }).svcInput // only `setInputReader` writes it

export function setInputReader(schema: GraphQLSchema, readInput: ReadInput | undefined): void {
  schema.extensions = { ...schema.extensions, svcInput: readInput }
}

/** A type of the schema whose values are records of a repository. */
export interface RecordType {
  readonly repository: AnyRepository
  /** Fields without a resolver of their own. */
  readonly members: ReadonlyMap<string, RecordMember>
}

/** The record type behind a type of the schema, if it is one. */
export function recordTypeOf(type: GraphQLOutputType): RecordType | null {
  const named = getNamedType(type)
  return isObjectType(named) ? (extensions(named).svc ?? null) : null
}

export function setRecordType(type: GraphQLObjectType, repository: AnyRepository): void {
  const fields = Object.values(type.getFields())
  const members = fields.flatMap((field) => {
    const member = resolverOf(field.astNode) === null ? memberOf(repository, field) : null
    return member === null ? [] : [member]
  })
  setMembers(type, repository, members)
  for (const { kind, name, field } of members) {
    const list = kind === 'total' ? members.find((each) => isListOf(each, name)) : undefined
    if (list) setCounted(field, () => recordTypeOf(list.field.type)?.repository ?? null)
  }
}

const isListOf = (member: RecordMember, name: string): boolean =>
  member.kind === 'many' && member.name === name

/** Lets values of a type be records, whose fields read these. */
export function setMembers(
  type: GraphQLObjectType,
  repository: AnyRepository,
  list: readonly RecordMember[],
): void {
  const members = new Map(list.map((member) => [member.field.name, member]))
  type.extensions = { ...type.extensions, svc: { repository, members } }
}

// Only `setMembers` writes this key.
const extensions = (type: GraphQLObjectType) => type.extensions as { readonly svc?: RecordType }

/** Null: nothing known, a property of that name. */
function memberOf(
  { definition }: AnyRepository,
  field: RecordMember['field'],
): RecordMember | null {
  const { name } = field
  if (name === 'id') return { kind: 'id', name, field }
  const ids = idsOf(field.astNode)
  if (ids !== null) return { kind: 'ids', name: ids, field }
  const edges = edgesOf(field.astNode)
  if (edges !== null) return { kind: 'many', name: edges, field }
  if (definition.attributes.includes(name)) return { kind: 'attribute', name, field }
  const ofMeta = definition.extensions
    .flatMap(({ says }) => Object.entries(says?.meta ?? {}))
    .find(([, column]) => column === name)
  if (ofMeta !== undefined) {
    const [member, column] = ofMeta
    return { kind: 'meta', name: member, field, meta: { column, beside: definition.attributes } }
  }
  const entries = [...(definition.relations?.kinds ?? [])]
  const [key, kind] = entries.find(([each]) => fieldName(each) === name) ?? []
  if (key === undefined) {
    const [counted] = entries.find(([each]) => `${fieldName(each)}_total` === name) ?? []
    return counted === undefined ? null : { kind: 'total', name: counted, field }
  }
  if (kind === 'member') return null
  if (kind === 'computed') return { kind: 'computed', name: key, field }
  return { kind: isListType(getNullableType(field.type)) ? 'many' : 'one', name: key, field }
}

/** Relations have the names of their keys; a hyphen cannot stand in a name of GraphQL. */
const fieldName = (key: string) => key.replaceAll('-', '_')
