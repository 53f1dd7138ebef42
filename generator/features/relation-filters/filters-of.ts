import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import type { RelationFilter } from './check.js'

declare module '../../plan/project.js' {
  interface Derived {
    /** By URI key, how lists of a repository are filtered by related records. */
    readonly relationFilters: ReadonlyMap<string, readonly RelationFilter[]>
  }
}

export const relationFiltersOf = (
  { key }: Pick<Entity, 'key'>,
  { derived }: Pick<Surroundings, 'derived'>,
): readonly RelationFilter[] => derived.relationFilters?.get(key) ?? []

/** The column that it compares, of a related record or of a pivot row; null: it compares none. */
export const columnOf = ({ asks }: RelationFilter) => ('column' in asks ? asks.column : null)
