import type { Entity, Relation } from '../../blueprint/types.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import type { Api, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { targetsOf } from '../openapi/operations/related-operations.js'
import { attempts, conflicts } from '../openapi/operations/resource-operations.js'
import { responses } from '../openapi/operations/statuses.js'
import { reference } from '../openapi/schemas/column-schema.js'
import { propertiesOf } from '../openapi/schemas/entity-schemas.js'
import { objectOf } from '../openapi/schemas/object.js'
import { writtenFields } from '../pivots/graphql-names.js'
import { namedIn, newColumns } from './written.js'

/** Bodies say which records of many-to-many relations belong to theirs. */
export const namedInDocument: DocumentPart = {
  written: (api, entity) =>
    Object.fromEntries(
      namedIn(entity, api.project).map((relation) => [
        relation.key,
        { type: 'array', items: itemOf(api, relation), maxItems: 1000 },
      ]),
    ),
  around: (operation, route, api) => {
    const relations = writtenBy(api, route).flatMap((entity) => namedIn(entity, api.project))
    const made = relations
      .map(({ target }) => api.project.entity(target))
      .filter((target) => newColumns(api, target) !== null)
    if (made.length === 0) return operation
    const more = made.flatMap((target) => [...conflicts(target), ...attempts(api, target)])
    const { success, failures, invalid } = operation.responses
    return { ...operation, responses: responses(success, [...failures, ...more], invalid) }
  },
}

/** Whatever the config says of strange keys, these have none. */
function itemOf(api: Api, relation: Relation): Data {
  const target = api.project.entity(relation.target)
  const pivots = pivotsOf(api, relation)
  const strict = (properties: Data, required: readonly string[]): Data => ({
    ...objectOf({ ...properties, pivots }, required),
    additionalProperties: false,
  })
  const byId = strict({ id: reference(target.id) }, ['id'])
  const made = newColumns(api, target)
  if (made === null) return byId
  return { anyOf: [byId, strict(propertiesOf(made.columns), made.required)] }
}

function pivotsOf(api: Api, { pivot }: Relation): Data {
  const fields = pivot === null ? [] : writtenFields(api.project.pivot(pivot.table))
  return { ...objectOf(propertiesOf(fields), []), additionalProperties: false }
}

const writes = ['store', 'replace', 'patch', 'update', 'storeMany', 'updateMany']

/** The repositories of which the route writes records. */
function writtenBy(api: Api, { does }: KnownRoute): readonly Entity[] {
  switch (does.is) {
    case 'resource':
      return writes.includes(does.operation) ? [does.entity] : []
    case 'related':
      return does.operation === 'store' ? targetsOf(api, does.entity, does.key) : []
    case 'feature':
      return writes.includes(does.operation ?? '') && does.entity !== undefined ? [does.entity] : []
    default:
      return []
  }
}
