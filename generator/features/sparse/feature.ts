import type { Feature } from '../../write/feature.js'
import { isReadOf } from '../reads/check.js'
import { hasRead, isReadIn } from '../reads/feature.js'

export const sparse: Feature = {
  name: 'sparse',
  isOn: (project) => isReadIn(project, 'sparse'),
  entitySlots: (entity, project) =>
    hasRead(entity, project, 'sparse')
      ? {
          imports: {
            'app/Repositories/NameRepository.ts': [
              { from: '#runtime/features/sparse/sparse.js', names: ['sparse'] },
            ],
          },
          repository_extensions: ['sparse'],
        }
      : {},
  has: (entity, blueprint) =>
    isReadOf(blueprint, entity, 'sparse') ? 'answers with some fields (fields=)' : null,
  client: async () => (await import('./client.js')).sparseInClient,
  document: async () => (await import('./document.js')).sparseInDocument,
}
