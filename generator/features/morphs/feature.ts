import type { Entity } from '../../blueprint/types.js'
import type { Feature } from '../feature.js'

/**
 * A record that belongs to records of several repositories is a relation as others are: its columns and targets are in the
 * blueprint, and its entry stands among the relations of a repository. Here is what is added to that.
 */
export const morphs: Feature = {
  name: 'morphs',
  isOn: ({ entities }) => entities.some(hasMorphs),
  slots: () => ({
    models_imports: ["import type { OneOf } from '#runtime/features/morphs/morph-to.js'"],
  }),
  entitySlots: (entity) =>
    hasMorphs(entity)
      ? { repository_imports: ["import { morphTo } from '#runtime/features/morphs/morph-to.js'"] }
      : {},
}

const hasMorphs = ({ morphs: own = [] }: Entity) => own.length > 0
