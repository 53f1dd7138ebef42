import type { Project } from '../project.js'

export interface DatabaseView {
  readonly isSqlite: boolean
  /** `table.column` of date fields: SQLite keeps them as it keeps instants, so Kysely needs their names. */
  readonly dateColumns: readonly string[]
}

export function databaseView({ isSqlite, entities, blueprint }: Project): DatabaseView {
  const tables = [
    ...entities.map(({ table, columns }) => ({ table, columns })),
    ...blueprint.pivots.map(({ table, fields }) => ({ table, columns: fields })),
  ]
  const dateColumns = tables.flatMap(({ table, columns }) =>
    columns.filter(({ kind }) => kind === 'date').map(({ name }) => `${table}.${name}`),
  )
  return { isSqlite, dateColumns }
}
