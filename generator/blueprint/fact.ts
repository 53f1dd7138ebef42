import type { Blueprint, Entity } from './types.js'

/** A feature's fact about a repository, in the blueprint. */
export interface Fact<Said> {
  /** Null: nothing. */
  readonly in: (blueprint: Pick<Blueprint, 'features'>, entity: Pick<Entity, 'key'>) => Said | null
  /** Reads the fact for the files of a project. */
  readonly of: (
    entity: Pick<Entity, 'key'>,
    project: { readonly blueprint: Pick<Blueprint, 'features'> },
  ) => Said | null
}

/** Reads what the `facts` of a feature's check returned: an object by URI keys. */
export function factOf<Said>(feature: string): Fact<Said> {
  const within: Fact<Said>['in'] = ({ features }, { key }) => {
    const all = (features[feature] ?? {}) as unknown as Readonly<Record<string, Said>> // as the check left it
    return Object.hasOwn(all, key) ? (all[key] ?? null) : null
  }
  return { in: within, of: (entity, { blueprint }) => within(blueprint, entity) }
}
