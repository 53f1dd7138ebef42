import {
  type ASTNode,
  BREAK,
  type FieldNode,
  getDirectiveValues,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  isAbstractType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { type RecordMember, recordTypeOf } from './record-type.js'

/** Facts of an operation that its fields need. */
export type OperationInfo = Pick<
  GraphQLResolveInfo,
  'fragments' | 'operation' | 'schema' | 'variableValues'
>

/** The selected fields of an object, merged by the key they are answered under. */
export interface Selection {
  readonly type: GraphQLObjectType
  /** True if it asks the same whatever the variables are. */
  readonly isFixed: boolean
  readonly fields: readonly SelectedField[]
}

type Nodes = readonly [FieldNode, ...FieldNode[]]

export interface SelectedField {
  readonly key: string
  readonly name: string
  readonly nodes: Nodes
  /** Undefined: a field about the schema, such as `__typename`. */
  readonly field: GraphQLField<unknown, unknown> | undefined
  /** The member of a record that it reads; null: something else answers it. */
  readonly member: RecordMember | null
}

/**
 * The selection below some field nodes. Each is collected once for an operation, or for a request
 * where `@skip` and `@include` may decide differently, and is then the same object.
 */
export function selectionBelow(
  scope: OperationInfo,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): Selection {
  let step = firstStep(scope)
  for (const object of [type, ...nodes]) step = nextStep(step, object)
  step.selection ??= collected(scope, type, nodes)
  return step.selection
}

/** The selection of the operation itself. */
export function rootSelection(scope: OperationInfo): Selection | null {
  const type = scope.schema.getRootType(scope.operation.operation)
  if (type === undefined || type === null) return null
  const step = firstStep(scope)
  step.selection ??= collected(scope, type, [scope.operation])
  return step.selection
}

/** Selections by what they are below: a type and field nodes, one step for each. */
interface Step {
  readonly next: WeakMap<object, Step>
  selection?: Selection
}

const known: Step = { next: new WeakMap() }

function nextStep({ next }: Step, object: object): Step {
  const step = next.get(object) ?? { next: new WeakMap() }
  next.set(object, step)
  return step
}

function firstStep(scope: OperationInfo): Step {
  const step = nextStep(known, scope.operation)
  return traitsOf(scope).isConditional ? nextStep(step, scope.variableValues) : step
}

/** Facts of an operation as a whole, read once. */
interface Traits {
  /** True if it has directives, which may decide by variables. */
  readonly isConditional: boolean
  readonly variesInFragments: boolean
}

const knownTraits = new WeakMap<OperationDefinitionNode, Traits>()

function traitsOf({ operation, fragments }: OperationInfo): Traits {
  const found = knownTraits.get(operation)
  if (found !== undefined) return found
  const spread = Object.values(fragments)
  const isConditional = [operation, ...spread].some((node) => contains(node, Kind.DIRECTIVE))
  const traits = { isConditional, variesInFragments: spread.some(hasVariable) }
  knownTraits.set(operation, traits)
  return traits
}

function contains(node: ASTNode, kind: Kind): boolean {
  let isFound = false
  visit(node, { [kind]: () => ((isFound = true), BREAK) })
  return isFound
}

const hasVariable = (node: ASTNode) => contains(node, Kind.VARIABLE)

function collected(
  scope: OperationInfo,
  type: GraphQLObjectType,
  nodes: readonly { readonly selectionSet?: SelectionSetNode | undefined }[],
): Selection {
  const found = new Map<string, [FieldNode, ...FieldNode[]]>()
  for (const { selectionSet } of nodes) collect(scope, type, selectionSet, found)
  const members = recordTypeOf(type)?.members
  const fields = [...found].map(([key, merged]) => {
    const name = merged[0].name.value
    const member = members?.get(name) ?? null
    return { key, name, nodes: merged, field: type.getFields()[name], member }
  })
  const varies = nodes.some(({ selectionSet }) => selectionSet && hasVariable(selectionSet))
  return { type, isFixed: !varies && !traitsOf(scope).variesInFragments, fields }
}

function collect(
  scope: OperationInfo,
  type: GraphQLObjectType,
  selectionSet: SelectionSetNode | undefined,
  found: Map<string, [FieldNode, ...FieldNode[]]>,
): void {
  for (const node of selectionSet?.selections ?? []) {
    if (isSkipped(scope, node)) continue
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value
      const others = found.get(key)
      if (others === undefined) found.set(key, [node])
      else others.push(node)
      continue
    }
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : scope.fragments[node.name.value]
    if (fragment === undefined) continue
    if (!appliesTo(scope, type, fragment.typeCondition?.name.value)) continue
    collect(scope, type, fragment.selectionSet, found)
  }
}

function isSkipped({ variableValues }: OperationInfo, node: SelectionNode): boolean {
  if (node.directives === undefined || node.directives.length === 0) return false
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variableValues)
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variableValues)
  return skip?.['if'] === true || include?.['if'] === false
}

function appliesTo(
  { schema }: OperationInfo,
  type: GraphQLObjectType,
  condition?: string,
): boolean {
  if (condition === undefined || condition === type.name) return true
  const other = schema.getType(condition)
  return isAbstractType(other) && schema.isSubType(other, type)
}
