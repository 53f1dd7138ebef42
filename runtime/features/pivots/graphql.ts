import {
  getNamedType,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
} from 'graphql'
import { HttpError } from '../../errors.js'
import type { Input } from '../../input/validation.js'
import { readId } from '../../model/ids.js'
import type { AnyRepository, Resource } from '../../operations/repository.js'
import { edgesOf } from '../graphql/directives.js'
import { showQuery } from '../graphql/look-ahead.js'
import { readMember } from '../graphql/read-member.js'
import { recordTypeOf, setMembers } from '../graphql/record-type.js'
import type { GraphqlPivots, ResolverClass } from '../graphql/resolver.js'
import { type PivotOperation, pivotMethod } from './pivot-policy.js'
import { changePivots } from './pivots.js'

/** For `createGraphql`: many-to-many relations, written and with what their pivot rows hold. */
export const graphqlPivots: GraphqlPivots = { setEdgeTypes }

/**
 * Makes the resolvers that the schema names as `CompanyResolver@attachUsers`, for each many-to-many
 * relation.
 */
export function pivotResolver(repository: AnyRepository): ResolverClass {
  const methods: Record<string, ResolverClass[string]> = {}
  for (const [key, kind] of repository.definition.relations?.kinds ?? []) {
    if (kind !== 'belongsToMany' && kind !== 'morphToMany') continue
    for (const operation of ['attach', 'sync', 'detach'] as const) {
      methods[pivotMethod(operation, key)] = (_root, { id, ids, pivot }, { user }, info) =>
        changeRelated(operation, repository, user, { id, key, ids, pivot }, info)
    }
  }
  return methods
}

interface Change {
  readonly id: string
  /** The key of the relation. */
  readonly key: string
  readonly ids: readonly string[]
  readonly pivot?: Input | null
}

/**
 * Attaches, syncs or detaches as REST does. A selection that cannot be answered is an error before
 * anything is written. Answers the record; null where its writer does not see it any more. Its id
 * costs no statement.
 */
async function changeRelated(
  operation: PivotOperation,
  repository: AnyRepository,
  user: unknown,
  { id, key, ids, pivot }: Change,
  info: GraphQLResolveInfo,
): Promise<Resource | null> {
  const query = showQuery(info)
  const { columns, include = [] } = query
  if (include.length > 0) await repository.check(user, query)
  const body = Object.assign({}, pivot, { [key]: ids })
  await changePivots(repository, user, { operation, id, key, body })
  if (columns?.length === 0 && include.length === 0) {
    const known = String(readId(repository.definition.id, id))
    return { id: known, type: repository.key, attributes: {} }
  }
  try {
    return await repository.show(user, id, query)
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
}

/** The types that `@edges` fields answer: a related record, as `node`, and its `pivot`. */
function setEdgeTypes(schema: GraphQLSchema): void {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType)
  const fields = types.flatMap((type) => Object.values(type.getFields()))
  for (const { astNode, type } of fields) {
    const edge = getNamedType(type)
    if (edgesOf(astNode) !== null && isObjectType(edge)) setEdgeType(edge)
  }
}

/** Its context is made by the endpoint. */
type Resolve = GraphQLFieldResolver<unknown, unknown>

function setEdgeType(edge: GraphQLObjectType): void {
  const { node, pivot } = edge.getFields()
  const record = node === undefined ? null : recordTypeOf(node.type)
  if (node === undefined || record === null) return
  setMembers(edge, record.repository, [
    { kind: 'self', name: 'node', field: node },
    ...(pivot === undefined ? [] : [{ kind: 'pivot', name: 'pivot', field: pivot } as const]),
  ])
  for (const field of [node, pivot]) {
    if (field !== undefined) field.resolve = readMember(edge, field.name) as Resolve
  }
}
