import type { Blueprint, Entity } from '../../blueprint/types.js'
import type { Advice } from '../../plan/advice/advice.js'
import { relationFiltersFact, type RelationFilter } from './check.js'

/**
 * Filters by columns of related records that no index serves. Records are joined by keys, each of which has an index, or is named
 * where it has none.
 */
export function indexAdvice(blueprint: Blueprint): readonly Advice[] {
  const entities = new Map(blueprint.entities.map((entity) => [entity.key, entity]))
  return blueprint.entities.flatMap((entity) =>
    (relationFiltersFact.in(blueprint, entity) ?? []).flatMap((filter) => {
      const { asks } = filter
      // Rows of a pivot table are found by what they join.
      const target = 'column' in asks ? entities.get(asks.owner) : undefined
      if (target === undefined || !('column' in asks)) return []
      return adviceOn(entity, filter, target, asks.column.name)
    }),
  )
}

function adviceOn(
  { key, source }: Entity,
  { name, type }: RelationFilter,
  target: Entity,
  column: string,
): readonly Advice[] {
  const advice = (what: string, reads: string, fix: string) => {
    const message = `filtering '${key}' by ${what} reads every row of '${target.key}'${reads}`
    return [{ rule: 'unindexed-filter', at: source, message, fix }]
  }
  if (type === 'partial') {
    const fix = `match: { '${name}': 'text' }, where the whole value is known`
    return advice(`part of '${name}'`, ': no index helps', fix)
  }
  // Half of all rows are as true as others: the relation narrows them down.
  if (type === 'boolean' || isIndexed(target, column)) return []
  return advice(`'${name}'`, '', `indexes: [['${column}']] in '${target.key}'`)
}

function isIndexed({ columns, indexes = [], unique = [] }: Entity, name: string): boolean {
  const column = columns.find((each) => each.name === name)
  const isAlone = column?.indexed === true || column?.unique === true || column?.role === 'id'
  return isAlone || [...indexes, ...unique].some(([first]) => first === name)
}
