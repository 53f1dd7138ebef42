import type { FeatureReader } from '../../write/feature.js'
import { isReadOf } from '../reads/check.js'
import { treeWords } from './words.js'

/** `svc generate` says which columns a tree does not find by their names. */
export const treesReader: FeatureReader = {
  advice: async (_, blueprint) =>
    blueprint.entities
      .filter((entity) => isReadOf(blueprint, entity, 'trees'))
      .flatMap(({ key, source, match }) =>
        match
          .filter(({ column }) => treeWords.includes(column))
          .map(({ column }) => ({
            rule: 'taken-name',
            at: source,
            message: `'${column}' in match of '${key}' is called 'filter[${column}]' in a where: '${column}' is a word of 'trees' in reads`,
            fix: `nothing, where clients send 'filter[${column}]'; else reads: […] without 'trees' in '${key}'`,
          })),
      ),
}
