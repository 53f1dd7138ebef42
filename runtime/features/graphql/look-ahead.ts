import {
  getArgumentValues,
  getNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isAbstractType,
  isObjectType,
} from 'graphql'
import { badRequest } from '../../errors.js'
import type { IncludeNode, IndexQuery, ShowQuery } from '../../query/query.js'
import { listArguments } from './arguments.js'
import { type RecordMember, recordTypeOf } from './record-type.js'
import { sharedBudget } from './request-root.js'
import { type OperationInfo, type Selection, selectionBelow } from './selections.js'

/** The part of a resolver's `info` that says what is asked for. */
export type FieldInfo = OperationInfo &
  Pick<GraphQLResolveInfo, 'fieldNodes' | 'returnType' | 'rootValue'>

/**
 * The query of a field that answers one record: its columns and, whatever the depth, one statement
 * for each relation. Below a union it has no `include`: of which record is not known, so each reads
 * its relations when they are asked for.
 */
export function showQuery(info: FieldInfo): ShowQuery {
  const { columns = null, include } = selected(info) ?? {}
  return { columns, include, budget: sharedBudget(info.rootValue), withoutMeta: true }
}

/** The query of the related entries alone. */
export function relatedQuery(info: FieldInfo): ShowQuery & Pick<RecordQuery, 'include'> {
  return Object.assign(showQuery(info), { columns: [], include: selected(info)?.include ?? [] })
}

/** The query of one related entry of a record that was read without it. */
export function entryQuery(info: FieldInfo, key: string, member: RecordMember): ShowQuery {
  const include = [includeNode(info, key, info.fieldNodes, member)]
  return { columns: [], include, budget: sharedBudget(info.rootValue), withoutMeta: true }
}

/** The query of a field that answers a list: its arguments too. */
export function listQuery(args: object, info?: FieldInfo): IndexQuery {
  const part = listArguments(args)
  if (info === undefined) return part
  // Spread, the two would cost as much as reading them.
  const { page, perPage, search, sort, match, asked } = part
  const { columns = null, include, budget } = showQuery(info)
  return { page, perPage, search, sort, match, asked, columns, include, budget, withoutMeta: true }
}

type RecordQuery = Required<Pick<ShowQuery, 'columns'>> & { readonly include: IncludeNode[] }

/** Null: it is not of one record's type. */
function selected(info: FieldInfo): RecordQuery | null {
  const type = getNamedType(info.returnType)
  if (!isObjectType(type) || recordTypeOf(type) === null) return null
  return queryOf(info, selectionBelow(info, type, info.fieldNodes))
}

const known = new WeakMap<Selection, RecordQuery>()

function queryOf(scope: OperationInfo, selection: Selection): RecordQuery {
  const found = known.get(selection)
  if (found !== undefined) return found
  const columns = new Set<string>()
  const include: IncludeNode[] = []
  let isWhole = false
  let beside: readonly string[] | null = null
  let self: string | null = null
  for (const { key, name, nodes, member } of selection.fields) {
    if (name === '__typename' || member?.kind === 'id') continue
    // A resolver of its own may read any attribute.
    if (member === null) isWhole = true
    else if (member.kind === 'attribute') columns.add(member.name)
    else if (member.meta !== undefined) {
      columns.add(member.meta.column)
      beside = member.meta.beside
    } else if (member.kind === 'pivot') continue
    else if (member.kind === 'self') {
      if (self !== null)
        throw badRequest(`Ask for ${name} once: '${self}' and '${key}' are one record.`)
      self = key
      const below = queryOf(scope, selectionBelow(scope, recordBehind(member), nodes))
      isWhole = below.columns === null
      for (const column of below.columns ?? []) columns.add(column)
      include.push(...below.include)
    } else include.push(includeNode(scope, key, nodes, member))
  }
  const whole = beside === null ? null : [...beside, ...columns]
  const query = { columns: isWhole ? whole : [...columns], include }
  if (selection.isFixed) known.set(selection, query)
  return query
}

function includeNode(
  scope: OperationInfo,
  as: string,
  nodes: GraphQLResolveInfo['fieldNodes'],
  { kind, name: key, field }: RecordMember,
): IncludeNode {
  const node = { key, as, columns: null, children: [] }
  const [first] = nodes
  if (kind === 'computed' || first === undefined) return node
  if (kind === 'ids') return Object.assign(node, { columns: [], part: { perPage: mostIds } })
  const part = listArguments(getArgumentValues(field, first, scope.variableValues))
  if (kind === 'total') return Object.assign(node, { isCount: true as const, part })
  const type = getNamedType(field.type)
  if (isAbstractType(type)) {
    const types = scope.schema.getPossibleTypes(type).flatMap((each) => {
      const record = recordTypeOf(each)
      if (record === null) return []
      const { columns, include } = queryOf(scope, selectionBelow(scope, each, nodes))
      return [[record.repository.key, { columns, children: include }] as const]
    })
    return Object.assign(node, { ofType: new Map(types) })
  }
  if (!isObjectType(type) || recordTypeOf(type) === null) return node
  const { columns, include } = queryOf(scope, selectionBelow(scope, type, nodes))
  return { key, as, columns, children: include, ...(kind === 'many' ? { part } : {}) }
}

/** The type of a record that a field always answers. */
const recordBehind = ({ field }: RecordMember) => getNamedType(field.type) as GraphQLObjectType

/** As many as a page may have. */
const mostIds = Number.MAX_SAFE_INTEGER
