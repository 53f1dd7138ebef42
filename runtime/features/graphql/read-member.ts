import type { GraphQLField, GraphQLFieldResolver, GraphQLObjectType } from 'graphql'
import { mayInclude } from '../relations/resolve-include.js'
import type { Resource } from '../../operations/repository.js'
import { type Asked, relatedQuery } from './look-ahead.js'
import { type Member, recordTypeOf } from './record-type.js'
import type { GraphqlContext } from './resolver.js'

/** In the place of a related entry that could not be read. */
export class Failed {
  constructor(readonly error: unknown) {}
}

/** Whether a value is a record as repositories answer it. */
export function isResource(value: unknown): value is Resource {
  return (
    typeof value === 'object' &&
    value !== null &&
    'attributes' in value &&
    typeof value.attributes === 'object'
  )
}

/** Answers a field of a record's type from the record; of anything else, the property. */
export function readMember(
  type: GraphQLObjectType,
  { name }: GraphQLField<unknown, unknown>,
): GraphQLFieldResolver<unknown, unknown> {
  return (source, _args, context, info) => {
    const member = recordTypeOf(type)?.members.get(name)
    if (!isResource(source)) return propertyOf(source, name)
    if (member === undefined) return source.attributes[name]
    const key = String(info.path.key)
    if (member.kind === 'id' || member.kind === 'attribute' || source.relationships !== undefined) {
      return valueOf(source, member, key)
    }
    // A resolver that did not look ahead: the relation is read for this record alone.
    const related = { ...info, returnType: type, fieldNodes: [parentNode(info.fieldNodes)] }
    return readAlone(source, type, member, key, context as GraphqlContext, related)
  }
}

/** The selection as it would stand below a field that answers the record. */
function parentNode(selections: Asked['fieldNodes']): Asked['fieldNodes'][number] {
  const [first] = selections
  if (first === undefined) throw new TypeError('a field is asked for by no selection')
  return { ...first, selectionSet: { kind: selectionSet, selections } }
}

// A constant of an enum that exists at run time only as this text.
const selectionSet = 'SelectionSet' as NonNullable<
  Asked['fieldNodes'][number]['selectionSet']
>['kind']

async function readAlone(
  source: Resource,
  type: GraphQLObjectType,
  member: Exclude<Member, { kind: 'id' | 'attribute' }>,
  key: string,
  { user }: GraphqlContext,
  info: Asked,
): Promise<unknown> {
  const repository = recordTypeOf(type)?.repository
  if (repository === undefined) return null
  if (!mayInclude(repository, user, member.key)) return null
  return valueOf(await repository.show(user, source.id, relatedQuery(info)), member, key)
}

/** The value under the key it is answered as; null where the user may not ask for it. */
export function valueOf(source: Resource, member: Member, key: string): unknown {
  if (member.kind === 'id') return source.id
  if (member.kind === 'attribute') return source.attributes[member.name] ?? null
  const value = source.relationships?.[key] ?? null
  if (value instanceof Failed) throw value.error
  if (member.kind === 'ids' && Array.isArray(value)) {
    return value.map((each: Resource) => each.id)
  }
  return value
}

function propertyOf(source: unknown, name: string): unknown {
  if (typeof source !== 'object' || source === null || !(name in source)) return undefined
  const value: unknown = Reflect.get(source, name)
  return typeof value === 'function' ? Reflect.apply(value, source, []) : value
}
