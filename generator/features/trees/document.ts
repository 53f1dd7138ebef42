import { studly } from '../../blueprint/names/names.js'
import type { Entity } from '../../blueprint/types.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import { fileContent } from '../csv-export/document.js'
import { type Api, type DocumentPart, once } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import type { Operation } from '../openapi/operations/operation.js'
import { resourceOperation, securityOf } from '../openapi/operations/resource-operations.js'
import { bodyFailures, json, responses, sent } from '../openapi/operations/statuses.js'
import { objectOf } from '../openapi/schemas/object.js'
import { entityParameters, sharedParameters, taken } from '../openapi/schemas/parameters.js'
import { response, schema } from '../openapi/schemas/references.js'
import { hasRead } from '../reads/feature.js'
import { type Asked, askedOf, type Schemas, several } from './asked-in-body.js'
import { searchedBy } from './routes.js'
import { treeWords } from './words.js'

/** A list that is asked in a body: the parameters of the list, and `where`. */
export const treesInDocument: DocumentPart = {
  says: 'For *or*, *not* and brackets, `POST …/search` takes the parameters of the list as JSON, and a `where`: `{ "any": [{ "price": { "lt": 8 } }, { "not": { "status": "open" } }] }`.',
  operation: (api, route) => searchOperation(api, searchedBy(route)),
  components: (api) => ({
    schemas: merged(searchedIn(api).map((entity) => askedOf(api, entity).shared)),
  }),
  componentsOf: (api, entity) => {
    const prefix = api.prefix(entity)
    const listed = {
      ...askedOf(api, entity).own,
      [`${prefix}.filter`]: filterSchema(api, entity),
      [`${prefix}.asked`]: partSchema(api, entity),
    }
    if (!isSearched(api, entity)) return { schemas: listed }
    return {
      schemas: {
        ...listed,
        [`${prefix}.search`]: bodySchema(api, entity),
        [`${prefix}.where`]: whereSchema(api, entity),
      },
      responses: { [`${prefix}.found`]: foundResponse(api, entity) },
    }
  },
}

