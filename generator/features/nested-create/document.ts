import type { Entity, Relation } from '../../blueprint/types.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import { requiredColumns, writtenColumns } from '../../plan/written-columns.js'
import type { Api, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { targetsOf } from '../openapi/operations/related-operations.js'
import { attempts, conflicts } from '../openapi/operations/resource-operations.js'
import { responses } from '../openapi/operations/statuses.js'
import { propertiesOf } from '../openapi/schemas/entity-schemas.js'
import { objectOf } from '../openapi/schemas/object.js'
import { isChildColumn, isOne, writableOf } from './written.js'

/** Bodies of new records hold those below them. */
export const childrenInDocument: DocumentPart = {
  written: (api, entity, write) => (write === 'store' ? childrenIn(api, entity) : {}),
  around: (operation, route, api) => {
    const below = madeBy(api, route).flatMap((entity) => writableOf(entity, api.project))
    if (below.length === 0) return operation
    const targets = below.map(({ target }) => api.project.entity(target))
    const more = targets.flatMap((target) => [...conflicts(target), ...attempts(api, target)])
    const { success, failures, invalid } = operation.responses
    return { ...operation, responses: responses(success, [...failures, ...more], invalid) }
  },
}

function childrenIn(api: Api, entity: Entity): Data {
  return Object.fromEntries(
    writableOf(entity, api.project).map((relation) => {
      const child = childOf(api, relation)
      return [
        relation.key,
        isOne(relation) ? { anyOf: [child, { type: 'null' }] } : { type: 'array', items: child },
      ]
    }),
  )
}

/** Whatever the config says of strange keys, these bodies have none. */
function childOf(api: Api, relation: Relation): Data {
  const target = api.project.entity(relation.target)
  const columns = writtenColumns(api, target, 'store').filter(isChildColumn(relation))
  const names = new Set(columns.map(({ name }) => name))
  const required = requiredColumns(api, target, 'store').filter((name) => names.has(name))
  return { ...objectOf(propertiesOf(columns), required), additionalProperties: false }
}

/** The repositories of which the route makes records. */
function madeBy(api: Api, { does }: KnownRoute): readonly Entity[] {
  switch (does.is) {
    case 'resource':
      return does.operation === 'store' ? [does.entity] : []
    case 'related':
      return does.operation === 'store' ? targetsOf(api, does.entity, does.key) : []
    case 'feature':
      return does.operation === 'storeMany' && does.entity !== undefined ? [does.entity] : []
    default:
      return []
  }
}
