import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLObjectType } from 'graphql'
import type { Meta } from '../../model/resource.js'
import type { Resource } from '../../operations/repository.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { entryQuery } from './look-ahead.js'
import { isOwn, type RecordMember, recordTypeOf } from './record-type.js'
import type { GraphqlContext } from './resolver.js'

/** In the place of a related entry that could not be read. */
export class Failed {
  constructor(readonly error: unknown) {}
}

/** Returns true if a value is a record as repositories answer it. */
export function isResource(value: unknown): value is Resource {
  return (
    typeof value === 'object' &&
    value !== null &&
    'attributes' in value &&
    typeof value.attributes === 'object'
  )
}

/** The value answered under `key`; null where the user may not ask for it. */
export function memberValue(source: Resource, member: RecordMember, key: string): unknown {
  const { kind, name, meta } = member
  if (kind === 'id') return source.id
  if (kind === 'attribute') return source.attributes[name] ?? null
  // A record that was written has its `meta`; one that was read has what was asked for.
  if (meta !== undefined) return source.attributes[meta.column] ?? memberOfMeta(source, name)
  if (kind === 'self') return source
  if (kind === 'pivot') return source.pivots
  const value = source.relationships?.[key] ?? null
  if (value instanceof Failed) throw value.error
  return kind === 'ids' && Array.isArray(value) ? value.map(({ id }: Resource) => id) : value
}

const memberOfMeta = ({ meta = {} as Meta }: Resource, name: string): unknown =>
  Object.hasOwn(meta, name) ? meta[name as keyof Meta] : null

/** Answers a field of a record's type from the record; of anything else, the property. */
export function readMember(
  type: GraphQLObjectType,
  name: string,
): GraphQLFieldResolver<unknown, GraphqlContext> {
  const record = recordTypeOf(type)
  const member = record?.members.get(name)
  return (source, args, context, info) => {
    if (!isResource(source)) return defaultFieldResolver(source, args, context, info)
    if (record === null || member === undefined) return source.attributes[name]
    const key = String(info.path.key)
    if (isOwn(member) || source.relationships !== undefined) {
      return memberValue(source, member, key)
    }
    // A resolver that did not look ahead: the relation is read for this record alone.
    const { definition } = record.repository
    const access = accessTo(newRequest(context.user), definition)
    if (definition.relations?.mayInclude(access, member.name) !== true) return null
    const query = entryQuery(info, key, member)
    const reading = record.repository.show(context.user, source.id, query)
    return reading.then((resource) => memberValue(resource, member, key))
  }
}
