import { getNamedType, type GraphQLResolveInfo, isObjectType } from 'graphql'
import type { Access } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import type { IndexQuery } from '../../model/queries.js'
import type { AnyRepository } from '../../operations/repository.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { parametersOf } from '../../query/extension-parameters.js'
import { listArguments } from '../graphql/arguments.js'
import { sharedBudget } from '../graphql/request-root.js'
import type { ResolverClass } from '../graphql/resolver.js'
import { selectionBelow } from '../graphql/selections.js'
import { declaredIn } from './aggregates.js'
import { saying } from './asked.js'
import { functions } from './functions.js'
import { aggregatePage } from './page.js'
import type { Group } from './statement.js'

interface Given {
  readonly groupBy?: readonly string[] | null
  readonly tz?: string | null
}

/** Makes the resolver that the schema names as `PostResolver@aggregate`. */
export function aggregateResolver({ definition }: AnyRepository): ResolverClass {
  return {
    aggregate: async (_root, { groupBy, tz, ...args }: Given, { user }, info) => {
      const access = accessTo(newRequest(user), definition)
      const budget = sharedBudget(info.rootValue)
      const list = withParameters(access, Object.assign(listArguments(args), { budget }), args)
      const select = selectedBy(info, memberNames(definition))
      const query = saying(list, { groupBy: groupBy ?? [], select, tz: tz ?? null })
      const { data } = await aggregatePage(definition, user, query)
      return data.map(shown)
    },
  }
}

/** `category_name` is `category.name`. */
function memberNames(definition: AnyRepository['definition']): ReadonlyMap<string, string> {
  const { groupBy, of } = declaredIn(definition)
  return new Map([...groupBy, ...of].map((name) => [memberName(name), name]))
}

const memberName = (name: string) => name.replaceAll('.', '_')

/** Lists the aggregates that members of the answer select: `sum { price }` is `sum(price)`. */
function selectedBy(
  info: GraphQLResolveInfo,
  names: ReadonlyMap<string, string>,
): readonly string[] {
  const type = getNamedType(info.returnType)
  if (!isObjectType(type)) return []
  return selectionBelow(info, type, info.fieldNodes).fields.flatMap(({ name, field, nodes }) => {
    if (name === 'count') return ['count']
    const inside = field && getNamedType(field.type)
    if (!functions.some((each) => each === name) || !isObjectType(inside)) return []
    return selectionBelow(info, inside, nodes).fields.flatMap((member) => {
      const column = names.get(member.name)
      return column === undefined ? [] : [`${name}(${column})`]
    })
  })
}

/** Arguments that REST has as parameters of features, such as `trashed`, as it sends them. */
function withParameters(access: Access, query: IndexQuery, args: object): IndexQuery {
  const said = parametersOf(access, 'list').flatMap(({ name: column }) => {
    const text: unknown = getOwn(args as Record<string, unknown>, column)
    return typeof text === 'string' ? [{ column, negated: false, text }] : []
  })
  return said.length === 0
    ? query
    : Object.assign({}, query, { match: [...(query.match ?? []), ...said] })
}

/** Stands for a function without a column: `sum { __typename }`. */
const withoutColumns = Object.fromEntries(functions.map((name) => [name, {}]))

/** With the names of members; what was not asked for is not read either. */
function shown(group: Group): object {
  const renamed = Object.entries(group).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null ? withMemberNames(value) : value,
  ])
  return Object.assign({}, withoutColumns, Object.fromEntries(renamed))
}

const withMemberNames = (values: object): object =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [memberName(name), value]))
