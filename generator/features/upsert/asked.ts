import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import type { Key } from './check.js'

declare module '../../plan/project.js' {
  interface Derived {
    /** By URI key, of repositories whose records requests name by a key. */
    readonly upsert: ReadonlyMap<string, readonly Key[]>
  }
}

/** What the manifest says of a repository; null: records are made, or changed by their ids. */
export const keysOf = (
  { key }: Pick<Entity, 'key'>,
  { derived }: Pick<Surroundings, 'derived'>,
): readonly Key[] | null => derived.upsert.get(key) ?? null
