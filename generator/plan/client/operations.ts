import { singularOf, studly } from '../../blueprint/names.js'
import type { Entity } from '../../blueprint/types.js'
import { isToMany } from '../openapi/api.js'
import { writtenColumns, type Write } from '../openapi/columns.js'
import { parentColumns } from '../openapi/entity-schemas.js'
import { relatedOperation, targetsOf } from '../openapi/related-operations.js'
import { resourceOperation } from '../openapi/resource-operations.js'
import type { KnownRoute } from '../server-routes.js'
import { canSucceed, type OperationView } from './function-view.js'
import type { Client } from './names.js'
import { pivotFunction, pivotsOf } from './pivot-function.js'
import { bodiesOf, readingOf } from './reading.js'
import { recordFunctions } from './record-functions.js'

/** The functions of one route; a route that is none of a repository's has none here. */
export function operationsOf(client: Client, route: KnownRoute): readonly OperationView[] {
  const { does } = route
  const { api } = client
  switch (does.is) {
    case 'resource': {
      const { entity, operation } = does
      const { summary } = resourceOperation(api, entity, operation)
      const bodies = bodiesOf(client, [entity])
      return recordFunctions(route, operation, {
        ...{
          summary,
          suffix: '',
          suffixOfOne: '',
          reading: readingOf(client, [entity]),
          isMany: true,
        },
        bodyOf: (write) => bodies[write],
      })
    }
    case 'related': {
      const { entity, operation, key } = does
      const relation = entity.relations.find((each) => each.key === key)
      const { summary, responses } = relatedOperation(api, entity, key, operation)
      // The record itself keeps the one it belongs to from being deleted.
      if (!canSucceed(responses)) return []
      return recordFunctions(route, operation, {
        summary,
        suffix: studly(key),
        suffixOfOne: studly(singularOf(key)),
        reading: readingOf(client, targetsOf(api, entity, key), pivotsOf(client, entity, relation)),
        isMany: relation !== undefined && isToMany(relation),
        bodyOf: (write) => bodyBelow(client, entity, key, write),
      })
    }
    case 'pivot':
      return [pivotFunction(client, route, does.entity, does.relation, does.operation)]
    default:
      return []
  }
}

/** A body below a parent has nothing of the columns that are the parent's. */
function bodyBelow(client: Client, entity: Entity, key: string, write: Write): string {
  const targets = targetsOf(client.api, entity, key)
  const body = bodiesOf(client, targets)[write]
  const relation = entity.relations.find((each) => each.key === key)
  const [target] = targets
  if (relation === undefined || target === undefined) return body
  const written = writtenColumns(client.api, target, write).map(({ name }) => name)
  const without = parentColumns(relation).filter((name) => written.includes(name))
  return without.length === 0
    ? body
    : `Omit<${body}, ${without.map((name) => `'${name}'`).join(' | ')}>`
}
