import type { Entity } from '../../blueprint/types.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import { writtenColumns } from '../../plan/written-columns.js'
import { bulkFact } from '../bulk/check.js'
import { closed, isSettable, listOf, membersOf, schemasOf } from '../bulk/document.js'
import type { Api, Components, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import type { Operation } from '../openapi/operations/operation.js'
import { json, responses, sent } from '../openapi/operations/statuses.js'
import { propertiesOf } from '../openapi/schemas/entity-schemas.js'
import { objectOf } from '../openapi/schemas/object.js'
import { parameter, response, schema } from '../openapi/schemas/references.js'
import { versionsFact } from '../versions/check.js'
import { upsertFact } from './check.js'

/** Routes that create a record may change the existing one. */
export const upsertInDocument: DocumentPart = {
  around: (operation, route, api) => {
    const about = upsertOf(api, route)
    if (about === null) return operation
    return about.isMany ? many(operation, api, about) : one(operation, api, about)
  },
  componentsOf: (api, entity) =>
    upsertFact.of(entity, api.project) === null ? {} : componentsOf(api, entity),
}

interface About {
  readonly entity: Entity
  readonly isMany: boolean
}

/** The repository of a route that may change what is there. */
export function upsertOf({ project }: Api, { does }: KnownRoute): About | null {
  const isOne = does.is === 'resource' && does.operation === 'store'
  const isMany = does.is === 'feature' && does.feature === 'bulk' && does.operation === 'storeMany'
  if (!(isOne || isMany) || does.entity === undefined) return null
  return upsertFact.of(does.entity, project) === null ? null : { entity: does.entity, isMany }
}

const parameterOf = ({ project }: Api, entity: Entity): Data => ({
  name: 'upsertBy',
  in: 'query',
  description:
    'Changes the record that has this key already, as `PATCH` does: 200. Only what makes a new one must be whole.',
  schema: { enum: (upsertFact.of(entity, project) ?? []).map((key) => key.join()) },
})

function one(operation: Operation, api: Api, { entity }: About): Operation {
  const prefix = api.prefix(entity)
  const said = versionsFact.of(entity, api.project)
  const version = said === null ? [] : [parameter('IfVersion')]
  const statuses = said === null ? [] : [412, ...(said.isRequired ? [428] : [])]
  const { failures, invalid } = operation.responses
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), parameterOf(api, entity), ...version],
    body: sent({ anyOf: [schema(`${prefix}Store`), schema(`${prefix}Patch`)] }),
    responses: responses(
      { 200: response(`${prefix}.upserted`), 201: response(`${prefix}.made`) },
      [...failures, 400, 409, ...statuses],
      invalid,
    ),
  }
}

function many(operation: Operation, api: Api, { entity }: About): Operation {
  const prefix = api.prefix(entity)
  const isRequired = membersOf(api, entity).some((member) => member.isRequired)
  const { failures, invalid } = operation.responses
  const items = { anyOf: [schema(`${prefix}.many.Store`), schema(`${prefix}.many.Upsert`)] }
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), parameterOf(api, entity)],
    body: sent(listOf(api, entity, items)),
    responses: responses(
      { 200: response(`${prefix}.many.upserted`), 201: response(`${prefix}.many.made`) },
      [...failures, 400, 409, ...(isRequired ? [428] : [])],
      invalid,
    ),
  }
}

function componentsOf(api: Api, entity: Entity): Components {
  const prefix = api.prefix(entity)
  const one = schema(`${prefix}Resource`)
  const headers: Data = Object.assign(
    {},
    ...[...api.parts.values()].map((part) => part.headers?.(api, entity)),
  )
  const told = Object.keys(headers).length === 0 ? {} : { headers }
  const address = { headers: { Location: { $ref: '#/components/headers/Location' }, ...headers } }
  const meta = objectOf({ created: { type: 'boolean' } })
  const answer = objectOf({ data: one, meta }, ['data'])
  const ofOne = {
    [`${prefix}.upserted`]: json('The record that was changed.', answer, told),
    [`${prefix}.made`]: json('The new record.', answer, address),
  }
  if (bulkFact.of(entity, api.project) === null) return { responses: ofOne }
  return {
    schemas: { [`${prefix}.many.Upsert`]: rowOf(api, entity) },
    responses: { ...ofOne, ...answersOfMany(prefix, entity, one) },
  }
}

/** A row of a list: of a record that is there, what changes. */
function rowOf(api: Api, entity: Entity): Data {
  const columns = writtenColumns(api, entity, 'patch').filter(isSettable)
  return closed({ ...schemasOf(membersOf(api, entity)), ...propertiesOf(columns) }, [])
}

function answersOfMany(prefix: string, { key }: Entity, one: Data) {
  const list = (items: Data): Data => ({ type: 'array', items })
  const identifier = objectOf({ id: { type: 'string' }, type: { const: key } }, ['id', 'type'])
  const created = list({ type: 'boolean' })
  const meta = objectOf({ created, shortened: { const: true } })
  const schemas = [one, identifier].map((each) => objectOf({ data: list(each), meta }, ['data']))
  return Object.fromEntries(
    [
      ['upserted', 'The records, some of which were there before.'],
      ['made', 'The new records.'],
    ].map(([name, text = '']) => [`${prefix}.many.${name}`, json(text, { anyOf: schemas })]),
  )
}
