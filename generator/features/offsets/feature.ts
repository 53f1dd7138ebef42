import type { Feature } from '../../write/feature.js'
import type { ClientPart } from '../client/names.js'
import type { DocumentPart } from '../openapi/api.js'
import { listedBy } from '../openapi/operations/related-operations.js'
import { parameter } from '../openapi/schemas/references.js'
import { isReadOf } from '../reads/check.js'
import { hasRead, isReadIn } from '../reads/feature.js'
import { offsetsRead } from './words.js'

export const offsets: Feature = {
  name: 'offsets',
  isOn: (project) => isReadIn(project, 'offsets'),
  entitySlots: (entity, project) =>
    hasRead(entity, project, 'offsets')
      ? {
          imports: {
            'app/Repositories/NameRepository.ts': [
              { from: '#runtime/features/offsets/offsets.js', names: ['offsets'] },
            ],
          },
          repository_extensions: ['offsets'],
        }
      : {},
  has: (entity, blueprint) =>
    isReadOf(blueprint, entity, 'offsets') ? 'lists from any record on' : null,
  client: async () => offsetsInClient,
  document: async () => offsetsInDocument,
}

const offsetsInClient: ClientPart = {
  asked: ({ api }, entity) => (hasRead(entity, api.project, 'offsets') ? members : []),
  askedOfOnePage: ['offset', 'limit'],
}

const number = { isOptional: true, type: 'number' }

const members = [
  {
    ...number,
    property: 'offset',
    remark: 'How many records stand before the first; in place of `page`, and of one page alone.',
  },
  {
    ...number,
    property: 'limit',
    remark: 'How many records at most; in place of `perPage`, and of one page alone.',
  },
]

const offsetsInDocument: DocumentPart = {
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
