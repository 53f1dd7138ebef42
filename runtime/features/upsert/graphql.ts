import type { Exchange } from '../../model/exchange.js'
import type { AnyRepository, Input } from '../../operations/repository.js'
import { joined, writeRecord } from '../graphql/records.js'
import type { ResolverClass } from '../graphql/resolver.js'
import { keyInSchema } from './keys.js'
import { upsertRecord } from './upsert.js'

interface Given {
  readonly by: string
  readonly input: Input
}

/** Makes the resolver that the schema names as `ProductResolver@upsert`. */
export function upsertResolver(repository: AnyRepository): ResolverClass {
  return {
    upsert: (_root, { by: name, input }: Given, { user }, info) =>
      writeRecord(repository, user, input, info, async (values, more) => {
        const by = keyInSchema(repository.definition, name).join()
        const options = Object.assign(joined({ exchange: ofSchema }, more), {
          by,
          hasMembers: true,
        })
        return (await upsertRecord(repository, user, values, options)).resource
      }),
  }
}

/** A request that has said all in its input: what others must say, it must say there. */
export const ofSchema: Exchange = {
  method: 'POST',
  path: '/graphql',
  parameters: new URLSearchParams(),
  header: () => undefined,
  setHeader: () => undefined,
  understood: [],
}
