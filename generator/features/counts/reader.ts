import type { FeatureReader } from '../../write/feature.js'
import { countsFact } from './check.js'
import { countsParameter } from './words.js'

/** `svc generate` says which column the parameter takes the name of. */
export const countsReader: FeatureReader = {
  advice: async (_, blueprint) =>
    blueprint.entities
      .filter((entity) => countsFact.in(blueprint, entity) !== null)
      .filter(({ match }) => match.some(({ column }) => column === countsParameter))
      .map(({ key, source }) => ({
        rule: 'taken-name',
        at: source,
        message: `'${countsParameter}' in match of '${key}' is filtered by filter[${countsParameter}] alone: ?${countsParameter} names what to count`,
        fix: `nothing, where clients send filter[${countsParameter}]; else leave count out of '${key}'`,
      })),
}