/** Lists the repositories that are searched, and those that are included there. */
function searchedIn(api: Api): readonly Entity[] {
  const { entities } = api.project
  const searched = entities.filter((entity) => isSearched(api, entity))
  const included = searched.flatMap((entity) => listsIncluded(api, entity) ?? [])
  return [...new Set([...searched, ...included.map(([, target]) => target)])]
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

/** The schema of a list's options, by the names of its parameters. */
const bodySchema = once((api: Api, entity: Entity): Data => {
  const { all } = askedOf(api, entity)
  const words = wordsOf(api, entity)
  const filters = all.filter(
    ({ name }) => !Object.hasOwn(words, name) && !isTaken(api, entity, name),
  )
  const properties = {
    where: schema(`${api.prefix(entity)}.where`),
    ...nested(words),
    ...(all.length === 0 ? {} : { filter: schema(`${api.prefix(entity)}.filter`) }),
    ...Object.fromEntries(filters.map(({ name, beside }) => [name, beside])),
    ...withMinus(all),
    ...included(api, entity, words['include'] ?? null),
  }
  return {
    ...objectOf(properties),
    description:
      'The parameters of the list. `null` of what is no column is as if it were left out.',
  }
})

/** All names that filter, whatever else is called so. */
function filterSchema(api: Api, entity: Entity): Data {
  const { all } = askedOf(api, entity)
  const filters = all.map(({ name, beside }) => [name, beside] as const)
  const properties = { ...Object.fromEntries(filters), ...withMinus(all) }
  return {
    ...objectOf(properties),
    description: 'Names that filter, also those that mean something else without it.',
    additionalProperties: false,
  }
}

const withMinus = (all: readonly Asked[]): Data =>
  Object.fromEntries(
    all.flatMap(({ name, without }) => (without === null ? [] : [[`-${name}`, without]])),
  )

const isTaken = (api: Api, entity: Entity, name: string): boolean =>
  taken.has(name) ||
  [...api.parts.values()].some((part) => part.takes?.(api, entity).includes(name) === true)

/** Parameters with a meaning of their own, as JSON has them. */
function wordsOf(api: Api, entity: Entity): Schemas {
  const index = indexOf(api, entity)
  const known = parametersOf(api, entity)
  const parameters = (index.parameters ?? []).flatMap(({ $ref, ...inline }) => {
    const found = typeof $ref === 'string' ? known[$ref.split('/').at(-1) ?? ''] : inline
    return found === undefined || found['in'] !== 'query' ? [] : [found]
  })
  const filters = new Set(askedOf(api, entity).all.map(({ name }) => name))
  return Object.fromEntries(
    parameters.flatMap(({ name, style, schema: said }) => {
      const key = String(name)
      const isFilter = filters.has(key) && !isTaken(api, entity, key)
      const isOther = style === 'deepObject' || /^-|^filter\[/.test(key)
      return isFilter || isOther || said === undefined ? [] : [[key, inJson(said as Data)] as const]
    }),
  )
}

/** One of a list stands for the list, and JSON for text that holds some. */
function inJson(said: Data): Data {
  const { items, minItems = 0, contentSchema } = said
  if (contentSchema !== undefined) return { anyOf: [contentSchema, inside(contentSchema), said] }
  return items === undefined || Number(minItems) > 1 ? said : { anyOf: [items, said] }
}

const inside = (list: Data[string]): Data => (list as Readonly<Record<string, Data>>)['items'] ?? {}

/** `fields[users]` is a parameter of its own, and a member of `fields`. */
function nested(words: Schemas): Schemas {
  const below = new Map<string, Record<string, Data>>()
  for (const [name, said] of Object.entries(words)) {
    const [, first, inner] = /^([^[]+)\[([^[\]]+)\]$/.exec(name) ?? []
    if (first === undefined || inner === undefined) continue
    below.set(first, { ...below.get(first), [inner]: said })
  }
  const wider = [...below].map(([name, properties]) => {
    const object = { ...objectOf(properties), additionalProperties: false }
    const alone = words[name]
    return [name, alone === undefined ? object : { anyOf: [...choices(alone), object] }] as const
  })
  return { ...words, ...Object.fromEntries(wider) }
}

const choices = (said: Data): readonly Data[] =>
  Array.isArray(said['anyOf']) ? (said['anyOf'] as readonly Data[]) : [said]

/** Names in a list, or an object that says which records there are of each; beside names, `include[reviews]`. */
function included(api: Api, entity: Entity, names: Data | null): Schemas {
  const lists = listsIncluded(api, entity)
  if (names === null || lists === null) return {}
  const parts = lists.map(([key, target]) => [key, schema(`${api.prefix(target)}.asked`)] as const)
  const object = {
    type: 'object',
    properties: Object.fromEntries(parts),
    // Paths whose last part is the list: `reviews.likes`.
    patternProperties: { '\\.': { type: 'object', additionalProperties: true } },
    additionalProperties: false,
  }
  return {
    include: { anyOf: [...choices(names), object] },
    ...Object.fromEntries(parts.map(([key, part]) => [`include[${key}]`, part])),
  }
}

function listsIncluded(api: Api, entity: Entity) {
  const said = [...api.parts.values()].flatMap((part) => {
    const lists = part.listsIncluded?.(api, entity) ?? null
    return lists === null ? [] : [lists]
  })
  return said.length === 0 ? null : said.flat()
}

/** The options of an included list. */
function partSchema(api: Api, entity: Entity): Data {
  const { all } = askedOf(api, entity)
  const words = wordsOf(api, entity)
  const asked = ['page', 'perPage', 'search', 'sort'].flatMap((name) => {
    const said = words[name]
    return said === undefined ? [] : [[name, said] as const]
  })
  const filters = all.filter(({ name }) => !isTaken(api, entity, name))
  return {
    ...objectOf({
      ...Object.fromEntries(asked),
      ...(all.length === 0 ? {} : { filter: schema(`${api.prefix(entity)}.filter`) }),
      ...Object.fromEntries(filters.map(({ name, beside }) => [name, beside])),
    }),
    description: 'As a list of these records takes it.',
  }
}

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

/** Parameters of all repositories, made once: features look at each of these. */
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

/** A tree of comparisons. */
function whereSchema(api: Api, entity: Entity): Data {
  const self = schema(`${api.prefix(entity)}.where`)
  const tests = askedOf(api, entity).all.flatMap(({ name, where }) => {
    const called = treeWords.includes(name) ? `filter[${name}]` : name
    return where === null ? [] : [[called, where] as const]
  })
  return {
    type: 'object',
    description:
      'All of it holds. At most 5 levels, 50 comparisons, 1,000 values and 15 steps to related records.',
    properties: {
      ...{ any: several(self), all: several(self), not: self },
      ...Object.fromEntries(tests),
    },
    additionalProperties: false,
  }
}
