import type { Askable } from '../../model/entity.js'
import { comparedBy, type Comparing } from './declared.js'
import type { RelationFilter } from './find-filter.js'

/** Describes a filter for `/filters`: the kind of its values, and how they are matched. */
export function askableOf(filter: RelationFilter, comparing: Comparing | null): Askable {
  const { name: key, type, asks, steps } = filter
  const row = { list: 'matches', key } as const
  if (type === 'exists') return { ...row, kind: 'boolean', type }
  if (asks.kind === 'morph' || asks.kind === 'exists') return { ...row, kind: 'text' }
  const { column } = asks
  const compared = comparedBy(filter)
  const operators = compared === null ? [] : (comparing?.words(column, type) ?? [])
  const behind = steps.at(-1)?.access.entity
  return {
    ...row,
    ...(typeof type === 'string' ? { kind: column.kind, type } : { kind: 'select', options: type }),
    ...(asks.kind === 'column' && column === behind?.id ? { repository: behind.key } : {}),
    ...(operators.length === 0 ? {} : { operators }),
  }
}
