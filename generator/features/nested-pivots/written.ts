import type { Blueprint, Column, Entity, Relation } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import { requiredColumns, type Written, writtenColumns } from '../../plan/written-columns.js'
import { isSettable } from '../bulk/document.js'
import { keysOf } from '../upsert/asked.js'

declare module '../../plan/project.js' {
  interface Derived {
    /** By URI key, the many-to-many relations that a record may be written with. */
    readonly nestedPivots: ReadonlyMap<string, readonly Relation[]>
  }
}

export const namedIn = (
  { key }: Pick<Entity, 'key'>,
  { derived }: Pick<Surroundings, 'derived'>,
): readonly Relation[] => derived.nestedPivots.get(key) ?? []

/** Keys of these relations, as the check found them. */
export const namedKeysIn = (
  { features }: Pick<Blueprint, 'features'>,
  { key }: Pick<Entity, 'key'>,
): readonly string[] => {
  // Made by the check.
  const all = (features['nestedPivots'] ?? {}) as Readonly<Record<string, readonly string[]>>
  return Object.hasOwn(all, key) ? (all[key] ?? []) : []
}

/** What a record says that is named by a key, and is made where there is none; null: only ids name records. */
export function newColumns(
  written: Written & { readonly project: Pick<Surroundings, 'derived'> },
  target: Entity,
): { readonly columns: readonly Column[]; readonly required: readonly string[] } | null {
  if (keysOf(target, written.project) === null) return null
  const columns = writtenColumns(written, target, 'store').filter(isSettable)
  const names = new Set(columns.map(({ name }) => name))
  const required = requiredColumns(written, target, 'store').filter((name) => names.has(name))
  return { columns, required }
}
