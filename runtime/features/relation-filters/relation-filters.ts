import type { Extension } from '../../model/entity.js'
import { askableOf } from './askable.js'
import { conditionsOf } from './conditions.js'
import { type Comparing, namesOf, sentFilter } from './declared.js'
import { type FilterTypes, findFilter } from './find-filter.js'
import { sent } from './sent.js'
import { hasScan, isScan, typed } from './typed.js'

/**
 * Filters by related records that the user may see: `seller.name=Ada`, `tags.id=1,2`, `reviews=false`.
 * Each relation is an EXISTS under the policy of its repository. All that is said of one relation
 * speaks of one record; with a minus, of none of several.
 *
 * @example extensions: [relationFilters({ 'seller.name': 'text', reviews: 'exists' })]
 */
export function relationFilters(
  types: FilterTypes,
  { comparing = null }: { readonly comparing?: Comparing | null } = {},
): Extension {
  const declared = { types, comparing }
  return {
    read: {
      filter: {
        takes: (access, name) => sentFilter(access, declared, name) !== null,
        names: (access) => Object.keys(types).flatMap((name) => namesOf(access, declared, name)),
        isScan: ({ match, where }) => isScan(declared, match) || hasScan(declared, where),
        conditions: (access, said, { where }) =>
          conditionsOf([...sent(access, declared, said), ...typed(access, declared, where)]),
      },
      askable: (access) =>
        Object.keys(types).flatMap((name) => {
          const filter = findFilter(access, types, name)
          return filter === null ? [] : [askableOf(filter, comparing)]
        }),
    },
  }
}
