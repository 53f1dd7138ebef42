import type { Entity } from '../../../blueprint/types.js'
import { endings, type Api } from '../api.js'
import type { Data } from '../facts.js'
import type { Kept } from '../last-document.js'
import { relatedResponses, relatedSchemas } from '../operations/related-operations.js'
import { json, sharedHeaders, sharedResponses } from '../operations/statuses.js'
import { idInBody, jsonInBody } from './column-schema.js'
import { entitySchemas } from './entity-schemas.js'
import { objectOf } from './object.js'
import { entityParameters, matchSchemas, sharedParameters } from './parameters.js'
import { schema } from './references.js'

/**
 * Components by kind and name: made for a whole repository when the first of it is needed, and
 * once.
 */
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

/** Yields components of no repository, and shared ones. */
function* shared(api: Api): Generator<Named> {
  yield ['schemas', sharedSchemas]
  yield ['parameters', sharedParameters]
  yield ['responses', sharedResponses]
  yield ['headers', sharedHeaders]
  for (const entity of api.project.entities) yield ['schemas', matchSchemas(api, entity)]
  // The later of one name counts.
  for (const { components } of api.parts.values()) yield* Object.entries(components?.(api) ?? {})
}

function entityComponents(api: Api, entity: Entity): readonly Named[] {
  return [
    ['schemas', entitySchemas(api, entity)],
    ['schemas', relatedSchemas(api, entity)],
    ['parameters', entityParameters(api, entity)],
    ['responses', entityResponses(api, entity)],
    ['responses', relatedResponses(api, entity)],
    ...[...api.parts.values()].flatMap(({ componentsOf: made }) =>
      Object.entries(made?.(api, entity) ?? {}),
    ),
  ]
}

function entityResponses(api: Api, entity: Entity) {
  const name = api.prefix(entity)
  const one = objectOf({ data: schema(`${name}Resource`) }, ['data'])
  const headers: Data = Object.assign(
    {},
    ...[...api.parts.values()].map((part) => part.headers?.(api, entity)),
  )
  const address = { headers: { Location: { $ref: '#/components/headers/Location' }, ...headers } }
  const told = Object.keys(headers).length === 0 ? {} : { headers }
  return {
    // Kubb, for one, has one list of names for schemas and answers.
    [`${name}.one`]: json('The record.', one, told),
    [`${name}.stored`]: json('The new record.', one, address),
    [`${name}.list`]: json('A page of records.', schema(`${name}Page`)),
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
  Page: objectOf({ meta: schema('PageMeta'), links: schema('PageLinks') }, ['meta', 'links']),
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
