import type { GraphQLResolveInfo } from 'graphql'
import type { Server } from '../../http/context.js'
import { budgetOf } from '../../model/budget.js'
import { nullPrototypeObject } from '../../model/get-own.js'
import type { Resource } from '../../model/resource.js'
import { includedBy, readResources } from '../../operations/read.js'
import type { AnyRepository, Input } from '../../operations/repository.js'
import { accessTo, newRequest, visibleRows } from '../../policy/access.js'
import { answersTest } from '../../policy/condition-sql.js'
import { relatedQuery } from '../graphql/look-ahead.js'
import { Failed } from '../graphql/read-member.js'
import { inputReaderOf } from '../graphql/record-type.js'
import type { GraphqlContext, ResolverClass } from '../graphql/resolver.js'
import { deleteMany, type ManyOptions, storeMany, updateMany } from './bulk.js'
import { checkLength } from './records.js'

interface Given {
  readonly input?: readonly Input[]
  readonly ids?: readonly string[]
}

/**
 * Makes the resolvers that the schema names as `PostResolver@createList`, `updateList` and
 * `deleteList`.
 */
export function bulkResolver(
  repository: AnyRepository,
  { max }: { readonly max?: number } = {},
): ResolverClass {
  const most = ({ c }: GraphqlContext) => max ?? limitOf(c)
  return {
    createList: (_root, { input = [] }: Given, context, info) =>
      writeList(repository, { input, context, info, most: most(context) }, storeMany),
    updateList: (_root, { input = [] }: Given, context, info) =>
      writeList(repository, { input, context, info, most: most(context) }, updateMany),
    deleteList: async (_root, { input, ids = [] }: Given, context) => {
      const rows = input ?? ids.map((id) => ({ id }))
      checkLength(rows, most(context), input === undefined ? 'ids' : 'input')
      await deleteMany(repository, context.user, rows, { most: most(context) })
      return true
    },
  }
}

/** Records of one request. */
export const limitOf = (c: GraphqlContext['c']): number =>
  (c.get('server') as Server).config.limits.bulk_rows

interface Writing {
  readonly input: readonly Input[]
  readonly context: GraphqlContext
  readonly info: GraphQLResolveInfo
  readonly most: number
}

/**
 * A selection that cannot be answered is an error before anything is written; what fails of it
 * afterwards fails where it was asked for.
 */
export async function writeList(
  repository: AnyRepository,
  { input, context: { user }, info, most }: Writing,
  write: typeof storeMany,
): Promise<readonly Resource[]> {
  checkLength(input, most, 'input')
  const readInput = inputReaderOf(info.schema)
  const read = input.map((each) => readInput?.(each, info) ?? { values: each })
  const query = relatedQuery(info)
  if (query.include.length > 0) await repository.check(user, query)
  const bodies = read.map(({ values }) => values)
  const options: ManyOptions = { most, ofRow: (at) => read[at]?.extensions }
  const written = await write(repository, user, bodies, options)
  return query.include.length === 0 ? written : withRelated(repository, user, written, query)
}

/** The related entries of all of them; a record that its writer does not see comes alone. */
async function withRelated(
  { definition: entity }: AnyRepository,
  user: unknown,
  written: readonly Resource[],
  query: ReturnType<typeof relatedQuery>,
): Promise<readonly Resource[]> {
  const access = accessTo(newRequest(user), entity)
  const ids = written.map(({ id }) => entity.id.storage.key?.fromText(id))
  try {
    const found = await readResources({
      access,
      included: includedBy(access, query),
      query,
      filter: answersTest(entity, [{ id: { in: ids } }, await visibleRows(access)]),
      flags: null,
      budget: budgetOf(entity, query),
      most: ids.length,
    })
    const byId = new Map(found.map((each) => [each.id, each.relationships ?? {}]))
    return written.map((each) =>
      Object.assign({}, each, { relationships: byId.get(each.id) ?? nullPrototypeObject() }),
    )
  } catch (error) {
    const relationships = nullPrototypeObject()
    for (const { key, as = key } of query.include) relationships[as] = new Failed(error)
    return written.map((each) => Object.assign({}, each, { relationships }))
  }
}
