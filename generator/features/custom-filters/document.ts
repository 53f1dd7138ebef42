import type { BodyFilter, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { objectOf } from '../openapi/schemas/object.js'
import type { CustomFilter } from './check.js'
import { customFiltersFact } from './check.js'
import { filtersParameter } from './words.js'

/** A parameter for each matcher, and one for all filters; sorters are keys of `sort`. */
export const customFiltersInDocument: DocumentPart = {
  takes: (api, entity) =>
    (customFiltersFact.of(entity, api.project)?.filters ?? []).length > 0 ? [filtersParameter] : [],
  filteredBy: (api, entity) =>
    (customFiltersFact.of(entity, api.project)?.match ?? []).map(bodyFilter),
  listed: (api, entity) => {
    const { match = [], filters = [] } = customFiltersFact.of(entity, api.project) ?? {}
    const matchers = match.map((each) => [`own.${each.name}`, matcherParameter(each)] as const)
    return {
      ...Object.fromEntries(matchers),
      ...(filters.length === 0 ? {} : { [filtersParameter]: filtersParameterOf(filters) }),
    }
  },
}

const bodyFilter = (each: CustomFilter): BodyFilter => {
  const value = valueSchema(each)
  const list = each.kind === 'multiSelect' ? { anyOf: [value['items'] ?? {}, value] } : value
  return { name: each.name, by: { value: list }, hasMinus: false }
}

/** Lists are one text, with commas. */
function matcherParameter(each: CustomFilter): Data {
  const isList = each.kind === 'multiSelect'
  return {
    name: each.name,
    in: 'query',
    ...(isList ? { explode: false } : {}),
    ...(each.description === undefined ? {} : { description: each.description }),
    schema: valueSchema(each),
  }
}

const filtersParameterOf = (filters: readonly CustomFilter[]): Data => ({
  name: filtersParameter,
  in: 'query',
  description: `Base64 of JSON: \`[{ "key": "${filters[0]?.name ?? ''}", "value": … }]\`. All of them hold.`,
  schema: {
    type: 'string',
    contentEncoding: 'base64',
    contentMediaType: 'application/json',
    contentSchema: {
      type: 'array',
      maxItems: 20,
      items: oneOf(filters.map(filterSchema)),
    },
  },
})

const filterSchema = (filter: CustomFilter): Data =>
  objectOf(
    {
      key: {
        const: filter.name,
        ...(filter.label === undefined ? {} : { title: filter.label }),
        ...(filter.description === undefined ? {} : { description: filter.description }),
      },
      value: valueSchema(filter),
    },
    ['key', 'value'],
  )

function valueSchema({ kind, options = [] }: CustomFilter): Data {
  switch (kind) {
    case 'boolean':
      return { type: 'boolean' }
    case 'number':
      return { type: 'number' }
    case 'select':
      return { type: 'string', enum: [...options] }
    case 'multiSelect':
      return { type: 'array', items: { type: 'string', enum: [...options] }, minItems: 1 }
    case 'timestamp':
      return { type: 'string', format: 'date-time' }
    case 'text':
      return { type: 'string', maxLength: 200 }
  }
}

const oneOf = ([first = {}, ...others]: readonly Data[]): Data =>
  others.length === 0 ? first : { anyOf: [first, ...others] }
