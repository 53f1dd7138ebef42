import { studly } from '../../blueprint/names/names.js'
import type { Entity, Relation } from '../../blueprint/types.js'
import { isShown } from '../../plan/views/repository.js'
import type { Api, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import type { Operation } from '../openapi/operations/operation.js'
import { deniedStatuses } from '../openapi/operations/resource-operations.js'
import { bodyFailures, json, responses, sent } from '../openapi/operations/statuses.js'
import { idSchema, reference, shownSchema } from '../openapi/schemas/column-schema.js'
import { errorsOf, propertiesOf } from '../openapi/schemas/entity-schemas.js'
import { objectOf } from '../openapi/schemas/object.js'
import { response, schema } from '../openapi/schemas/references.js'
import { bodyObject } from '../openapi/strict.js'
import { pivotRouteOf, type PivotRoute } from './routes.js'

export const pivotsInDocument: DocumentPart = {
  operation: (api, route) => pivotOperation(api, pivotRouteOf(route)),
  componentsOf: (api, entity) => ({
    schemas: pivotSchemas(api, entity),
    responses: pivotResponses(api, entity),
  }),
}

const summaries = {
  attach: (what: string, to: string) => `Attach ${what} to ${to}`,
  sync: (what: string, to: string) => `Let ${to} have exactly these ${what}`,
  detach: (what: string, to: string) => `Detach ${what} from ${to}`,
} as const

/** Attaching, syncing and detaching the records of a many-to-many relation. */
export function pivotOperation(api: Api, route: PivotRoute): Operation {
  const { entity, relation, operation } = route
  const { key } = relation
  const name = `${api.prefix(entity)}.${key}`
  const what = key.replaceAll(/[-_]/g, ' ')
  const body = { attach: 'Attach', sync: 'Sync', detach: 'Detach' }[operation]
  return {
    operationId: `${operation}${entity.name}${studly(key)}`,
    summary: summaries[operation](what, entity.singular),
    tag: entity.key,
    ...(api.facts.config.hasGuard ? {} : { security: [] }),
    body: sent(schema(`${name}.${body}`)),
    responses: responses(
      success(api, route),
      [...bodyFailures, 404, ...deniedStatuses(api)],
      `${name}.unattached`,
    ),
  }
}

/** A callback of the hooks answers what it likes, in place of what svc does. */
function success(api: Api, { entity, relation: { key }, operation }: PivotRoute): Data {
  const code = api.codeOf(entity)
  const called = { description: 'What the callback of the hooks answers.' }
  const name = `${api.prefix(entity)}.${key}.pivots`
  if (operation === 'sync') return { 200: response(name) }
  const hasCallback = (operation === 'attach' ? code.attachCallback : code.detachCallback).has(key)
  if (hasCallback) return { 200: called }
  return operation === 'attach' ? { 201: response(name) } : { 204: response('204') }
}

/** Returns the schemas of bodies for a repository's relations. */
export function pivotSchemas(api: Api, entity: Entity): Readonly<Record<string, Data>> {
  const pairs = entity.relations.flatMap((relation) => {
    const { pivot, key, target } = relation
    if (pivot === null) return []
    const id = reference(api.project.entity(target).id)
    const fields = api.project
      .pivot(pivot.table)
      .fields.filter((each) => !each.readonly && each.name !== key)
    const required = fields
      .filter(({ nullable, default: preset }) => !nullable && preset === undefined)
      .map(({ name }) => name)
    const ids = (least: Data): Data => ({
      anyOf: [id, { type: 'array', items: id, ...least, maxItems: 1000 }],
    })
    const some = ids({ minItems: 1 })
    const body = (list: Data) =>
      bodyObject(api, { [key]: list, ...propertiesOf(fields) }, [key, ...required])
    const name = `${api.prefix(entity)}.${key}`
    return [
      [`${name}.Attach`, body(some)],
      [`${name}.Sync`, body(ids({}))],
      [`${name}.Detach`, bodyObject(api, { [key]: some }, [key])],
    ] as const
  })
  return Object.fromEntries(pairs)
}

/** Returns the answers of those routes. */
export function pivotResponses(api: Api, entity: Entity): Readonly<Record<string, Data>> {
  const pairs = entity.relations.flatMap((relation) => {
    if (relation.pivot === null) return []
    const name = `${api.prefix(entity)}.${relation.key}`
    const { fields } = api.project.pivot(relation.pivot.table)
    const names = [relation.key, ...fields.map((field) => field.name)]
    const rows = objectOf({ data: { type: 'array', items: pivotRow(api, entity, relation) } }, [
      'data',
    ])
    return [
      [`${name}.pivots`, json('The pivot rows that were named.', rows)],
      [`${name}.unattached`, json('What is wrong with the body.', errorsOf(api, names))],
    ] as const
  })
  return Object.fromEntries(pairs)
}

/** A pivot row as `attach` and `sync` answer it. */
export function pivotRow({ project }: Api, entity: Entity, relation: Relation): Data {
  const { pivot, foreignKey, morphType, target } = relation
  if (pivot === null) return {}
  const shown = project.pivot(pivot.table).fields.filter(isShown)
  const properties = {
    ...(morphType === null ? {} : { [morphType]: { const: entity.key } }),
    [foreignKey]: idSchema(entity.id),
    [pivot.relatedKey]: idSchema(project.entity(target).id),
    ...Object.fromEntries(shown.map((column) => [column.name, shownSchema(column)])),
  }
  return { ...objectOf(properties, Object.keys(properties)), additionalProperties: false }
}
