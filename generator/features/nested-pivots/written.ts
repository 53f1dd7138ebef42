import type { Column, Entity, Relation } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import { requiredColumns, type Written, writtenColumns } from '../../plan/written-columns.js'
import { isSettable } from '../bulk/document.js'
import { upsertFact } from '../upsert/check.js'
import { nestedPivotsFact } from './check.js'

/** The many-to-many relations that a record may be written with. */
export function namedIn(
  entity: Pick<Entity, 'key' | 'relations'>,
  project: Pick<Surroundings, 'blueprint'>,
): readonly Relation[] {
  const keys = nestedPivotsFact.of(entity, project) ?? []
  return entity.relations.filter(({ key }) => keys.includes(key))
}

/**
 * Lists the columns of a record that is named by a key, and created where there is none; null: only
 * ids name records.
 */
export function newColumns(
  written: Written & { readonly project: Pick<Surroundings, 'blueprint'> },
  target: Entity,
): { readonly columns: readonly Column[]; readonly required: readonly string[] } | null {
  if (upsertFact.of(target, written.project) === null) return null
  const columns = writtenColumns(written, target, 'store').filter(isSettable)
  const names = new Set(columns.map(({ name }) => name))
  const required = requiredColumns(written, target, 'store').filter((name) => names.has(name))
  return { columns, required }
}
