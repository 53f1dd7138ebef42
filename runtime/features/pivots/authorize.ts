import { invalid } from '../../errors.js'
import type { Row } from '../../model/entity.js'
import { unknownIds } from '../relations/named-ids.js'
import { parentKeys } from '../relations/pivot-rows.js'
import type { PivotChange, Seen } from './pivot-change.js'
import { newPivotValues } from './pivot-input.js'
import { requireGate, requirePivot } from './pivot-policy.js'

/** Policy first, then what is wrong with the body, then the gates, which are asked about values. */
export async function authorize(change: PivotChange, seen: Seen): Promise<void> {
  const { operation, access, link } = change
  await agreeTo(change, seen)
  if (operation !== 'detach') {
    await requireGate(access, operation, link.key, writtenPivots(change, seen), seen.row)
  }
  await requireGate(access, 'detach', link.key, seen.removed, seen.row)
}

/** The policy, and what is wrong with the body. */
export async function agreeTo(change: PivotChange, seen: Seen): Promise<void> {
  const { operation, access, link, ids, impossible, errors } = change
  if (operation === 'sync') {
    await requirePivot(access, 'sync', link.key, [seen.row, ids])
  } else {
    for (const each of ids) {
      const related = seen.related.get(each)
      if (related === undefined) continue
      await requirePivot(access, operation, link.key, [seen.row, related])
    }
  }
  const unknown = [...ids.filter((each) => !seen.related.has(each)), ...impossible]
  const all = new Map(errors)
  if (unknown.length > 0) all.set(link.key, [unknownIds(link.key, unknown)])
  if (all.size > 0) throw invalid(all)
}

/**
 * The pivots of the body as rows, for gates: new ones with the values given over the defaults,
 * those that change as they are and as they would be.
 */
export function writtenPivots({ link, groups }: PivotChange, { row, present }: Seen): Row[] {
  const { relatedKey } = link.relation.pivot
  const before = new Map(present.map((pivot) => [pivot[relatedKey], pivot]))
  return groups.flatMap(({ ids, values }) => {
    const filled = newPivotValues(link.relation, values)
    const isChanged = Object.keys(values).length > 0
    return ids.flatMap((each) => {
      const pivot = before.get(each)
      if (pivot === undefined) {
        return [Object.assign(parentKeys(link, row), { [relatedKey]: each }, filled)]
      }
      return isChanged ? [pivot, Object.assign({}, pivot, values)] : [pivot]
    })
  })
}
