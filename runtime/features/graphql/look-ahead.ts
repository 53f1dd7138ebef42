import {
  getDirectiveValues,
  type FieldNode,
  getNamedType,
  getArgumentValues,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  isAbstractType,
  isObjectType,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import type { IncludeNode } from '../../query/query.js'
import type { IndexQuery, ShowQuery } from '../../query/query.js'
import { listArguments } from './arguments.js'
import { type Member, type RecordType, recordTypeOf } from './record-type.js'
import { sharedBudget } from './root.js'

/** The part of a resolver's `info` that tells what is asked for. */
export type Asked = Pick<
  GraphQLResolveInfo,
  | 'fieldNodes'
  | 'fragments'
  | 'operation'
  | 'returnType'
  | 'rootValue'
  | 'schema'
  | 'variableValues'
>

/**
 * What the selection below a field asks of a record, as the kernel reads it. No `include`: it does
 * not tell of which record, as below a union, so each reads its relations when they are asked for.
 */
export interface Selected {
  readonly columns: readonly string[] | null
  readonly include?: readonly IncludeNode[]
}

/**
 * The query of a field that answers one record: its columns and, whatever the depth, one statement
 * for each relation.
 */
export function showQuery(info: Asked): ShowQuery {
  return { ...selectedBy(info), ...sharedBudget(info.rootValue), withoutMeta: true }
}

/** The query of the related entries alone. */
export function relatedQuery(info: Asked): RelatedQuery {
  const { include = [] } = selectedBy(info)
  return { ...showQuery(info), include, columns: [] }
}

export interface RelatedQuery extends ShowQuery {
  readonly include: readonly IncludeNode[]
}

/** The query of a field that answers a list: its arguments too. */
export function listQuery(args: object, info?: Asked): IndexQuery {
  if (info === undefined) return listArguments(args)
  return { ...listArguments(args), ...showQuery(info) }
}

const remembered = new WeakMap<FieldNode, Selected>()

/** What is selected below a field, of records of its type; without variables always the same. */
export function selectedBy(info: Asked): Selected {
  const { fieldNodes, operation } = info
  const [node] = fieldNodes
  const isFixed = fieldNodes.length === 1 && (operation.variableDefinitions ?? []).length === 0
  if (!isFixed || node === undefined) return select(info)
  const known = remembered.get(node)
  if (known !== undefined) return known
  const selected = select(info)
  remembered.set(node, selected)
  return selected
}

function select(info: Asked): Selected {
  const type = getNamedType(info.returnType)
  const record = recordTypeOf(info.returnType)
  if (record === null || !isObjectType(type)) return { columns: null }
  return selectedOf(info, type, record, info.fieldNodes)
}

function selectedOf(
  info: Asked,
  type: GraphQLObjectType,
  record: RecordType,
  nodes: readonly FieldNode[],
): Required<Selected> {
  const columns = new Set<string>()
  const include: IncludeNode[] = []
  let isWhole = false
  for (const [responseKey, fields] of fieldsBelow(info, type, nodes)) {
    const [node] = fields
    if (node === undefined || node.name.value === '__typename') continue
    const member = record.members.get(node.name.value)
    if (member === undefined) {
      // A resolver of its own may read any attribute.
      isWhole = true
    } else if (member.kind === 'attribute') columns.add(member.name)
    else if (member.kind !== 'id') include.push(nodeOf(info, type, responseKey, fields, member))
  }
  return { columns: isWhole ? null : [...columns], include }
}

function nodeOf(
  info: Asked,
  type: GraphQLObjectType,
  responseKey: string,
  fields: readonly FieldNode[],
  member: Exclude<Member, { kind: 'id' | 'attribute' }>,
): IncludeNode {
  const { key } = member
  const node = { key, as: responseKey, columns: null, children: [] }
  if (member.kind === 'computed') return node
  const [first] = fields
  const field = type.getFields()[first?.name.value ?? '']
  const args =
    field === undefined || first === undefined
      ? {}
      : getArgumentValues(field, first, info.variableValues)
  if (member.kind === 'ids') return { ...node, columns: [], part: { perPage: mostIds } }
  if (member.kind === 'total') return { ...node, isCount: true, part: listArguments(args) }
  const target = field === undefined ? null : getNamedType(field.type)
  const record = field === undefined ? null : recordTypeOf(field.type)
  if (record === null || !isObjectType(target)) return node
  const { columns, include } = selectedOf(info, target, record, fields)
  const part = member.kind === 'many' ? { part: listArguments(args) } : {}
  return { ...node, columns, children: include, ...part }
}

/** As many as a page may have. */
const mostIds = Number.MAX_SAFE_INTEGER

/** The fields selected below some nodes, merged by the key they are answered under. */
export function fieldsBelow(
  info: Pick<Asked, 'fragments' | 'schema' | 'variableValues'>,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): ReadonlyMap<string, readonly FieldNode[]> {
  const found = new Map<string, FieldNode[]>()
  for (const { selectionSet } of nodes) collect(info, type, selectionSet, found)
  return found
}

function collect(
  info: Pick<Asked, 'fragments' | 'schema' | 'variableValues'>,
  type: GraphQLObjectType,
  selectionSet: SelectionSetNode | undefined,
  found: Map<string, FieldNode[]>,
): void {
  for (const selection of selectionSet?.selections ?? []) {
    if (isSkipped(info, selection)) continue
    if (selection.kind === 'Field') {
      const key = selection.alias?.value ?? selection.name.value
      const known = found.get(key)
      if (known === undefined) found.set(key, [selection])
      else known.push(selection)
      continue
    }
    const fragment =
      selection.kind === 'InlineFragment' ? selection : info.fragments[selection.name.value]
    if (fragment === undefined || !applies(info, type, fragment.typeCondition?.name.value)) continue
    collect(info, type, fragment.selectionSet, found)
  }
}

function isSkipped(
  { variableValues }: Pick<Asked, 'variableValues'>,
  node: SelectionNode,
): boolean {
  if (node.directives === undefined || node.directives.length === 0) return false
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variableValues)
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variableValues)
  return skip?.['if'] === true || include?.['if'] === false
}

function applies(
  { schema }: Pick<Asked, 'schema'>,
  type: GraphQLObjectType,
  condition: string | undefined,
): boolean {
  if (condition === undefined || condition === type.name) return true
  const other = schema.getType(condition)
  return isAbstractType(other) && schema.isSubType(other, type)
}
