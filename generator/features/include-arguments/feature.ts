import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import type { Feature } from '../../write/feature.js'
import { isReadOf } from '../reads/check.js'
import { hasRead, isReadIn } from '../reads/feature.js'
import { hasEntries } from './lists.js'

export const includeArguments: Feature = {
  name: 'includeArguments',
  isOn: (project) => isReadIn(project, 'includeArguments'),
  entitySlots: (entity, project) =>
    isAsked(entity, project)
      ? {
          imports: {
            'app/Repositories/NameRepository.ts': [
              {
                from: '#runtime/features/include-arguments/include-arguments.js',
                names: ['includeArguments'],
              },
            ],
          },
          repository_extensions: ['includeArguments'],
        }
      : {},
  has: (entity, blueprint) =>
    isReadOf(blueprint, entity, 'includeArguments') && hasEntries(entity)
      ? 'parts of included lists (include[…])'
      : null,
  client: async () => (await import('./client.js')).includeArgumentsInClient,
  document: async () => (await import('./document.js')).includeArgumentsInDocument,
}

const isAsked = (entity: Entity, project: Surroundings) =>
  hasRead(entity, project, 'includeArguments') && hasEntries(entity)
