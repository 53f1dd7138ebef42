import { singularOf, studly } from '../../blueprint/names/names.js'
import type { Entity } from '../../blueprint/types.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import { writtenColumns, type Write } from '../../plan/written-columns.js'
import { isToMany } from '../openapi/api.js'
import { relatedOperation, targetsOf } from '../openapi/operations/related-operations.js'
import { resourceOperation } from '../openapi/operations/resource-operations.js'
import { parentColumns } from '../openapi/schemas/entity-schemas.js'
import type { OperationView } from './function-view.js'
import { hasCursors, recordPartOf, writeOptions, type Client } from './names.js'
import { pivotsOf } from './pivots-of.js'
import { bodiesOf, readingOf } from './reading.js'
import { recordFunctions } from './record-functions.js'

/** The functions of one route; a route that is none of a repository's has none here. */
export const operationsOf = (client: Client, route: KnownRoute): readonly OperationView[] => [
  ...ownOperations(client, route),
  ...[...client.parts.values()].flatMap(({ beside }) => beside?.(client, route) ?? []),
]

function ownOperations(client: Client, route: KnownRoute): readonly OperationView[] {
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
          hasCursors: hasCursors(client, entity),
        },
        bodyOf: (write) => bodies[write],
        changeOptions: changeOptionsOf(client, [entity]),
        writeOptions: writeOptions(client),
      })
    }
    case 'related': {
      const { entity, operation, key } = does
      const relation = entity.relations.find((each) => each.key === key)
      const { summary } = relatedOperation(api, entity, key, operation)
      return recordFunctions(route, operation, {
        summary,
        suffix: studly(key),
        suffixOfOne: studly(singularOf(key)),
        reading: readingOf(client, targetsOf(api, entity, key), pivotsOf(client, entity, relation)),
        isMany: relation !== undefined && isToMany(relation),
        hasCursors: targetsOf(api, entity, key).every((target) => hasCursors(client, target)),
        bodyOf: (write) => bodyBelow(client, entity, key, write),
        changeOptions: changeOptionsOf(client, targetsOf(api, entity, key)),
        writeOptions: writeOptions(client),
      })
    }
    case 'feature':
      return client.parts.get(does.feature)?.functions?.(client, route) ?? []
    case 'health':
      return []
  }
}

/** Returns the parameter with the options of a change of these records. */
function changeOptionsOf(client: Client, targets: readonly Entity[]): string {
  const parts = targets.flatMap((target) => recordPartOf(client, target) ?? [])
  const part = parts.find(({ isRequired }) => isRequired) ?? parts[0]
  if (part === undefined) return writeOptions(client)
  return `options: ${part.options}${part.isRequired ? '' : ' = {}'}`
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
