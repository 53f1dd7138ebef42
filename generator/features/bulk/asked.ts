import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import type { Bulk } from './check.js'

declare module '../../plan/project.js' {
  interface Derived {
    /** By URI key, of repositories that take many records at once. */
    readonly bulk: ReadonlyMap<string, Bulk>
  }
}

/** What the manifest says of a repository; null: its records are written one by one. */
export const bulkOf = (
  { key }: Pick<Entity, 'key'>,
  { derived }: Pick<Surroundings, 'derived'>,
): Bulk | null => derived.bulk.get(key) ?? null
