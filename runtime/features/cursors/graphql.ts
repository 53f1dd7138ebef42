import { getNamedType, getNullableType, isListType, isObjectType } from 'graphql'
import type { GraphQLResolveInfo } from 'graphql'
import { badRequest } from '../../errors.js'
import type { Access } from '../../model/entity.js'
import type { IndexQuery } from '../../model/queries.js'
import { indexPage } from '../../operations/read.js'
import type { AnyRepository } from '../../operations/repository.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { parametersOf } from '../../query/extension-parameters.js'
import { listQuery } from '../graphql/look-ahead.js'
import { sharedBudget } from '../graphql/request-root.js'
import type { ResolverClass } from '../graphql/resolver.js'
import { type SelectedField, selectionBelow } from '../graphql/selections.js'
import { asking } from './asked.js'

interface Given {
  readonly after?: string | null
  readonly before?: string | null
}

/** Makes the resolver that the schema names as `PostResolver@page`. */
export function pageResolver({ definition }: AnyRepository): ResolverClass {
  return {
    page: (_root, { after, before, ...args }: Given, { user }, info: GraphQLResolveInfo) => {
      if (typeof after === 'string' && typeof before === 'string') {
        throw badRequest('A page is after a cursor or before one, not both.')
      }
      const access = accessTo(newRequest(user), definition)
      const members = membersOf(info)
      const query = withParameters(access, shownBy(members, args, info), args)
      const isCounted = members.some(({ name }) => name === 'total')
      const asked = asking(query, {
        cursor: after ?? before ?? '',
        cursorAs: typeof before === 'string' ? 'before' : 'after',
        ...(isCounted ? { withTotal: 'exact' } : {}),
      })
      return indexPage(access, asked)
    },
  }
}

function membersOf(info: GraphQLResolveInfo): readonly SelectedField[] {
  const type = getNamedType(info.returnType)
  return isObjectType(type) ? selectionBelow(info, type, info.fieldNodes).fields : []
}

/** Finds the selection of the page's records: it is read like a field of its own. */
function shownBy(
  members: readonly SelectedField[],
  args: object,
  info: GraphQLResolveInfo,
): IndexQuery {
  const [list, ...more] = members.flatMap(({ name, field, nodes }) =>
    field !== undefined && isListType(getNullableType(field.type))
      ? [{ name, fieldNodes: nodes, returnType: field.type }]
      : [],
  )
  if (list === undefined) {
    const budget = sharedBudget(info.rootValue)
    return Object.assign(listQuery(args), { columns: [], include: [], budget, withoutMeta: true })
  }
  if (more.length > 0) throw badRequest(`Ask for ${list.name} of a page once.`)
  const { fieldNodes, returnType } = list
  return listQuery(args, Object.assign({}, info, { fieldNodes, returnType }))
}

/** Arguments that REST has as parameters of features, such as `trashed`, as it sends them. */
function withParameters(access: Access, query: IndexQuery, args: object): IndexQuery {
  const given = Object.entries(args)
  const said = parametersOf(access, 'list').flatMap(({ name: column }) => {
    const text: unknown = given.find(([name]) => name === column)?.[1]
    return typeof text === 'string' ? [{ column, negated: false, text }] : []
  })
  return said.length === 0
    ? query
    : Object.assign({}, query, { match: [...(query.match ?? []), ...said] })
}
