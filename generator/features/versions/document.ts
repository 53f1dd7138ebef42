import type { Entity } from '../../blueprint/types.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import type { Api, DocumentPart } from '../openapi/api.js'
import { targetsOf } from '../openapi/operations/related-operations.js'
import { aboutHeader, failure, responses } from '../openapi/operations/statuses.js'
import { versionsFact } from './check.js'
import { memberOf } from './versioned.js'

/** The number of each record, and what may be said of it before a write. */
export const versionsInDocument: DocumentPart = {
  meta: (api, entity) =>
    versionsFact.of(entity, api.project) === null ? {} : { version: { type: 'integer' } },
  headers: (api, entity) =>
    versionsFact.of(entity, api.project) === null
      ? {}
      : { ETag: { $ref: '#/components/headers/Version' } },
  inRows: (api, entity) => {
    const said = versionsFact.of(entity, api.project)
    if (said === null) return null
    const schema = { type: 'integer', minimum: 0 }
    return { name: memberOf(entity, said), schema, isRequired: said.isRequired }
  },
  around: (operation, route, api) => {
    const said = changedBy(api, route).flatMap(
      (entity) => versionsFact.of(entity, api.project) ?? [],
    )
    if (said.length === 0) return operation
    const isOther = route.does.is === 'feature' && route.does.changes?.isUpdate === false
    const isRequired = !isOther && said.some((each) => each.isRequired)
    const { success, failures, invalid } = operation.responses
    const more = isRequired ? [400, 412, 428] : [400, 412]
    const name = isRequired ? 'VersionToChange' : 'IfVersion'
    return {
      ...operation,
      parameters: [...(operation.parameters ?? []), { $ref: `#/components/parameters/${name}` }],
      responses: responses(success, [...failures, ...more], invalid),
    }
  },
  components: () => ({
    parameters: { IfVersion: ifMatch(false), VersionToChange: ifMatch(true) },
    headers: { Version: aboutHeader('Its version: what to send as `If-Match`.', 'string') },
    responses: {
      '412': failure('The record has another version by now: `ETag`.', {
        headers: { ETag: { $ref: '#/components/headers/Version' } },
      }),
      '428': failure('`If-Match` is missing: the version to change.'),
    },
  }),
}

const ifMatch = (required: boolean) => ({
  name: 'If-Match',
  in: 'header',
  description: 'The version to change: the `ETag` of the record, several, or `*` for any.',
  ...(required ? { required } : {}),
  schema: { type: 'string', pattern },
  examples: { any: { value: '*' } },
})

const pattern = String.raw`^(\*|"[!#-~]*"(, ?"[!#-~]*")*)$`

/** The repositories of which the route changes a record, or deletes one. */
function changedBy(api: Api, { does }: KnownRoute): readonly Entity[] {
  if (does.is === 'feature') return does.changes === undefined ? [] : [does.changes.entity]
  if (does.is !== 'resource' && does.is !== 'related') return []
  const { operation, entity } = does
  if (operation !== 'update' && operation !== 'patch' && operation !== 'delete') return []
  return does.is === 'resource' ? [entity] : targetsOf(api, entity, does.key)
}
