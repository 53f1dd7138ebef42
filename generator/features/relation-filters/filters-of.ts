import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import { relationFiltersFact, type RelationFilter } from './check.js'

export const relationFiltersOf = (
  entity: Pick<Entity, 'key'>,
  project: Pick<Surroundings, 'blueprint'>,
): readonly RelationFilter[] => relationFiltersFact.of(entity, project) ?? []

/** The column that it compares, of a related record or of a pivot row; null: it compares none. */
export const columnOf = ({ asks }: RelationFilter) => ('column' in asks ? asks.column : null)
