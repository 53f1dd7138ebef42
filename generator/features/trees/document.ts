import { studly } from '../../blueprint/names.js'
import type { Column, Entity } from '../../blueprint/types.js'
import { isChoiceOfOne, kindOf } from '../../kinds/kinds.js'
import type { KnownRoute } from '../../plan/routes.js'
import { fileContent } from '../csv-export/document.js'
import { type Api, type DocumentPart, once } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { objectOf } from '../openapi/object.js'
import type { Operation } from '../openapi/operation.js'
import { entityParameters, sharedParameters } from '../openapi/parameters.js'
import { response, schema } from '../openapi/references.js'
import { resourceOperation, securityOf } from '../openapi/resource-operations.js'
import { bodyFailures, json, responses, sent } from '../openapi/statuses.js'
import { comparedColumns, type Comparisons, hasLists } from '../operators/comparisons.js'
import { comparisonSchema, valueOf } from '../operators/document.js'
import { hasRead } from '../reads/feature.js'
import { searchedBy } from './routes.js'
import { treeWords } from './words.js'

/** A list that is asked in a body: the parameters of the list, and `where`. */
export const treesInDocument: DocumentPart = {
  says: 'For *or*, *not* and brackets, `POST …/search` takes the parameters of the list as JSON, and a `where`: `{ "any": [{ "price": { "lt": 8 } }, { "not": { "status": "open" } }] }`.',
  operation: (api, route) => searchOperation(api, searchedBy(route)),
  components: (api) => ({
    schemas: merged(
      api.project.entities.filter((entity) => isSearched(api, entity)).map(sharedTests),
    ),
  }),
  componentsOf: (api, entity) =>
    isSearched(api, entity)
      ? {
          schemas: {
            [`${api.prefix(entity)}.search`]: bodySchema(api, entity),
            [`${api.prefix(entity)}.where`]: whereSchema(api, entity),
          },
          responses: { [`${api.prefix(entity)}.found`]: foundResponse(api, entity) },
        }
      : {},
}

const isSearched = ({ project }: Api, entity: Entity) => hasRead(entity, project, 'trees')

/** `searchPosts`. */
export function searchOperation(api: Api, entity: Entity): Operation {
  const prefix = api.prefix(entity)
  return {
    operationId: `search${studly(entity.key)}`,
    summary: `Search ${entity.plural}`,
    tag: entity.key,
    description:
      'A read: what writes are asked with means nothing here. There are no links: the next page is the same body with another `page`, or a `cursor`.',
    ...securityOf(api, 'index', [entity]),
    body: sent(schema(`${prefix}.search`)),
    responses: responses({ 200: response(`${prefix}.found`) }, [...bodyFailures, 401]),
  }
}

const foundResponse = (api: Api, entity: Entity): Data => {
  const data = { type: 'array', items: schema(`${api.prefix(entity)}Resource`) }
  const page = objectOf({ meta: schema('PageMeta'), data }, ['meta', 'data'])
  return fileContent(api, entity, page) ?? json('A page of records.', page)
}

/** What a list is asked with in its address, by the names of its parameters. */
const bodySchema = once((api: Api, entity: Entity): Data => {
  const index = indexOf(api, entity)
  const known = parametersOf(api, entity)
  const parameters = (index.parameters ?? []).flatMap(({ $ref, ...inline }) => {
    const found = typeof $ref === 'string' ? known[$ref.split('/').at(-1) ?? ''] : inline
    return found === undefined || found['in'] !== 'query' ? [] : [found]
  })
  const properties = parameters.flatMap(({ name, style, schema: said }) => {
    // What a column is compared with, or is not, stands in `where`.
    const isCompared = style === 'deepObject' || /^-|\]\[/.test(String(name))
    return isCompared || said === undefined ? [] : [[String(name), said] as const]
  })
  return {
    ...objectOf({
      where: schema(`${api.prefix(entity)}.where`),
      ...Object.fromEntries(properties),
    }),
    description:
      'The parameters of the list. `null` of what is no column is as if it were left out.',
  }
})

/** The list of the same records, as all features leave it. */
function indexOf(api: Api, entity: Entity): Operation {
  const route: KnownRoute = {
    ...{ method: 'GET', path: `/${entity.key}`, controller: '', policy: null },
    does: { is: 'resource', operation: 'index', entity },
  }
  const usual = resourceOperation(api, entity, 'index')
  return [...api.parts.values()].reduce(
    (operation, { around }) => around?.(operation, route, api) ?? operation,
    usual,
  )
}

/** Parameters by the names of their components. */
function parametersOf(api: Api, entity: Entity): Parameters {
  const own = othersIn(api).map((part) => part.componentsOf?.(api, entity).parameters)
  return merged([sharedOf(api), entityParameters(api, entity), ...own])
}

type Parameters = Readonly<Record<string, Data>>

/** Those of all repositories, made once: features look at each of these. */
function sharedOf(api: Api): Parameters {
  const known = shared.get(api)
  if (known !== undefined) return known
  const ofParts = othersIn(api).map(({ components }) => components?.(api).parameters)
  const made = merged([sharedParameters, ...ofParts])
  shared.set(api, made)
  return made
}

const shared = new WeakMap<Api, Parameters>()

const othersIn = ({ parts }: Api): readonly DocumentPart[] =>
  [...parts.values()].filter((part) => part !== treesInDocument)

const merged = (all: readonly (Parameters | undefined)[]): Parameters =>
  Object.assign({}, ...all) as Parameters

type Compared = readonly [Column, Comparisons]

const comparedIn = (entity: Entity): readonly Compared[] =>
  comparedColumns(entity).filter(([{ name }]) => !treeWords.includes(name))

const several = (value: Data): Data => ({ type: 'array', items: value, minItems: 1 })

/** A tree of comparisons. */
function whereSchema(api: Api, entity: Entity): Data {
  const self = schema(`${api.prefix(entity)}.where`)
  const columns = comparedIn(entity).map(([column, comparisons]) => {
    const shared = nameOf(column)
    const said = shared === null ? testSchema([column, comparisons]) : schema(shared)
    return [column.name, said] as const
  })
  return {
    type: 'object',
    description: 'All of it holds. At most 5 levels, 50 comparisons and 1,000 values.',
    properties: {
      ...{ any: several(self), all: several(self), not: self },
      ...Object.fromEntries(columns),
    },
    additionalProperties: false,
  }
}

/** What columns alike share; null: the column has options of its own. */
const nameOf = (column: Column): string | null =>
  isChoiceOfOne(column.kind) ? null : `where.${kindOf(column.kind).document.parameter(column).name}`

const sharedTests = (entity: Entity): Parameters =>
  Object.fromEntries(
    comparedIn(entity).flatMap((each) => {
      const name = nameOf(each[0])
      return name === null ? [] : [[name, testSchema(each)] as const]
    }),
  )

/** A value that a column equals, a list that has it, or comparisons. */
function testSchema([column, comparisons]: Compared): Data {
  const value = valueOf(column)
  const list = hasLists(comparisons) ? [several(value)] : []
  return { anyOf: [value, ...list, comparisonSchema(column, comparisons, several)] }
}
