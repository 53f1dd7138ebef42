import {
  type FieldNode,
  getArgumentValues,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  GraphQLString,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  locatedError,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLResolveInfo,
  visit,
} from 'graphql'
import { nullPrototypeObject } from '../../model/get-own.js'
import type { Resource } from '../../operations/repository.js'
import type { Prepared } from './execute.js'
import { type Asked, fieldsBelow } from './look-ahead.js'
import { isResource, valueOf } from './read-member.js'
import { recordTypeOf } from './record-type.js'
import type { GraphqlContext } from './resolver.js'

/**
 * A query that asks for nothing but records, read without an executor in between: repositories
 * answer whole trees, so what is left is to pick values. Anything else is for graphql-js.
 */
export interface FastQuery {
  readonly roots: readonly Root[]
}

interface Root {
  readonly key: string
  readonly nodes: readonly FieldNode[]
  readonly type: GraphQLObjectType
  readonly field: GraphQLField<unknown, unknown>
  readonly isList: boolean
  readonly isRequired: boolean
  readonly pick: Pick
  /** Null: they depend on variables. */
  readonly args: Readonly<Record<string, unknown>> | null
}

type Pick = (resource: Resource) => object

/** A value that only the executor can answer for; it then starts again. */
const tooHard = Symbol('too hard')

/** Null: an operation for graphql-js. */
export function fastQuery(prepared: Prepared): FastQuery | null {
  const { schema, operation, document } = prepared
  const type = schema.getQueryType()
  if (operation.operation !== 'query' || type === undefined || type === null) return null
  let hasDirectives = false
  visit(document, { Directive: () => void (hasDirectives = true) })
  if (hasDirectives) return null
  const { selectionSet } = operation
  const node = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '' }, selectionSet } as const
  const roots: Root[] = []
  for (const [key, nodes] of fieldsBelow(prepared, type, [node])) {
    const root = rootOf(prepared, type, key, nodes)
    if (root === null) return null
    roots.push(root)
  }
  return { roots }
}

function rootOf(
  asked: Prepared,
  type: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
): Root | null {
  const field = type.getFields()[nodes[0]?.name.value ?? '']
  const target = field === undefined ? null : getNamedType(field.type)
  if (field === undefined || !isObjectType(target)) return null
  const pick = pickOf(asked, target, nodes)
  if (pick === null) return null
  const isList = isListType(getNullableType(field.type))
  const isRequired = isNonNullType(field.type)
  const hasVariables = (asked.operation.variableDefinitions ?? []).length > 0
  const [node] = nodes
  const args = hasVariables || node === undefined ? null : getArgumentValues(field, node)
  return { key, nodes, type, field, isList, isRequired, pick, args }
}

type FastScope = Omit<Asked, 'fieldNodes' | 'operation' | 'returnType' | 'rootValue'>

interface Value {
  readonly key: string
  readonly of: (resource: Resource) => unknown
}

function pickOf(
  asked: FastScope,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): Pick | null {
  const values: Value[] = []
  for (const [key, fields] of fieldsBelow(asked, type, nodes)) {
    const of = valueAt(asked, type, key, fields)
    if (of === null) return null
    values.push({ key, of })
  }
  return (resource) => {
    const object = nullPrototypeObject()
    for (const { key, of } of values) object[key] = of(resource)
    return object
  }
}

function valueAt(
  asked: FastScope,
  type: GraphQLObjectType,
  key: string,
  fields: readonly FieldNode[],
): Value['of'] | null {
  const name = fields[0]?.name.value ?? ''
  if (name === '__typename') return () => type.name
  const member = recordTypeOf(type)?.members.get(name)
  const field = type.getFields()[name]
  if (member === undefined || field === undefined) return null
  if (member.kind === 'id') return ({ id }) => id
  if (isNonNullType(field.type)) return null
  const target = getNamedType(field.type)
  if (isLeafType(target)) {
    const isList = isListType(field.type)
    const leaf = isList ? texts : serializer(target)
    if (member.kind === 'attribute') {
      const { name: column } = member
      return ({ attributes }) => leaf(attributes[column])
    }
    return (resource) => leaf(valueOf(known(resource), member, key))
  }
  if (member.kind !== 'one' && member.kind !== 'many') return null
  const inner = isObjectType(target) ? pickOf(asked, target, fields) : null
  if (inner === null) return null
  return (resource) => related(valueOf(known(resource), member, key), inner)
}

function known(resource: Resource): Resource {
  if (resource.relationships === undefined) throw tooHard
  return resource
}

function related(value: unknown, pick: Pick): unknown {
  if (value === null) return null
  return Array.isArray(value) ? value.map((each: Resource) => pick(each)) : pick(value as Resource)
}

/** A list of texts as it is. */
function texts(value: unknown): unknown {
  if (value === null || value === undefined) return null
  const isPlain = Array.isArray(value) && value.every((each) => typeof each === 'string')
  if (!isPlain) throw tooHard
  return value
}

function serializer(type: GraphQLLeafType): (value: unknown) => unknown {
  const isText = type === GraphQLString
  return (value) => {
    if (value === null || value === undefined) return null
    if (isText && typeof value === 'string') return value
    try {
      return type.serialize(value)
    } catch {
      // The executor says which field it was.
      throw tooHard
    }
  }
}

/** The answer, or null where graphql-js has to answer after all. */
export async function runFast(
  { roots }: FastQuery,
  prepared: Prepared,
  context: GraphqlContext,
  rootValue: object,
): Promise<ExecutionResult | null> {
  const errors: GraphQLError[] = []
  const values = await Promise.all(
    roots.map((root) => runRoot(root, prepared, context, rootValue, errors)),
  )
  if (values.includes(tooHard)) return null
  const data = nullPrototypeObject()
  let isNull = false
  roots.forEach(({ key, isRequired }, at) => {
    data[key] = values[at]
    if (isRequired && values[at] === null) isNull = true
  })
  if (errors.length === 0) return isNull ? null : { data }
  return { errors, data: isNull ? null : data }
}

async function runRoot(
  root: Root,
  prepared: Prepared,
  context: GraphqlContext,
  rootValue: object,
  errors: GraphQLError[],
): Promise<unknown> {
  try {
    const { field, nodes, pick, isList } = root
    const [node] = nodes
    if (node === undefined || field.resolve === undefined) return tooHard
    const args =
      root.args === null
        ? getArgumentValues(field, node, prepared.variableValues)
        : copied(root.args)
    const value: unknown = await field.resolve(
      rootValue,
      args,
      context,
      infoOf(root, prepared, rootValue),
    )
    if (value === null || value === undefined) return null
    if (!isList) return isResource(value) ? pick(value) : tooHard
    if (!Array.isArray(value) || !value.every(isResource)) return tooHard
    return value.map(pick)
  } catch (error) {
    if (error === tooHard) return tooHard
    errors.push(locatedError(error, root.nodes, [root.key]))
    return null
  }
}

/** Of its own for each request: a resolver may change what it is given. */
function copied(value: object): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) copy[name] = copiedValue(inner)
  return copy
}

const copiedValue = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? value.map(copiedValue) : copied(value)
}

function infoOf(
  { key, nodes, type, field }: Root,
  prepared: Prepared,
  rootValue: object,
): GraphQLResolveInfo {
  const { schema, fragments, operation, variableValues } = prepared
  return {
    fieldName: field.name,
    fieldNodes: nodes,
    returnType: field.type,
    parentType: type,
    path: { prev: undefined, key, typename: type.name },
    schema,
    fragments,
    rootValue,
    operation,
    variableValues,
  }
}
