import type { Column, Entity, Relation } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import { isSettable } from '../bulk/document.js'
import { parentColumns } from '../openapi/schemas/entity-schemas.js'
import { nestedCreateFact } from './check.js'

/** The relations whose records a new record may be sent with. */
export function writableOf(
  entity: Pick<Entity, 'key' | 'relations'>,
  project: Pick<Surroundings, 'blueprint'>,
): readonly Relation[] {
  const keys = nestedCreateFact.of(entity, project) ?? []
  return entity.relations.filter(({ key }) => keys.includes(key))
}

export const isOne = ({ kind }: Relation): boolean => kind === 'hasOne' || kind === 'morphOne'

/** A child says all but the record above, and no secret. */
export function isChildColumn(relation: Relation): (column: Column) => boolean {
  const above = parentColumns(relation)
  return (column) => isSettable(column) && !above.includes(column.name)
}
