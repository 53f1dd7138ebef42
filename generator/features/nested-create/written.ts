import type { Column, Entity, Relation } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import { isSettable } from '../bulk/document.js'
import { parentColumns } from '../openapi/schemas/entity-schemas.js'

declare module '../../plan/project.js' {
  interface Derived {
    /** By URI key, the relations whose records a new record may be sent with. */
    readonly nestedCreate: ReadonlyMap<string, readonly Relation[]>
  }
}

export const writableOf = (
  { key }: Pick<Entity, 'key'>,
  { derived }: Pick<Surroundings, 'derived'>,
): readonly Relation[] => derived.nestedCreate.get(key) ?? []

export const isOne = ({ kind }: Relation): boolean => kind === 'hasOne' || kind === 'morphOne'

/** A child says all but the record above, and no secret. */
export function isChildColumn(relation: Relation): (column: Column) => boolean {
  const above = parentColumns(relation)
  return (column) => isSettable(column) && !above.includes(column.name)
}
