import type { Blueprint, Column, Entity, Relation } from '../../blueprint/types.js'
import type { Advice } from '../../plan/advice.js'
import { relationFiltersIn, type RelationFilter } from './check.js'

/** Filters through relations that no index serves: at the column, or where the records are joined. */
export function indexAdvice(blueprint: Blueprint): readonly Advice[] {
  const entities = new Map(blueprint.entities.map((entity) => [entity.key, entity]))
  return [...relationFiltersIn(blueprint)].flatMap(([key, filters]) => {
    const entity = entities.get(key)
    if (entity === undefined) return []
    return filters.flatMap((filter) => [
      ...joins(entity, filter, entities),
      ...columns(entity, filter, entities),
    ])
  })
}

type Entities = ReadonlyMap<string, Entity>

const advice = ({ source }: Entity, message: string, fix: string): Advice => ({
  ...{ rule: 'unindexed-filter', at: source, message, fix },
})

/** Of has-many relations, the column of the related table that points back. */
function joins(entity: Entity, { name, places, relations }: RelationFilter, entities: Entities) {
  return relations.flatMap((relation, at): readonly Advice[] => {
    const target = entities.get(places[at + 1] ?? '')
    if (target === undefined || !pointsBack(relation)) return []
    const { foreignKey, morphType } = relation
    const names = morphType === null ? [foreignKey] : [morphType, foreignKey]
    const [first = foreignKey] = names
    if (isIndexed(target, first)) return []
    return [
      advice(
        entity,
        `filtering '${entity.key}' by '${name}' reads every row of '${target.key}': nothing finds them by '${foreignKey}'`,
        `${lineOf(names)} in '${target.key}'`,
      ),
    ]
  })
}

const pointsBack = ({ kind }: Relation) => kind !== 'belongsTo' && !kind.endsWith('ToMany')

function columns(
  entity: Entity,
  { name, type, relations, asks }: RelationFilter,
  entities: Entities,
): readonly Advice[] {
  if (!('column' in asks)) return []
  const { column, owner } = asks
  const target = entities.get(owner)
  // Rows of a pivot table are found by what they join.
  if (target === undefined) return []
  if (type === 'partial') {
    return [
      advice(
        entity,
        `filtering '${entity.key}' by part of '${name}' reads every row of '${target.key}': no index helps`,
        `match: { '${name}': 'text' }, where the whole value is known`,
      ),
    ]
  }
  // Few values: what they find is most of the table, which the relation narrows down.
  if (type === 'boolean' || isIndexed(target, column.name)) return []
  const last = relations.at(-1)
  return [
    advice(
      entity,
      `filtering '${entity.key}' by '${name}' reads every row that '${last?.key ?? ''}' leads to`,
      `${lineOf([column.name])} in '${target.key}'`,
    ),
  ]
}

const lineOf = (names: readonly string[]) =>
  `indexes: [[${names.map((name) => `'${name}'`).join(', ')}]]`

function isIndexed({ columns: all, indexes = [], unique = [] }: Entity, name: string): boolean {
  const column = all.find((each) => each.name === name)
  const isFirst = [...indexes, ...unique].some(([first]) => first === name)
  return isFirst || (column !== undefined && isAlone(column))
}

const isAlone = ({ indexed, unique, role }: Column) => indexed || unique || role === 'id'
