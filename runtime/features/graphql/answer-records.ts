import {
  type ExecutionResult,
  type FieldNode,
  getArgumentValues,
  getNamedType,
  getNullableType,
  type GraphQLError,
  type GraphQLField,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  locatedError,
} from 'graphql'
import { nullPrototypeObject } from '../../model/get-own.js'
import type { Resource } from '../../operations/repository.js'
import { leafReader, propertyOf, Unreadable } from './leaf-values.js'
import { Failed, isResource, memberValue } from './read-member.js'
import { type RecordMember, recordTypeOf } from './record-type.js'
import type { GraphqlContext } from './resolver.js'
import {
  rootSelection,
  type OperationInfo,
  type SelectedField,
  type Selection,
  selectionBelow,
} from './selections.js'

/**
 * Answers a query for records, lists and plain values without an executor: repositories answer
 * whole trees, so what is left is to pick values. 15 posts with their owners take 4 µs, 38 with
 * graphql-js; 100 posts with comments 33 and 710. (graphql-jit: 10 and 100 to 150, but it compiles
 * seven nested fields of an interface with four types for more than a second.) Null: something else
 * was asked for or answered, which is for graphql-js.
 */
export async function answerRecords(
  scope: OperationInfo,
  context: GraphqlContext,
  rootValue: object,
): Promise<ExecutionResult | null> {
  const selection = scope.operation.operation === 'query' ? rootSelection(scope) : null
  const roots = selection && rootsOf(scope, selection)
  if (roots === null) return null
  const errors: GraphQLError[] = []
  try {
    const answers = roots.map((root) => answerRoot(root, scope, context, rootValue, errors))
    const values = await Promise.all(answers)
    const data = nullPrototypeObject()
    for (const [at, { key }] of roots.entries()) data[key] = values[at]
    const isNull = roots.some(({ field }, at) => values[at] === null && isNonNullType(field.type))
    if (errors.length > 0) return { errors, data: isNull ? null : data }
    return isNull ? null : { data }
  } catch (error) {
    // graphql-js answers it, or reports which value it is. The resolvers do not run again.
    if (error instanceof Unreadable) return null
    throw error
  }
}

/** Picks what is selected of a value; throws for one that only graphql-js can answer. */
type MemberReader = (value: unknown) => unknown

interface Root extends SelectedField {
  readonly field: GraphQLField<unknown, unknown>
  readonly type: Selection['type']
  /** Its arguments, where they are the same each time. */
  readonly fixed: object | null
  readonly read: MemberReader
}

const known = new WeakMap<Selection, readonly Root[] | null>()

function rootsOf(scope: OperationInfo, selection: Selection): readonly Root[] | null {
  const found = known.get(selection)
  if (found !== undefined) return found
  const { type, fields } = selection
  const roots = fields.map((selected): Root | null => {
    const { field, nodes } = selected
    const read = field === undefined ? null : readerOf(scope, field.type, nodes)
    if (field === undefined || read === null) return null
    const fixed = isFixed(nodes[0]) ? getArgumentValues(field, nodes[0]) : null
    return { ...selected, field, type, fixed, read }
  })
  const all = roots.every((root) => root !== null) ? roots : null
  known.set(selection, all)
  return all
}

/** Lists and objects are left out: a resolver may keep or change what it is given. */
const isFixed = ({ arguments: given = [] }: FieldNode): boolean =>
  given.every(({ value }) => !varying.has(value.kind))

const varying: ReadonlySet<Kind> = new Set([Kind.VARIABLE, Kind.LIST, Kind.OBJECT])

async function answerRoot(
  { key, nodes, type, field, fixed, read }: Root,
  { schema, fragments, operation, variableValues }: OperationInfo,
  context: GraphqlContext,
  rootValue: object,
  errors: GraphQLError[],
): Promise<unknown> {
  let answer: unknown
  try {
    const args =
      fixed === null ? getArgumentValues(field, nodes[0], variableValues) : Object.assign({}, fixed)
    answer = await field.resolve?.(rootValue, args, context, {
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
    })
  } catch (error) {
    errors.push(locatedError(error, nodes, [key]))
    return null
  }
  return read(answer)
}

/** Null: only graphql-js can read values of the type. */
function readerOf(
  scope: OperationInfo,
  type: GraphQLOutputType,
  nodes: SelectedField['nodes'],
): MemberReader | null {
  const target = getNamedType(type)
  const read = isLeafType(target)
    ? leafReader(target)
    : isObjectType(target)
      ? objectReader(scope, selectionBelow(scope, target, nodes))
      : null
  if (read === null) return null
  const isList = isListType(getNullableType(type))
  return (value) => {
    if (value === null || value === undefined) return null
    if (!isList) return read(value)
    if (!Array.isArray(value)) throw new Unreadable()
    return value.map(read)
  }
}

function objectReader(scope: OperationInfo, { type, fields }: Selection): MemberReader | null {
  // Members of other types read any value.
  const members: { readonly key: string; readonly read: (value: Resource) => unknown }[] = []
  const isRecord = recordTypeOf(type) !== null
  for (const selected of fields) {
    const reader = isRecord ? memberReader : propertyReader
    const read = selected.name === '__typename' ? () => type.name : reader(scope, selected)
    if (read === null) return null
    members.push({ key: selected.key, read })
  }
  return (value) => {
    if (isRecord && !isResource(value)) throw new Unreadable()
    const object = nullPrototypeObject()
    for (const { key, read } of members) object[key] = read(value as Resource)
    return object
  }
}

/** Reads a value that `objectReader` found to be a record. */
function memberReader(
  scope: OperationInfo,
  { key, nodes, member }: SelectedField,
): ((record: Resource) => unknown) | null {
  if (member === null) return null
  const { kind, name, field } = member
  if (isNonNullType(field.type) && !alwaysThere.has(kind)) return null
  const read = readerOf(scope, field.type, nodes)
  if (read === null) return null
  if (kind === 'attribute') return ({ attributes }) => read(attributes[name])
  if (kind === 'id') return ({ id }) => read(id)
  if (kind === 'self') return read
  if (kind === 'pivot') return ({ pivots = {} }) => read(pivots)
  return (record) => {
    const { relationships } = record
    if (relationships === undefined || relationships[key] instanceof Failed) throw new Unreadable()
    return read(memberValue(record, member, key))
  }
}
const alwaysThere: ReadonlySet<RecordMember['kind']> = new Set(['id', 'self', 'pivot'])

/** Reads an object that is no record (a hook computed it, say) as graphql-js does. */
function propertyReader(
  scope: OperationInfo,
  { name, nodes, field }: SelectedField,
): MemberReader | null {
  if (field === undefined || field.resolve !== undefined) return null
  const read = readerOf(scope, field.type, nodes)
  if (read === null) return null
  const isAlways = isNonNullType(field.type)
  return (object) => {
    const value = read(propertyOf(object, name))
    if (isAlways && value === null) throw new Unreadable()
    return value
  }
}
