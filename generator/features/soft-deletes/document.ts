import type { Api, DocumentPart } from '../openapi/api.js'
import type { Operation } from '../openapi/operations/operation.js'
import { readBy } from '../openapi/operations/related-operations.js'
import { article, deniedStatuses } from '../openapi/operations/resource-operations.js'
import { responses } from '../openapi/operations/statuses.js'
import { shownSchema } from '../openapi/schemas/column-schema.js'
import { parameter, response } from '../openapi/schemas/references.js'
import { isSoft, trashRouteOf, type TrashRoute } from './routes.js'

export const trashInDocument: DocumentPart = {
  operation: (api, route) => trashOperation(api, trashRouteOf(route)),
  meta: (_, entity) =>
    isSoft(entity)
      ? { authorizedToRestore: { type: 'boolean' }, authorizedToForceDelete: { type: 'boolean' } }
      : {},
  shown: (_, entity) =>
    Object.fromEntries(
      entity.columns
        .filter(({ absence }) => absence === true)
        .map((column) => [column.name, shownSchema(column)]),
    ),
  narrowing: (_, entity) => (isSoft(entity) ? [parameter('trashed')] : []),
  around: (operation, route, api) => {
    if (!readBy(api, route).some(isSoft)) return operation
    const { success, failures, invalid } = operation.responses
    return {
      ...operation,
      parameters: [...(operation.parameters ?? []), parameter('trashed')],
      responses: responses(success, [...failures, ...deniedStatuses(api)], invalid),
    }
  },
  components: () => ({
    parameters: {
      trashed: {
        name: 'trashed',
        in: 'query',
        description:
          'Records of the trash, which the user may restore or delete for good: `only` these, or `with` those that are there.',
        schema: { enum: ['with', 'only'] },
      },
    },
  }),
}

/** Bringing a record back, and deleting it for good. */
export function trashOperation(api: Api, { entity, operation }: TrashRoute): Operation {
  const { name, singular } = entity
  const prefix = api.prefix(entity)
  const common = {
    operationId: `${operation}${name}`,
    tag: entity.key,
    ...(api.facts.config.hasGuard ? {} : { security: [] }),
  }
  const failures = [400, 404, ...deniedStatuses(api)]
  return operation === 'restore'
    ? {
        ...common,
        summary: `Bring ${article(singular)} back from the trash`,
        responses: responses({ 200: response(`${prefix}.one`) }, failures, `${prefix}.invalid`),
      }
    : {
        ...common,
        summary: `Delete ${article(singular)} for good`,
        responses: responses({ 204: response('204') }, [
          ...failures,
          ...(api.pointedAt.has(entity.key) ? [409] : []),
        ]),
      }
}
