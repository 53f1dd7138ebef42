import type { Entity } from '../../blueprint/types.js'
import type { Api, BodyFilter, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import {
  matchParameter,
  matchSchema,
  type MatchSchema,
  taken,
} from '../openapi/schemas/parameters.js'
import { comparedParameters, comparedSchemas } from '../operators/document.js'
import { hasRead } from '../reads/feature.js'
import type { RelationFilter } from './check.js'
import { columnOf, relationFiltersOf } from './filters-of.js'

/** Each filter in its two forms, `seller.name` and `-seller.name`, and with comparisons where the repository has them. */
export const relationFiltersInDocument: DocumentPart = {
  says: 'A parameter with a point, such as `seller.name` or `tags.id`, filters by related records that you may see; the name of a relation, true or false, by whether there are any.',
  listed: (api, entity) =>
    Object.fromEntries(
      relationFiltersOf(entity, api.project).flatMap((filter) => {
        const { name } = filter
        const column = comparedIn(api, entity, filter)
        const shown = isTaken(api, entity, name) ? `filter[${name}]` : name
        const match = schemaOf(api, filter)
        return [
          [shown === name ? name : `filter.${name}`, matchParameter(shown, match)],
          [`without.${name}`, matchParameter(`-${name}`, match)],
          ...(column === null ? [] : comparedParameters(name, column)),
        ]
      }),
    ),
  filteredBy: (api, entity) =>
    relationFiltersOf(entity, api.project).map((filter) => bodyFilter(api, filter)),
  components: (api) => ({
    schemas: Object.fromEntries(
      api.project.entities.flatMap((entity) =>
        relationFiltersOf(entity, api.project).flatMap((filter) => {
          const { name, schema } = schemaOf(api, filter)
          const column = comparedIn(api, entity, filter)
          return [
            ...(name === null ? [] : [[name, schema] as const]),
            ...(column === null ? [] : comparedSchemas(column)),
          ]
        }),
      ),
    ),
  }),
}

function bodyFilter(api: Api, filter: RelationFilter): BodyFilter {
  const { name, type } = filter
  const column = columnOf(filter)
  if (column !== null && type !== 'exists') {
    return { name, by: { column, type }, isRelated: true, hasMinus: true }
  }
  const value = filter.asks.kind === 'exists' ? { type: 'boolean' } : schemaOf(api, filter).schema
  return { name, by: { value: oneOrMore(value) }, hasMinus: true }
}

/** A list of JSON, or what would stand in it. */
function oneOrMore(value: Data): Data {
  const { anyOf, items, minItems } = value
  if (Array.isArray(anyOf)) return { anyOf: anyOf.map((each) => oneOrMore(each as Data)) }
  if (value['const'] === 'null') return { type: 'null' }
  return items === undefined || Number(minItems) > 1 ? value : { anyOf: [items, value] }
}

/** A relation may be called as a parameter is. */
const isTaken = (api: Api, entity: Entity, name: string): boolean =>
  taken.has(name) ||
  [...api.parts.values()].some((part) => part.takes?.(api, entity).includes(name) === true)

/** The column that it compares in words; null: none. */
const comparedIn = (api: Api, entity: Entity, filter: RelationFilter) =>
  hasRead(entity, api.project, 'operators') ? columnOf(filter) : null

function schemaOf(api: Api, filter: RelationFilter): MatchSchema {
  const { type, asks } = filter
  const column = columnOf(filter)
  if (column !== null && type !== 'exists') return matchSchema(column, type)
  if (asks.kind === 'id') return idSchema(api, asks.morph.targets)
  if (asks.kind === 'type') {
    const items = { type: 'string', enum: [...asks.morph.targets] }
    return { name: null, schema: { type: 'array', items, minItems: 1 } }
  }
  return { name: 'match.exists', schema: { enum: [true, false, 1, 0] } }
}

/** Ids of one of several repositories, whose keys may be of two kinds. */
function idSchema(api: Api, targets: readonly string[]): MatchSchema {
  const ids = targets.flatMap((key) =>
    api.project.entity(key).columns.filter(({ role }) => role === 'id'),
  )
  const [first, ...others] = ids
  if (first !== undefined && others.every(({ kind }) => kind === first.kind)) {
    return matchSchema(first, 'array')
  }
  const items = { type: 'string' }
  return { name: null, schema: { type: 'array', items, minItems: 1, maxItems: 1000 } }
}
