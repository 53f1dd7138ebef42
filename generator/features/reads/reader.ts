import type { Blueprint } from '../../blueprint/types.js'
import type { Advice } from '../../plan/advice/advice.js'
import type { FeatureReader } from '../../write/feature.js'
import { relationFiltersFact } from '../relation-filters/check.js'
import { isReadOf } from './check.js'
import { readRows } from './words.js'

/** `svc generate` says which columns a parameter takes the name of. */
export const readsReader: FeatureReader = {
  advice: async (_, blueprint) => takenNames(blueprint),
}

export function takenNames(blueprint: Blueprint): readonly Advice[] {
  return blueprint.entities.flatMap((entity) => {
    const { key, source, match } = entity
    const related = relationFiltersFact.in(blueprint, entity) ?? []
    const names = [...match.map(({ column }) => column), ...related.map(({ name }) => name)]
    return readRows
      .filter(({ name }) => isReadOf(blueprint, entity, name))
      .flatMap(({ name: read, parameters }: { name: string; parameters: readonly string[] }) =>
        names
          .filter((name) => parameters.includes(name))
          .map((column) => ({
            rule: 'taken-name',
            at: source,
            message: `'${column}' in match of '${key}' is filtered by filter[${column}] alone: ?${column} is a parameter of '${read}' in reads`,
            fix: `nothing, where clients send filter[${column}]; else reads: […] without '${read}' in '${key}'`,
          })),
      )
  })
}
