import type { GraphQLResolveInfo } from 'graphql'
import { HttpError } from '../../errors.js'
import type { AnyRepository, Resource, WriteOptions } from '../../operations/repository.js'
import type { IndexQuery, ShowQuery } from '../../query/query.js'
import { parametersInCall } from '../graphql/call-parameters.js'
import { listQuery, showQuery } from '../graphql/look-ahead.js'
import type { ResolverClass } from '../graphql/resolver.js'
import { parameter } from './soft-deletes.js'
import { forceDeleteRecord, restoreRecord } from './trash.js'

/** Records, lists and totals with the argument `trashed`. */
export function trashReader(repository: AnyRepository): ResolverClass {
  return {
    show: (_root, { id, ...args }: Trashed & { id: string }, { user }, info) =>
      repository.show(user, id, lookingAtOne(showQuery(info), args)),
    index: (_root, args, { user }, info) =>
      repository.list(user, looking(listQuery(args, info), args)),
    total: (_root, args, { user }, info) =>
      repository.count(user, looking(listQuery(args, info), args)),
  }
}

interface Trashed {
  readonly trashed?: string | null
}

/** As REST sends it. */
function looking(query: IndexQuery, { trashed = null }: Trashed): IndexQuery {
  if (trashed === null) return query
  return Object.assign({}, query, { match: [...(query.match ?? []), said(trashed)] })
}

function lookingAtOne(query: ShowQuery, { trashed = null }: Trashed): ShowQuery {
  if (trashed === null) return query
  return Object.assign({}, query, { unread: [...(query.unread ?? []), said(trashed)] })
}

const said = (text: string) => ({ column: parameter, negated: false, isFilter: false, text })

/**
 * Makes the resolvers of a repository, with `PostResolver@restore` and `PostResolver@forceDelete`
 * of the schema.
 */
export function trashResolver(repository: AnyRepository): ResolverClass {
  return {
    ...trashReader(repository),
    restore: (_root, { id, ...args }: Asked, { user }, info) =>
      restored(repository, user, id, info, saidOf(repository, args)),
    forceDelete: async (_root, { id, ...args }: Asked, { user }) => {
      await forceDeleteRecord(repository, user, id, saidOf(repository, args))
      return true
    },
  }
}

interface Asked extends Readonly<Record<string, unknown>> {
  readonly id: string
}

/** Reads the arguments that extensions of the repository define. */
const saidOf = (
  { definition: { extensions } }: AnyRepository,
  args: Readonly<Record<string, unknown>>,
): WriteOptions => ({
  parameters: parametersInCall({ extensions }, args),
})

/**
 * A selection that cannot be answered is an error before anything is written. Null where the user
 * does not see the record.
 */
async function restored(
  repository: AnyRepository,
  user: unknown,
  id: string,
  info: GraphQLResolveInfo,
  options: WriteOptions,
): Promise<Resource | null> {
  const query = showQuery(info)
  if ((query.include ?? []).length > 0) await repository.check(user, query)
  await restoreRecord(repository, user, id, options)
  try {
    return await repository.show(user, id, query)
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
}
