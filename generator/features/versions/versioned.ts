import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import type { Versioned } from './check.js'

declare module '../../plan/project.js' {
  interface Derived {
    /** By URI key, of repositories whose records have versions. */
    readonly versioned: ReadonlyMap<string, Versioned>
  }
}

/** What a record among others calls the version that it changes: a field of yours may be called so. */
export const memberOf = ({ columns }: Pick<Entity, 'columns'>, { column }: Versioned): string =>
  columns.some(({ name }) => name === 'version' && name !== column) ? column : 'version'

/** What the manifest says of a repository; null: its records have none. */
export const versionedOf = (
  { key }: Pick<Entity, 'key'>,
  { derived }: Pick<Surroundings, 'derived'>,
): Versioned | null => derived.versioned.get(key) ?? null
