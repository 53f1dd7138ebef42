import type { FeatureReader } from '../../write/feature.js'
import { aggregatesFact } from './check.js'
import { aggregateParameters } from './words.js'

/** `svc generate` says which columns the parameters take the names of. */
export const aggregatesReader: FeatureReader = {
  advice: async (_, blueprint) =>
    blueprint.entities
      .filter((entity) => aggregatesFact.in(blueprint, entity) !== null)
      .flatMap(({ key, source, match }) =>
        aggregateParameters
          .filter((name) => match.some(({ column }) => column === name))
          .map((name) => ({
            rule: 'taken-name',
            at: source,
            message: `'${name}' in match of '${key}' is filtered by filter[${name}] alone at /${key}/aggregate: ?${name} says what to aggregate there`,
            fix: `nothing, where clients send filter[${name}]; else leave aggregate out of '${key}'`,
          })),
      ),
}
