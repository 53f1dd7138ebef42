import { storageOf, type Storage } from '../../blueprint/field-kinds.js'
import { storedName } from '../../blueprint/names.js'
import type { Project } from '../project.js'

export interface DatabaseView {
  readonly isSqlite: boolean
  readonly hasReaderThreads: boolean
  /** `table.column` of date fields: SQLite keeps them as it keeps instants, so Kysely needs their names. */
  readonly dateColumns: readonly string[]
  /** `table.column` of fields that hold lists: on PostgreSQL a list is sent as an array unless it is known to be JSON. */
  readonly jsonColumns: readonly string[]
}

export function databaseView(project: Project): DatabaseView {
  const { isSqlite } = project
  return {
    isSqlite,
    hasReaderThreads: project.blueprint.readerThreads === true,
    dateColumns: isSqlite ? columnsStoredAs('date', project) : [],
    jsonColumns: isSqlite ? [] : columnsStoredAs('json', project),
  }
}

function columnsStoredAs(storage: Storage, { entities, blueprint }: Project): readonly string[] {
  const tables = [
    ...entities.map(({ table, columns }) => ({ table, columns })),
    ...blueprint.pivots.map(({ table, fields }) => ({ table, columns: fields })),
  ]
  return tables.flatMap(({ table, columns }) =>
    columns
      .filter((column) => storageOf(column) === storage)
      .map((column) => `${table}.${storedName(column)}`),
  )
}
