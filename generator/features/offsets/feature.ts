import type { Feature } from '../../write/feature.js'
import { isReadOf } from '../reads/check.js'
import { hasRead, isReadIn } from '../reads/feature.js'

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
  client: async () => (await import('./client.js')).offsetsInClient,
  document: async () => (await import('./document.js')).offsetsInDocument,
}
