import {
  getNamedType,
  getNullableType,
  GraphQLInt,
  isAbstractType,
  isListType,
  isObjectType,
  valueFromAST,
} from 'graphql'
import { getOwn, isRecord } from '../../model/get-own.js'
import { mostSortKeys } from '../../query/filter.js'
import { countedBy } from './counted.js'
import { idsOf, readsAllRows, resolverOf } from './directives.js'
import { pagedIn } from './page-type.js'
import { isOwn, recordTypeOf } from './record-type.js'
import {
  rootSelection,
  type OperationInfo,
  type SelectedField,
  type Selection,
  selectionBelow,
} from './selections.js'

/** Costs of statements, in records: any, one that counts a table, one that no index serves. */
const statement = 10
const total = 100
const scan = 1000

/** The cost of a selection: for each record above it, and once. */
interface Cost {
  readonly each: number
  readonly once: number
}

const nothing: Cost = { each: 0, once: 0 }

/**
 * What an operation costs: the records it could answer, by the sizes of the pages it asks for (none
 * is larger than `maxPerPage`), and its statements. What is spread in many places is looked at
 * once.
 */
export function costOf(scope: OperationInfo, maxPerPage: number): number {
  const known = new Map<Selection, Cost>()

  const costOfSelection = (selection: Selection, isRoot: boolean, first?: unknown): Cost => {
    const found = known.get(selection)
    if (found !== undefined) return found
    const cost = sum(selection.fields.map((field) => costOfField(field, isRoot, first)))
    known.set(selection, cost)
    return cost
  }

  /** @param sized Of a page that the field is part of, how many records it has. */
  const costOfField = (selected: SelectedField, isRoot: boolean, sized?: unknown): Cost => {
    const { field, nodes, member } = selected
    if (field === undefined || isPart(member)) return nothing
    const paged = isRoot && pagedIn(field.type) !== null
    const isRead = isRoot || (member !== null && !isOwn(member))
    const { reading, counting: costOfCounting } = isRead ? costOfReading(scope, selected) : none
    if (idsOf(field.astNode) !== null) return { each: maxPerPage, once: reading }
    const target = getNamedType(field.type)
    // A record with its pivot row was counted where it stands.
    const record = member?.kind === 'self' ? 0 : 1
    const types = isAbstractType(target) ? scope.schema.getPossibleTypes(target) : [target]
    const below = types.map((type) => {
      if (!isObjectType(type)) return nothing
      const selection = selectionBelow(scope, type, nodes)
      const size = paged ? argumentOf(scope, selected, 'first') : undefined
      const { each, once } = costOfSelection(selection, false, size)
      const isCounted = paged && selection.fields.some(({ name }) => name === 'total')
      return { each: record + each, once: once + (isCounted ? costOfCounting : 0) }
    })
    const isList = isListType(getNullableType(field.type))
    const first = isList ? (argumentOf(scope, selected, 'first') ?? sized) : 1
    const size = typeof first === 'number' ? Math.max(first, 0) : maxPerPage
    const most = isList ? Math.min(size, maxPerPage) : 1
    // A resolver of its own is called for each record, as a getter is, and may send a statement.
    const isCalled = !isRoot && member === null && resolverOf(field.astNode) !== null
    const each = most * Math.max(0, ...below.map((cost) => cost.each)) + (isCalled ? statement : 0)
    const once = sum(below).once
    // Below a union or an interface, each record reads its relations by itself.
    return isAbstractType(target)
      ? { each: each + most * once, once: reading }
      : { each, once: reading + once }
  }

  const selection = rootSelection(scope)
  if (selection === null) return 0
  const { each, once } = costOfSelection(selection, true)
  return each + once
}

const sum = (costs: readonly Cost[]): Cost => ({
  each: costs.reduce((all, { each }) => all + each, 0),
  once: costs.reduce((all, { once }) => all + once, 0),
})

/** Part of a record that is counted already. */
const isPart = (member: SelectedField['member']) =>
  member?.kind === 'computed' || member?.kind === 'pivot'

const none = { reading: 0, counting: 0 }

/**
 * What a field's statement costs; most where no index serves it, as sorting by `owner.name`. And
 * what it costs to count all that it finds: no order is asked for that.
 */
function costOfReading(scope: OperationInfo, selected: SelectedField): typeof none {
  const { field, member } = selected
  if (field === undefined) return none
  // The total of a relation is cheap: its rows are found by an index.
  const isTotal = member === null && getNamedType(field.type) === GraphQLInt
  const search = argumentOf(scope, selected, 'search')
  const sort = argumentOf(scope, selected, 'sort')
  const isSearch = typeof search === 'string' && search.trim() !== ''
  // A longer list is refused when it is asked.
  const keys: readonly unknown[] = Array.isArray(sort) ? sort.slice(0, mostSortKeys) : []
  const isSorted = keys.some((key) => String(key).includes('.'))
  const isNarrowed = isSearch || hasPartial(scope, selected) || isScanned(scope, selected)
  const isScan = readsAllRows(field.astNode) || isSorted || isNarrowed
  return {
    reading: statement + (isTotal ? total : 0) + (isScan ? scan : 0),
    counting: total + (isNarrowed ? scan : 0),
  }
}

/** Finds the repository whose records a field lists, also by pages, or counts. */
const listedBy = ({ field }: SelectedField) =>
  field && ((recordTypeOf(field.type) ?? pagedIn(field.type))?.repository ?? countedBy(field))

/** Returns true if `match` asks for a part of a text. */
function hasPartial(scope: OperationInfo, selected: SelectedField): boolean {
  const match = argumentOf(scope, selected, 'match')
  const types = listedBy(selected)?.definition.match?.types
  const isPartial = (value: unknown): boolean =>
    isRecord(value) &&
    Object.entries(value).some(
      ([name, inner]) => (name === 'not' && isPartial(inner)) || getOwn(types, name) === 'partial',
    )
  return isPartial(match)
}

/**
 * Returns true if other arguments of a list ask for more than an index gives, by what features say
 * of them.
 */
function isScanned(scope: OperationInfo, selected: SelectedField): boolean {
  const { field } = selected
  const filters = listedBy(selected)?.definition.extensions?.flatMap(
    ({ read }) => read?.filter ?? [],
  )
  const scanning = filters?.filter(({ isScan }) => isScan !== undefined) ?? []
  if (field === undefined || scanning.length === 0) return false
  const names = field.args.map(({ name }) => name)
  const asked = Object.fromEntries(names.map((name) => [name, argumentOf(scope, selected, name)]))
  return scanning.some(({ isScan }) => isScan?.(asked) === true)
}

/** Returns an argument of a field, if it has one of that name. */
function argumentOf(
  { variableValues }: OperationInfo,
  { field, nodes: [node] }: SelectedField,
  name: string,
): unknown {
  const declared = field?.args.find((argument) => argument.name === name)
  if (declared === undefined) return undefined
  const given = node.arguments?.find((argument) => argument.name.value === name)
  return valueFromAST(given?.value, declared.type, variableValues) ?? declared.defaultValue
}
