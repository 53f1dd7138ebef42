import type { Entity } from '../../blueprint/types.js'
import { endings, schema, type Api } from './api.js'
import { authResponses, authSchemas } from './auth-operations.js'
import { idInBody, jsonInBody } from './column-schema.js'
import { entitySchemas } from './entity-schemas.js'
import type { Data } from './facts.js'
import type { Kept } from './last-document.js'
import { objectOf } from './object.js'
import { entityParameters, matchSchemas, sharedParameters } from './parameters.js'
import { pivotResponses, pivotSchemas } from './pivot-operations.js'
import { relatedResponses, relatedSchemas } from './related-operations.js'
import { json, limitHeaders, limitResponses, sharedHeaders, sharedResponses } from './statuses.js'

/** What operations refer to, by kind and name: made for a whole repository when the first of it is asked for, and asked for once. */
export function componentsOf(
  api: Api,
  kept: Kept,
): (kind: string, name: string) => Data | string | undefined {
  const made = new Map<string, Data>()
  const add = ([kind, named]: Named) => {
    for (const [name, data] of Object.entries(named)) made.set(`${kind}/${name}`, data)
  }
  for (const named of shared(api)) add(named)
  const owners = ownersOf(api)
  return (kind, name) => {
    const pointer = `${kind}/${name}`
    const start = name.indexOf('.')
    const owner = owners.get(start === -1 ? name : name.slice(0, start))
    if (!made.has(pointer) && owner !== undefined) {
      const text = kept.has(owner) ? kept.component(pointer) : undefined
      if (text !== undefined) return text
      for (const named of entityComponents(api, owner)) add(named)
    }
    const data = made.get(pointer)
    made.delete(pointer)
    return data
  }
}

type Named = readonly [kind: string, named: Readonly<Record<string, Data>>]

/** Repositories by what the names of their components are, or begin with before a dot. */
function ownersOf(api: Api): ReadonlyMap<string, Entity> {
  return new Map(
    api.project.entities.flatMap((entity) =>
      endings.map((ending) => [api.prefix(entity) + ending, entity] as const),
    ),
  )
}

/** What is of no repository, and what many share. */
function* shared(api: Api): Generator<Named> {
  const { entities, auth } = api.project
  yield ['schemas', sharedSchemas]
  yield ['parameters', sharedParameters]
  const isLimited = api.project.blueprint.requestLimit === true
  yield ['responses', isLimited ? { ...sharedResponses, ...limitResponses } : sharedResponses]
  yield ['headers', isLimited ? { ...sharedHeaders, ...limitHeaders } : sharedHeaders]
  for (const entity of entities) yield ['schemas', matchSchemas(api, entity)]
  if (auth === null) return
  yield ['schemas', authSchemas(api, auth)]
  yield ['responses', authResponses(api, auth)]
  yield ['securitySchemes', { bearer: { type: 'http', scheme: 'bearer' } }]
}

function entityComponents(api: Api, entity: Entity): readonly Named[] {
  return [
    ['schemas', entitySchemas(api, entity)],
    ['schemas', relatedSchemas(api, entity)],
    ['schemas', pivotSchemas(api, entity)],
    ['parameters', entityParameters(api, entity)],
    ['responses', entityResponses(api, entity)],
    ['responses', relatedResponses(api, entity)],
    ['responses', pivotResponses(api, entity)],
  ]
}

function entityResponses(api: Api, entity: Entity) {
  const name = api.prefix(entity)
  const one = objectOf({ data: schema(`${name}Resource`) }, ['data'])
  const address = { headers: { Location: { $ref: '#/components/headers/Location' } } }
  return {
    [name]: json('The record.', one),
    [`${name}.stored`]: json('The new record.', one, address),
    [`${name}.page`]: json('A page of records.', schema(`${name}Page`)),
    [`${name}.invalid`]: json('What is wrong with the body.', schema(`${name}ValidationError`)),
  }
}

const flag = { type: 'boolean' }
const count = { type: 'integer' }
const link = { type: ['string', 'null'] }
const texts = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }
const flags = ['authorizedToShow', 'authorizedToStore', 'authorizedToUpdate', 'authorizedToDelete']

const sharedSchemas: Readonly<Record<string, Data>> = {
  Error: objectOf({ message: { type: 'string' }, errors: texts }, ['message']),
  Id: idInBody,
  Json: jsonInBody,
  Meta: {
    description: 'What the user may do with the record.',
    ...objectOf(Object.fromEntries(flags.map((name) => [name, flag])), flags),
  },
  Page: objectOf(
    { meta: schema('PageMeta'), links: schema('PageLinks'), data: { type: 'array' } },
    ['meta', 'links', 'data'],
  ),
  PageLinks: objectOf(
    {
      first: { type: 'string' },
      last: { type: 'string' },
      next: link,
      path: { type: 'string' },
      prev: link,
    },
    ['first', 'last', 'next', 'path', 'prev'],
  ),
  PageMeta: objectOf(
    {
      current_page: count,
      from: { type: ['integer', 'null'] },
      last_page: count,
      path: { type: 'string' },
      per_page: count,
      to: { type: ['integer', 'null'] },
      total: count,
    },
    ['current_page', 'from', 'last_page', 'path', 'per_page', 'to', 'total'],
  ),
}
