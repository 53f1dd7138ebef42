import type { Entity } from '../../blueprint/types.js'
import type { Feature } from '../../write/feature.js'

/**
 * A record that belongs to records of several repositories is a relation as others are: its columns and targets are in the
 * blueprint, and its entry stands among the relations of a repository. Here is what is added to that.
 */
export const morphs: Feature = {
  name: 'morphs',
  isOn: ({ entities }) => entities.some(hasMorphs),
  slots: () => ({
    imports: {
      'app/Models.ts': [
        { from: '#runtime/features/morphs/morph-to.js', names: ['OneOf'], isType: true },
      ],
    },
  }),
  entitySlots: (entity) =>
    hasMorphs(entity)
      ? {
          imports: {
            'app/Repositories/NameRepository.ts': [
              { from: '#runtime/features/morphs/morph-to.js', names: ['morphTo'] },
            ],
          },
        }
      : {},
}

const hasMorphs = ({ morphs: own = [] }: Entity) => own.length > 0
