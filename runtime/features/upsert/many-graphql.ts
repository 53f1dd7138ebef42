import type { AnyRepository, Input } from '../../operations/repository.js'
import { limitOf, writeList } from '../bulk/graphql.js'
import { checkLength } from '../bulk/records.js'
import type { BulkRoutesOptions } from '../bulk/routes.js'
import type { ResolverClass } from '../graphql/resolver.js'
import { ofSchema } from './graphql.js'
import { keyInSchema } from './keys.js'
import { upsertMany } from './many.js'

interface Given {
  readonly by: string
  readonly input: readonly Input[]
}

/** Makes the resolver that the schema names as `ProductResolver@upsertList`. */
export function upsertManyResolver(
  repository: AnyRepository,
  { max }: BulkRoutesOptions = {},
): ResolverClass {
  return {
    upsertList: (_root, { by, input }: Given, context, info) => {
      const most = max ?? limitOf(context.c)
      checkLength(input, most, 'input')
      const key = keyInSchema(repository.definition, by)
      return writeList(repository, { input, context, info, most }, async (asked, user, ...rest) => {
        const [bodies, options] = rest
        const all = Object.assign({}, options, { exchange: ofSchema })
        return (await upsertMany(asked, user, bodies, key, all)).resources
      })
    },
  }
}
