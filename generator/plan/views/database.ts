import { storedName } from '../../blueprint/names/names.js'
import { kindOf, type Storage } from '../../kinds/kinds.js'
import type { Project } from '../project.js'
import type { Slots } from '../render/slots.js'

export interface DatabaseView {
  readonly isSqlite: boolean
  /** `table.column` of date fields: SQLite keeps them as it keeps instants, so Kysely needs their names. */
  readonly dateColumns: readonly string[]
  /** `table.column` of what has 64 bits: SQLite's driver rounds it unless it is told. */
  readonly bigColumns: readonly string[]
  /** PostgreSQL: what Kysely is told of them. */
  readonly kyselyOptions: string
  /** `table.column` of fields that hold lists: on PostgreSQL a list is sent as an array unless it is known to be JSON. */
  readonly jsonColumns: readonly string[]
  readonly slots: Slots
}

export function databaseView(project: Project): DatabaseView {
  const { isSqlite } = project
  const big = columnsStoredAs('bigInteger', project)
  return {
    isSqlite,
    bigColumns: isSqlite ? big : [],
    kyselyOptions: isSqlite || big.length === 0 ? '' : '{ bigIntegers: true }',
    dateColumns: isSqlite ? columnsStoredAs('date', project) : [],
    jsonColumns: isSqlite ? [] : columnsStoredAs('json', project),
    slots: project.slots,
  }
}

function columnsStoredAs(storage: Storage, { entities, blueprint }: Project): readonly string[] {
  const tables = [
    ...entities.map(({ table, columns }) => ({ table, columns })),
    ...blueprint.pivots.map(({ table, fields, sides }) => ({
      table,
      columns: [...sides.map(({ column: name, kind }) => ({ name, kind })), ...fields],
    })),
  ]
  return tables.flatMap(({ table, columns }) =>
    columns
      .filter((column) => kindOf(column.kind).storage === storage)
      .map((column) => `${table}.${storedName(column)}`),
  )
}
