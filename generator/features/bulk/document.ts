import { studly } from '../../blueprint/names/names.js'
import type { Entity } from '../../blueprint/types.js'
import { requiredColumns, writtenColumns } from '../../plan/written-columns.js'
import type { Api, DocumentPart, RowMember } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import type { Operation, Preference } from '../openapi/operations/operation.js'
import { attempts, conflicts, deniedStatuses } from '../openapi/operations/resource-operations.js'
import { bodyFailures, failure, json, responses, sent } from '../openapi/operations/statuses.js'
import { propertiesOf, writtenBeside } from '../openapi/schemas/entity-schemas.js'
import { objectOf } from '../openapi/schemas/object.js'
import { parameter, response, schema } from '../openapi/schemas/references.js'
import { bulkFact } from './check.js'
import { bulkRouteOf, type BulkRoute } from './routes.js'

const minimal: Preference = {
  alone: parameter('prefer'),
  description: 'Answers the ids of the records alone.',
  pattern: 'return=minimal',
}

/** Many records in one request, all or none. */
export const bulkInDocument: DocumentPart = {
  operation: (api, route) => bulkOperation(api, bulkRouteOf(route)),
  components: () => ({
    parameters: {
      prefer: {
        name: 'Prefer',
        in: 'header',
        description: minimal.description,
        schema: { const: 'return=minimal' },
      },
    },
    responses: {
      manyInvalid: failure(
        'What is wrong with each record, by its place: `0.title`. Nothing was written.',
      ),
    },
  }),
  componentsOf: (api, entity) =>
    bulkFact.in(api.project.blueprint, entity) === null ? {} : componentsOf(api, entity),
}

/** `bulkStorePosts` and the others. */
export function bulkOperation(api: Api, { entity, operation }: BulkRoute): Operation {
  const { key, plural } = entity
  const prefix = api.prefix(entity)
  const verb = { storeMany: 'Store', updateMany: 'Update', deleteMany: 'Delete' }[operation]
  const common = {
    operationId: `bulk${verb}${studly(key)}`,
    tag: key,
    description: 'All of them, or none.',
    ...(api.facts.config.hasGuard ? {} : { security: [] }),
  }
  const failures = [...bodyFailures, ...deniedStatuses(api)]
  const needs = membersOf(api, entity).some(({ isRequired }) => isRequired) ? [428] : []
  const many = response(`${prefix}.many`)
  switch (operation) {
    case 'storeMany':
      return {
        ...{ ...common, summary: `Make many ${plural}`, preferences: [minimal] },
        body: sent(listOf(api, entity, schema(`${prefix}.many.Store`))),
        responses: responses(
          { 201: many },
          [...failures, ...conflicts(entity), ...attempts(api, entity)],
          'manyInvalid',
        ),
      }
    case 'updateMany':
      return {
        ...{ ...common, summary: `Change many ${plural}`, preferences: [minimal] },
        body: sent(listOf(api, entity, schema(`${prefix}.many.Patch`))),
        responses: responses(
          { 200: many },
          [...failures, 404, 409, ...needs, ...attempts(api, entity)],
          'manyInvalid',
        ),
      }
    case 'deleteMany':
      return {
        ...{ ...common, summary: `Delete many ${plural}` },
        body: sent(idsOf(api, entity)),
        responses: responses(
          { 204: response('204') },
          [...failures, 404, 409, ...needs],
          'manyInvalid',
        ),
      }
  }
}

/** As many as one request takes. */
export function listOf({ project }: Api, entity: Entity, items: Data): Data {
  const max = bulkFact.in(project.blueprint, entity)?.max ?? null
  return { type: 'array', items, minItems: 1, ...(max === null ? {} : { maxItems: max }) }
}

function idsOf(api: Api, entity: Entity): Data {
  const members = membersOf(api, entity)
  const named = closed({ id: schema('Id'), ...schemasOf(members) }, ['id', ...requiredOf(members)])
  const isNamed = members.some(({ isRequired }) => isRequired)
  const one =
    members.length === 0 ? schema('Id') : isNamed ? named : { anyOf: [schema('Id'), named] }
  return closed({ ids: listOf(api, entity, one) }, ['ids'])
}

/** Lists the members of records besides their fields. */
export const membersOf = (api: Api, entity: Entity): readonly RowMember[] =>
  [...api.parts.values()].flatMap(({ inRows }) => inRows?.(api, entity) ?? [])

export const schemasOf = (members: readonly RowMember[]): Data =>
  Object.fromEntries(members.map((each) => [each.name, each.schema]))

const requiredOf = (members: readonly RowMember[]) =>
  members.flatMap(({ name, isRequired }) => (isRequired ? [name] : []))

/** Whatever the config says of strange keys, these bodies have none. */
export const closed = (properties: Data, required: readonly string[]): Data => ({
  ...objectOf(properties, required),
  additionalProperties: false,
})

function componentsOf(api: Api, entity: Entity) {
  const prefix = api.prefix(entity)
  const members = membersOf(api, entity)
  const written = (write: 'store' | 'patch') =>
    writtenColumns(api, entity, write).filter(isSettable)
  const required = (write: 'store' | 'patch') => {
    const names = written(write).map(({ name }) => name)
    return requiredColumns(api, entity, write).filter((name) => names.includes(name))
  }
  const patch = closed(
    { id: schema('Id'), ...schemasOf(members), ...propertiesOf(written('patch')) },
    ['id', ...requiredOf(members), ...required('patch')],
  )
  const list = (items: Data): Data => ({ type: 'array', items })
  const identifier = objectOf({ id: { type: 'string' }, type: { const: entity.key } }, [
    'id',
    'type',
  ])
  return {
    schemas: {
      [`${prefix}.many.Store`]: closed(
        { ...propertiesOf(written('store')), ...writtenBeside(api, entity, 'store') },
        required('store'),
      ),
      [`${prefix}.many.Patch`]: patch,
    },
    responses: {
      [`${prefix}.many`]: json(
        'The records in the order of the body; their ids alone where that was preferred, or the answer would be too large.',
        {
          anyOf: [
            objectOf({ data: list(schema(`${prefix}Resource`)) }, ['data']),
            objectOf({ data: list(identifier), meta: objectOf({ shortened: { const: true } }) }, [
              'data',
            ]),
          ],
        },
      ),
    },
  }
}

/** No password is set for many at once. */
export const isSettable = ({ kind }: Entity['columns'][number]) => kind !== 'password'
