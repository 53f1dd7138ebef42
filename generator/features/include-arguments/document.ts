import type { Entity } from '../../blueprint/types.js'
import type { Api, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { readBy } from '../openapi/operations/related-operations.js'
import { hasSearch, sortKeys } from '../openapi/schemas/parameters.js'
import { parameter, schema } from '../openapi/schemas/references.js'
import { hasRead } from '../reads/feature.js'
import { listsOf } from './lists.js'

/** One parameter for each list that can be included at once: `include[reviews][perPage]=3`. */
export const includeArgumentsInDocument: DocumentPart = {
  says: '`include[reviews][perPage]=3&include[reviews][sort]=-stars` says which records of an included list come.',
  around: (operation, route, api) => {
    const targets = readBy(api, route).filter((entity) =>
      hasRead(entity, api.project, 'includeArguments'),
    )
    const named = new Map(
      targets.flatMap((entity) =>
        listsOf(entity).map(({ key }) => [key, `${api.prefix(entity)}.include.${key}`] as const),
      ),
    )
    if (named.size === 0) return operation
    const more = [...named.values()].map(parameter)
    return { ...operation, parameters: [...(operation.parameters ?? []), ...more] }
  },
  listsIncluded: (api, entity) =>
    hasRead(entity, api.project, 'includeArguments')
      ? listsOf(entity).map(({ key, target }) => [key, api.project.entity(target)] as const)
      : null,
  componentsOf: (api, entity) => ({
    schemas: { [`${api.prefix(entity)}.part`]: listSchema(entity) },
    parameters: Object.fromEntries(
      listsOf(entity).map(({ key, target }) => [
        `${api.prefix(entity)}.include.${key}`,
        {
          name: `include[${key}]`,
          in: 'query',
          style: 'deepObject',
          explode: true,
          description: `Includes ${key}, and says which of them. Of nested ones, \`include[${key}.…]\` says it.`,
          schema: schema(`${prefixOf(api, target)}.part`),
        },
      ]),
    ),
  }),
}

const prefixOf = (api: Api, key: string) => api.prefix(api.project.entity(key))

/** Returns the options of a list; columns to match by are beside them. */
function listSchema(entity: Entity): Data {
  const positive = { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 }
  const keys = sortKeys(entity)
  const items = { type: 'string', enum: keys.flatMap((key) => [key, `-${key}`]) }
  const sort = { type: 'string', description: 'Keys, separated by commas.', 'x-items': items }
  return {
    type: 'object',
    description: 'As a list of these records takes it, its filters too.',
    properties: {
      perPage: positive,
      page: positive,
      ...(hasSearch(entity) ? { search: { type: 'string', maxLength: 200 } } : {}),
      ...(keys.length === 0 ? {} : { sort }),
    },
    additionalProperties: { type: 'string' },
  }
}
