import type { FeatureReader } from '../../write/feature.js'
import { isReadOf } from '../reads/check.js'

/** `svc generate` says which record the address takes the place of, where keys are texts. */
export const filtersReader: FeatureReader = {
  advice: async (_, blueprint) =>
    blueprint.entities
      .filter((entity) => entity.id === 'text' && isReadOf(blueprint, entity, 'filters'))
      .map(({ key, source }) => ({
        rule: 'taken-name',
        at: source,
        message: `GET /${key}/filters says what can be asked of '${key}': a record whose id is 'filters' is not shown there`,
        fix: `nothing, where no record is called so; else reads: […] without 'filters' in '${key}'`,
      })),
}
