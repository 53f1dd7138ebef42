import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import type { Counts } from './check.js'

declare module '../../plan/project.js' {
  interface Derived {
    /** By URI key, what is counted of the records of a repository. */
    readonly counts: ReadonlyMap<string, Counts>
  }
}

/** What is counted of the records of a repository; null: nothing. */
export const countsOf = (
  { key }: Pick<Entity, 'key'>,
  { derived }: Pick<Surroundings, 'derived'>,
): Counts | null => derived.counts?.get(key) ?? null
