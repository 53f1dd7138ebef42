import type { Entity } from '../../blueprint/types.js'
import type { Api } from './api.js'
import { authResponses, authSchemas } from './auth-operations.js'
import { idInBody, jsonInBody } from './column-schema.js'
import { entitySchemas, objectOf } from './entity-schemas.js'
import type { Data } from './facts.js'
import { entityParameters, sharedParameters } from './parameters.js'
import { pivotResponses, pivotSchemas } from './pivot-operations.js'
import { relatedResponses, relatedSchemas } from './related-operations.js'
import { failures, json } from './statuses.js'

/** Everything that operations refer to, by kind and name. */
export function componentsOf(api: Api): Data {
  const { project } = api
  const { entities, auth } = project
  const of = <Part>(make: (api: Api, entity: Entity) => Readonly<Record<string, Part>>) =>
    Object.assign({}, ...entities.map((entity) => make(api, entity))) as Record<string, Data>
  return {
    schemas: {
      ...sharedSchemas,
      ...of(entitySchemas),
      ...of(relatedSchemas),
      ...of(pivotSchemas),
      ...(auth === null ? {} : authSchemas(api, auth)),
    },
    parameters: { ...sharedParameters, ...of(entityParameters) },
    responses: {
      ...failures,
      204: { description: 'Done; the answer has no body.' },
      ...of(entityResponses),
      ...of(relatedResponses),
      ...of(pivotResponses),
      ...(auth === null ? {} : authResponses(api, auth)),
    },
    ...(auth === null ? {} : { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }),
  }
}

function entityResponses(api: Api, entity: Entity) {
  const name = api.prefix(entity)
  const ref = (ending: string) => ({ $ref: `#/components/schemas/${name}${ending}` })
  const one = objectOf({ data: ref('Resource') }, ['data'])
  const address = {
    headers: { Location: { description: 'Its address.', schema: { type: 'string' } } },
  }
  return {
    [name]: json('The record.', one),
    [`${name}.stored`]: json('The new record.', one, address),
    [`${name}.page`]: json('A page of records.', ref('Page')),
    [`${name}.invalid`]: json('What is wrong with the body.', ref('ValidationError')),
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
