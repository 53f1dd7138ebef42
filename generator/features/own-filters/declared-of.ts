import type { Entity } from '../../blueprint/types.js'
import type { Surroundings } from '../../plan/project.js'
import { literal } from '../../source/literal.js'
import type { OwnFilter, OwnFilters } from './check.js'

declare module '../../plan/project.js' {
  interface Derived {
    /** By URI key, what the filters of a repository answer. */
    readonly ownFilters: ReadonlyMap<string, OwnFilters>
  }
}

/** What the filters of a repository answer; null: it has none. */
export const ownFiltersOf = (
  { key }: Pick<Entity, 'key'>,
  { derived }: Pick<Surroundings, 'derived'>,
): OwnFilters | null => derived.ownFilters?.get(key) ?? null

const plainTypes = { boolean: 'boolean', number: 'number', text: 'string', timestamp: 'string' }

/** The TypeScript of a value, as its answer gets it, and as a client sends it. */
export function typeOfValue({ kind, options = [] }: OwnFilter): string {
  const words = options.map(literal).join(' | ')
  if (kind === 'select') return words
  return kind === 'multiSelect' ? `readonly (${words})[]` : plainTypes[kind]
}
