import {
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  type FragmentDefinitionNode,
} from 'graphql'
import { idsOf } from './directives.js'
import { fieldsBelow } from './look-ahead.js'

export interface Costed {
  readonly schema: GraphQLSchema
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  readonly operation: OperationDefinitionNode
  readonly variableValues: Readonly<Record<string, unknown>>
  /** Largest page, whatever is asked for. */
  readonly maxPerPage: number
}

/** How many records an operation could answer, by the sizes of the pages it asks for. */
export function costOf(costed: Costed): number {
  const { schema, operation } = costed
  const root = schema.getRootType(operation.operation)
  if (root === undefined || root === null) return 0
  const { selectionSet } = operation
  // Only its selection is looked at.
  return costBelow(costed, root, [{ selectionSet } as FieldNode], new Map())
}

type Known = Map<GraphQLObjectType, Map<FieldNode, number>>

function costBelow(
  costed: Costed,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  known: Known,
): number {
  let cost = 0
  for (const fields of fieldsBelow(costed, type, nodes).values()) {
    const [node] = fields
    if (node !== undefined) cost += costOfField(costed, type, node, fields, known)
  }
  return cost
}

function costOfField(
  costed: Costed,
  type: GraphQLObjectType,
  node: FieldNode,
  fields: readonly FieldNode[],
  known: Known,
): number {
  const field = type.getFields()[node.name.value]
  const target = field === undefined ? null : getNamedType(field.type)
  if (field === undefined) return 0
  if (idsOf(field.astNode) !== null) return costed.maxPerPage
  if (!isObjectType(target)) return 0
  // Merged with other nodes it has more below it.
  const isAlone = fields.length === 1
  const remembered = isAlone ? known.get(type)?.get(node) : undefined
  if (remembered !== undefined) return remembered
  const isList = isListType(getNullableType(field.type))
  const size = isList ? pageSize(costed, node, field.args) : 1
  const cost = size * (1 + costBelow(costed, target, fields, known))
  if (!isAlone) return cost
  const ofType = known.get(type) ?? new Map<FieldNode, number>()
  known.set(type, ofType)
  ofType.set(node, cost)
  return cost
}

type Arguments = readonly { readonly name: string; readonly defaultValue?: unknown }[]

function pageSize(
  { variableValues, maxPerPage }: Costed,
  node: FieldNode,
  declared: Arguments,
): number {
  const argument = declared.find(({ name }) => name === 'first')
  const given = node.arguments?.find(({ name }) => name.value === 'first')?.value
  const asked =
    given?.kind === 'IntValue'
      ? Number(given.value)
      : given?.kind === 'Variable'
        ? (variableValues[given.name.value] ?? argument?.defaultValue)
        : argument?.defaultValue
  return typeof asked === 'number' ? Math.min(Math.max(asked, 0), maxPerPage) : maxPerPage
}
