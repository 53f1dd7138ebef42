import type { Entity } from '../../blueprint/types.js'
import { schema, type Api } from './api.js'
import { authResponses, authSchemas } from './auth-operations.js'
import { idInBody, jsonInBody } from './column-schema.js'
import { entitySchemas } from './entity-schemas.js'
import type { Data } from './facts.js'
import { objectOf } from './object.js'
import { entityParameters, matchSchemas, sharedParameters } from './parameters.js'
import { pivotResponses, pivotSchemas } from './pivot-operations.js'
import { relatedResponses, relatedSchemas } from './related-operations.js'
import { json, limitHeaders, limitResponses, sharedHeaders, sharedResponses } from './statuses.js'

/** Everything that operations refer to, by kind and name, one repository after the other. */
export function* componentsOf(api: Api): Generator<readonly [kind: string, named: Data]> {
  const { entities, auth } = api.project
  yield ['schemas', sharedSchemas]
  yield ['parameters', sharedParameters]
  const isLimited = api.project.blueprint.requestLimit === true
  yield ['responses', isLimited ? { ...sharedResponses, ...limitResponses } : sharedResponses]
  yield ['headers', isLimited ? { ...sharedHeaders, ...limitHeaders } : sharedHeaders]
  for (const entity of entities) {
    yield ['schemas', matchSchemas(api, entity)]
    yield ['schemas', entitySchemas(api, entity)]
    yield ['schemas', relatedSchemas(api, entity)]
    yield ['schemas', pivotSchemas(api, entity)]
    yield ['parameters', entityParameters(api, entity)]
    yield ['responses', entityResponses(api, entity)]
    yield ['responses', relatedResponses(api, entity)]
    yield ['responses', pivotResponses(api, entity)]
  }
  if (auth === null) return
  yield ['schemas', authSchemas(api, auth)]
  yield ['responses', authResponses(api, auth)]
  yield ['securitySchemes', { bearer: { type: 'http', scheme: 'bearer' } }]
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
