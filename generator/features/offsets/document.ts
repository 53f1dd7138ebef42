import type { DocumentPart } from '../openapi/api.js'
import { listedBy } from '../openapi/operations/related-operations.js'
import { parameter } from '../openapi/schemas/references.js'
import { hasRead } from '../reads/feature.js'
import { offsetsRead } from './words.js'

export const offsetsInDocument: DocumentPart = {
  takes: ({ project }, entity) =>
    hasRead(entity, project, 'offsets') ? offsetsRead.parameters : [],
  around: (operation, route, api) =>
    listedBy(api, route).some((entity) => hasRead(entity, api.project, 'offsets'))
      ? {
          ...operation,
          parameters: [
            ...(operation.parameters ?? []),
            ...[parameter('offset'), parameter('limit')],
          ],
        }
      : operation,
  components: () => ({
    parameters: {
      offset: {
        name: 'offset',
        in: 'query',
        description:
          'How many records stand before the first. Not beside `page`, `perPage` or `cursor`.',
        schema: { type: 'integer', minimum: 0 },
      },
      limit: {
        name: 'limit',
        in: 'query',
        description: 'How many records at most. Not beside `page`, `perPage` or `cursor`.',
        schema: { type: 'integer', minimum: 1 },
      },
    },
  }),
}
