import type { Blueprint, Column, Entity } from '../../../generator/blueprint/types.js'

/** Changes of a column. */
const changedColumns: Readonly<Record<string, (column: Column) => Column>> = {
  'a column that may be empty': (column) => ({ ...column, nullable: !column.nullable }),
  'a column that is hidden': (column) => ({ ...column, hidden: !column.hidden }),
  'a column with bounds': (column) => ({ ...column, max: 7 }),
}

/** Changes of one repository, by what they are. */
export const changedEntities: Readonly<Record<string, (entity: Entity) => Entity>> = {
  'another name': (entity) => ({ ...entity, name: `${entity.name}Item` }),
  'another plural': (entity) => ({ ...entity, plural: 'others', variable: 'other' }),
  'no title': (entity) => ({ ...entity, title: null }),
  'public reads': (entity) => ({ ...entity, isPublic: !entity.isPublic }),
  'no relations': (entity) => ({ ...entity, relations: [], members: [] }),
  hooks: (entity) => ({ ...entity, hasHooks: !entity.hasHooks, computed: [] }),
  'another page': (entity) => ({ ...entity, perPage: 99 }),
  ...Object.fromEntries(
    Object.entries(changedColumns).map(([what, change]) => [
      what,
      (entity: Entity) => ({ ...entity, columns: entity.columns.map(change) }),
    ]),
  ),
}

/** Changes of the whole. */
export const changedProjects: Readonly<Record<string, (blueprint: Blueprint) => Blueprint>> = {
  'nobody signs in': (blueprint) => ({ ...blueprint, auth: null }),
  'another database': (blueprint) => ({ ...blueprint, database: 'postgresql' }),
  'no fields in pivots': (blueprint) => ({
    ...blueprint,
    pivots: blueprint.pivots.map((pivot) => ({ ...pivot, fields: [] })),
  }),
}
