import type { Column, Entity } from '../../blueprint/types.js'
import { functionsOf, type AggregateFunction, type Declared } from './check.js'

/** A declared column, with the repository it is of. */
export interface Named {
  readonly name: string
  readonly owner: Entity
  readonly column: Column
}

interface Entities {
  readonly entity: (key: string) => Entity
}

export const groupsOf = (
  { groupBy }: Declared,
  entity: Entity,
  entities: Entities,
): readonly Named[] => groupBy.flatMap((name) => namedIn(name, entity, entities))

function namedIn(name: string, entity: Entity, entities: Entities): readonly Named[] {
  const [head = '', inner] = name.split('.')
  const relation = entity.relations.find(({ key }) => key === head)
  const owner = inner === undefined ? entity : relation && entities.entity(relation.target)
  const column = owner?.columns.find((each) => each.name === (inner ?? head))
  return owner === undefined || column === undefined ? [] : [{ name, owner, column }]
}

/** A declared column and its functions. */
export interface Selectable extends Named {
  readonly function: AggregateFunction
}

/** All that may be selected besides `count`. */
export function selectableOf(
  declared: Declared,
  entity: Entity,
  entities: Entities,
): readonly Selectable[] {
  const all = [...new Set([...declared.of, ...declared.groupBy])]
  return all
    .flatMap((name) => namedIn(name, entity, entities))
    .flatMap((named) =>
      functionsOf(named.column, declared.of.includes(named.name)).map((name) => ({
        ...named,
        function: name,
      })),
    )
}

/** `sum(price)` */
export const selectText = ({ function: of, name }: Selectable) => `${of}(${name})`

export const periods = ['day', 'week', 'month', 'quarter', 'year'] as const
