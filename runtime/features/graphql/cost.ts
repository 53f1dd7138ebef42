import {
  type FieldNode,
  getNamedType,
  getNullableType,
  isAbstractType,
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
  return costBelow(costed, root, [{ selectionSet } as FieldNode], new Known())
}

/** Costs by type and by the nodes that are merged into a field. */
class Known {
  readonly #numbers = new Map<FieldNode, number>()
  readonly #costs = new Map<string, number>()

  keyOf(type: GraphQLObjectType, fields: readonly FieldNode[]): string {
    return `${type.name} ${fields.map((field) => this.#numberOf(field)).join()}`
  }

  /** Found once: what is spread in many places is not looked at in each. */
  of(key: string, find: () => number): number {
    const known = this.#costs.get(key)
    if (known !== undefined) return known
    const cost = find()
    this.#costs.set(key, cost)
    return cost
  }

  #numberOf(field: FieldNode): number {
    const number = this.#numbers.get(field) ?? this.#numbers.size
    this.#numbers.set(field, number)
    return number
  }
}

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
  const targets = isAbstractType(target) ? costed.schema.getPossibleTypes(target) : [target]
  const isList = isListType(getNullableType(field.type))
  const size = isList ? pageSize(costed, node, field.args) : 1
  return known.of(known.keyOf(type, fields), () => {
    const below = targets.map((each) =>
      isObjectType(each) ? 1 + costBelow(costed, each, fields, known) : 0,
    )
    return size * Math.max(0, ...below)
  })
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
