import type { Entity } from '../../blueprint/types.js'
import type { Api, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { readBy } from '../openapi/operations/related-operations.js'
import { parameter } from '../openapi/schemas/references.js'
import { countsFact } from './check.js'
import { countsParameter } from './words.js'

export const countsInDocument: DocumentPart = {
  says: '`withCount=reviews` says how many related records there are; with `reviews.count` in `sort`, lists are ordered by it.',
  takes: (api, entity) => (namesOf(api, entity).length > 0 ? [countsParameter] : []),
  members: (api, entity) => {
    const names = namesOf(api, entity)
    if (names.length === 0) return {}
    const count = { type: 'integer', minimum: 0 }
    const properties = Object.fromEntries(names.map((name) => [name, count]))
    const description = 'How many there are that the user may see, of what `withCount` names.'
    return { counts: { description, type: 'object', properties, additionalProperties: false } }
  },
  around: (operation, route, api) => {
    const targets = readBy(api, route).filter((entity) => namesOf(api, entity).length > 0)
    const [only, ...others] = targets
    if (only === undefined) return operation
    const asked =
      others.length === 0
        ? parameter(`${api.prefix(only)}.withCount`)
        : withCount(targets.flatMap((entity) => namesOf(api, entity)))
    return { ...operation, parameters: [...(operation.parameters ?? []), asked] }
  },
  componentsOf: (api, entity) => {
    const names = namesOf(api, entity)
    return names.length === 0
      ? {}
      : { parameters: { [`${api.prefix(entity)}.withCount`]: withCount(names) } }
  },
}

const namesOf = (api: Api, entity: Entity): readonly string[] =>
  countsFact.of(entity, api.project)?.names ?? []

function withCount(names: readonly string[]): Data {
  const items = { type: 'string', enum: [...new Set(names)] }
  return {
    name: countsParameter,
    in: 'query',
    explode: false,
    description: 'Related records to count.',
    schema: { type: 'array', items },
  }
}
