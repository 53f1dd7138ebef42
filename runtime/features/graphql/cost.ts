import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  GraphQLInt,
  isAbstractType,
  isListType,
  isObjectType,
  valueFromAST,
} from 'graphql'
import { idsOf } from './directives.js'
import {
  rootSelection,
  type OperationInfo,
  type SelectedField,
  type Selection,
  selectionBelow,
} from './selections.js'

/**
 * How many records an operation could answer, by the sizes of the pages it asks for; no page is
 * larger than `maxPerPage`. What is spread in many places is looked at once.
 */
export function costOf(scope: OperationInfo, maxPerPage: number): number {
  const known = new Map<Selection, number>()

  const costOfSelection = (selection: Selection): number => {
    const found = known.get(selection)
    if (found !== undefined) return found
    const cost = selection.fields.reduce((sum, field) => sum + costOfField(field), 0)
    known.set(selection, cost)
    return cost
  }

  const costOfField = ({ field, nodes, member }: SelectedField): number => {
    if (field === undefined || isPart(member)) return 0
    if (idsOf(field.astNode) !== null) return maxPerPage
    const target = getNamedType(field.type)
    // A record with its pivot row was counted where it stands.
    const own = member?.kind === 'self' ? 0 : 1
    const types = isAbstractType(target) ? scope.schema.getPossibleTypes(target) : [target]
    const each = types.map((type) =>
      isObjectType(type) ? own + costOfSelection(selectionBelow(scope, type, nodes)) : 0,
    )
    const isList = isListType(getNullableType(field.type))
    const most = isList ? Math.min(pageSize(scope, field, nodes) ?? maxPerPage, maxPerPage) : 1
    return most * Math.max(0, ...each)
  }

  const selection = rootSelection(scope)
  return selection === null ? 0 : costOfSelection(selection)
}

/** What is no record of its own. */
const isPart = (member: SelectedField['member']) =>
  member?.kind === 'computed' || member?.kind === 'pivot'

/** What `first` asks for, from 0; null: a field that has no pages. */
function pageSize(
  { variableValues }: OperationInfo,
  { args }: GraphQLField<unknown, unknown>,
  [node]: SelectedField['nodes'],
): number | null {
  const declared = args.find(({ name }) => name === 'first')
  const given = node.arguments?.find(({ name }) => name.value === 'first')
  const asked = valueFromAST(given?.value, GraphQLInt, variableValues) ?? declared?.defaultValue
  return typeof asked === 'number' ? Math.max(asked, 0) : null
}
