import type { Blueprint, Entity } from '../../blueprint/types.js'
import type { Advice } from '../../plan/advice/advice.js'
import type { FeatureReader } from '../../write/feature.js'
import { at, type Target } from '../../write/target.js'
import { customFiltersFact } from './check.js'
import { filtersParameter } from './words.js'

/** As svc writes it: nothing is found, and there is no such order. */
const unanswered = /^ {4}(\w+): \(\) => (?:false|null),$/gm

/** `svc generate` says which of them find nothing yet. */
export const customFiltersReader: FeatureReader = {
  advice: async (target, blueprint) =>
    blueprint.entities
      .filter((entity) => customFiltersFact.in(blueprint, entity) !== null)
      .flatMap((entity) => [...takenName(blueprint, entity), ...unansweredIn(target, entity)]),
}

/** Finds a column whose parameter has another name, because filters are named by their keys. */
function takenName(blueprint: Blueprint, entity: Entity): readonly Advice[] {
  const { key, source, match } = entity
  const hasFilters = (customFiltersFact.in(blueprint, entity)?.filters ?? []).length > 0
  if (!hasFilters || !match.some(({ column }) => column === filtersParameter)) return []
  return [
    {
      rule: 'taken-name',
      at: source,
      message: `'${filtersParameter}' in match of '${key}' is filtered by filter[${filtersParameter}] alone: ?${filtersParameter} names filters by their keys`,
      fix: `nothing, where clients send filter[${filtersParameter}]`,
    },
  ]
}

function unansweredIn(target: Target, { name }: Entity): readonly Advice[] {
  const path = `app/Filters/${name}Filters.ts`
  const file = at(target, path)
  if (target.files.kind(file) !== 'file') return []
  const found = [...(target.files.read(file) ?? '').matchAll(unanswered)].map(([, key]) => key)
  if (found.length === 0) return []
  return [
    {
      rule: 'unanswered-filters',
      at: path,
      message: `${found.join(', ')} ${found.length === 1 ? 'finds' : 'find'} nothing yet`,
      fix: 'answer true, or a condition: (value) => ({ id: { gt: value } }); a sorter answers self(…) or sql`…`',
    },
  ]
}
