import type { GraphQLResolveInfo } from 'graphql'
import { HttpError } from '../../errors.js'
import type { AnyRepository, Resource } from '../../operations/repository.js'
import type { IndexQuery } from '../../query/query.js'
import { listQuery, showQuery } from '../graphql/look-ahead.js'
import type { ResolverClass } from '../graphql/resolver.js'
import { parameter } from './soft-deletes.js'
import { forceDeleteRecord, restoreRecord } from './trash.js'

/** Lists and totals with the argument `trashed`. */
export function trashReader(repository: AnyRepository): ResolverClass {
  return {
    index: (_root, args, { user }, info) =>
      repository.list(user, looking(listQuery(args, info), args)),
    total: (_root, args, { user }, info) =>
      repository.count(user, looking(listQuery(args, info), args)),
  }
}

/** As REST sends it. */
function looking(query: IndexQuery, { trashed = null }: { trashed?: string | null }): IndexQuery {
  if (trashed === null) return query
  const said = { column: parameter, negated: false, isFilter: false, text: trashed }
  return Object.assign({}, query, { match: [...(query.match ?? []), said] })
}

/** The same, and what the schema names as `PostResolver@restore` and `PostResolver@forceDelete`. */
export function trashResolver(repository: AnyRepository): ResolverClass {
  return {
    ...trashReader(repository),
    restore: (_root, { id }: { id: string }, { user }, info) =>
      restored(repository, user, id, info),
    forceDelete: async (_root, { id }: { id: string }, { user }) => {
      await forceDeleteRecord(repository, user, id)
      return true
    },
  }
}

/**
 * A selection that cannot be answered is an error before anything is written. Null where the user
 * does not see the record.
 */
async function restored(
  repository: AnyRepository,
  user: unknown,
  id: string,
  info: GraphQLResolveInfo,
): Promise<Resource | null> {
  const query = showQuery(info)
  if ((query.include ?? []).length > 0) await repository.check(user, query)
  await restoreRecord(repository, user, id)
  try {
    return await repository.show(user, id, query)
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
}
