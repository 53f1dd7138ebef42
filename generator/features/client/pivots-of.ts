import { studly } from '../../blueprint/names/names.js'
import type { Entity, Relation } from '../../blueprint/types.js'
import type { Client } from './names.js'

/** The type of the pivot columns of a many-to-many relation; null: it has none. */
export function pivotsOf(
  { api, name }: Client,
  entity: Entity,
  relation: Relation | undefined,
): string | null {
  if (relation === undefined || relation.pivot === null) return null
  const { fields } = api.project.pivot(relation.pivot.table)
  const isEmpty = fields.every(({ hidden }) => hidden)
  return isEmpty ? null : `${name(entity)}${studly(relation.key)}Pivots`
}
