import { studly } from '../../blueprint/names.js'
import type { Entity, Relation } from '../../blueprint/types.js'
import { pivotOperation, pivotSchemas } from '../openapi/pivot-operations.js'
import type { KnownRoute, PivotOperation } from '../server-routes.js'
import { idsIn, pathText, remarkOf, type OperationView } from './function-view.js'
import type { Client } from './names.js'
import { objectText } from './type-text.js'

/** The type of the pivot columns of a many-to-many relation; null: it has none. */
export function pivotsOf(
  { api, name }: Client,
  entity: Entity,
  relation: Relation | undefined,
): string | null {
  if (relation === undefined || relation.pivot === null) return null
  const { fields } = api.project.pivot(relation.pivot.table)
  const isEmpty = fields.every(({ hidden }) => hidden)
  return isEmpty ? null : `${name(entity)}${studly(relation.key)}Pivots`
}

/** Attaches, syncs or detaches. */
export function pivotFunction(
  client: Client,
  route: KnownRoute,
  entity: Entity,
  relation: Relation,
  operation: PivotOperation,
): OperationView {
  const { api, name } = client
  const { key } = relation
  const { summary, responses } = pivotOperation(api, entity, relation, operation)
  const schemas = pivotSchemas(api, entity)
  const body = { attach: 'Attach', sync: 'Sync', detach: 'Detach' }[operation]
  const sent = objectText(schemas[`${api.prefix(entity)}.${key}.${body}`] ?? {}, true)
  const row = `${name(entity)}${studly(key)}Row[]`
  // Callbacks of the hooks answer what they like, with 200.
  const isCalled = operation !== 'sync' && responses.success['200'] !== undefined
  const answer = isCalled ? 'unknown' : operation === 'detach' ? 'void' : row
  const send = answer === row ? 'requestData' : 'request'
  return {
    remark: remarkOf(route, summary),
    name: operation + studly(key),
    generics: '',
    parameters: ['api: Api', ...idsIn(route.path), `body: ${sent}`, 'options: Options = {}'],
    answer: `Promise<${answer}>`,
    call: `${send}(api, 'POST', ${pathText(route.path)}, options, body)`,
  }
}
