import type { Entity } from '../../blueprint/types.js'
import type { Feature } from '../../write/feature.js'
import { timestampsByCheck } from './check.js'

/** The relations and their columns are in the blueprint: this is how they are filled. */
export const timestampsBy: Feature = {
  name: 'timestampsBy',
  check: timestampsByCheck,
  entitySlots: (entity) =>
    isStamped(entity)
      ? {
          imports: {
            'app/Repositories/NameRepository.ts': [
              { from: '#runtime/features/timestamps-by/timestamps-by.js', names: ['timestampsBy'] },
            ],
          },
          repository_extensions: ['timestampsBy'],
        }
      : {},
}

const isStamped = ({ relations }: Entity) =>
  relations.some(({ feature }) => feature === 'timestampsBy')
