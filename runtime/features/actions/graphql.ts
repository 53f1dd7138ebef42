import type { GraphQLResolveInfo } from 'graphql'
import { HttpError } from '../../errors.js'
import type { Server } from '../../http/context.js'
import { isRecord } from '../../model/get-own.js'
import type { AnyRepository, Input, WriteOptions } from '../../operations/repository.js'
import { checkLength } from '../bulk/records.js'
import { parametersInCall } from '../graphql/call-parameters.js'
import { isResource } from '../graphql/read-member.js'
import type { FieldResolver, GraphqlContext, ResolverClass } from '../graphql/resolver.js'
import { declaredOf } from './actions.js'
import { getOfNone, getOfOne } from './getters.js'
import { runOnMany, runOnNone, runOnOne } from './run.js'

interface Given extends Readonly<Record<string, unknown>> {
  readonly id?: string
  readonly ids?: readonly string[]
  readonly records?: readonly Input[]
  readonly input?: unknown
}

/**
 * Makes the resolvers that the schema names as `PostResolver@runPublish`, `@runPublishList` and
 * `@getStats`.
 */
export function actionResolver(repository: AnyRepository): ResolverClass {
  const { actions, getters } = declaredOf(repository.definition)
  const resolvers: Record<string, FieldResolver> = {}
  for (const [name, { on }] of Object.entries(actions)) {
    const method = `run${capitalized(name)}`
    if (on === 'many') resolvers[`${method}List`] = runList(repository, name)
    resolvers[method] = on === 'none' ? runAlone(repository, name) : runOne(repository, name)
  }
  for (const [name, { on }] of Object.entries(getters)) {
    resolvers[`get${capitalized(name)}`] =
      on === 'one'
        ? getterOf(repository, name)
        : (_root, _args, { user }) => getOfNone(repository, user, name)
  }
  return resolvers
}

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

function runList(repository: AnyRepository, name: string): FieldResolver {
  return async (_root, { ids = [], records, input }: Given, { user, c }: GraphqlContext) => {
    const named = records ?? ids.map((id) => ({ id }))
    const most = (c.get('server') as Server).config.limits.bulk_rows
    checkLength(named, most, records === undefined ? 'ids' : 'records')
    return (await runOnMany(repository, user, name, { ids: named, input: sent(input) })) ?? null
  }
}

const runOne =
  (repository: AnyRepository, name: string): FieldResolver =>
  async (_root, { id = '', input, ...args }: Given, { user }) => {
    const options = saidOf(repository, args)
    return (await runOnOne(repository, user, name, { id, input: sent(input) }, options)) ?? null
  }

const runAlone =
  (repository: AnyRepository, name: string): FieldResolver =>
  async (_root, { input }: Given, { user }) =>
    (await runOnNone(repository, user, name, sent(input))) ?? null

/** An input that is left out and one that is null say the same. */
const sent = (input: unknown): unknown => (isRecord(input) ? { ...input } : undefined)

/** Reads the arguments that extensions of the repository define. */
const saidOf = (
  { definition: { extensions } }: AnyRepository,
  args: Readonly<Record<string, unknown>>,
): WriteOptions => ({
  parameters: parametersInCall({ extensions }, args),
})

/** Null where the policy refuses the record, as what a gate hides is. */
function getterOf(repository: AnyRepository, name: string): FieldResolver {
  return async (root: unknown, _args, { user }: GraphqlContext, _info: GraphQLResolveInfo) => {
    if (!isResource(root)) return null
    try {
      return await getOfOne(repository, user, name, root.id)
    } catch (error) {
      if (error instanceof HttpError && [401, 403, 404].includes(error.status)) return null
      throw error
    }
  }
}
