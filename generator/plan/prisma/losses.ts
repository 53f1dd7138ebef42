import type { Database } from '../../blueprint/types.js'
import { readTables, type SqlTable } from './sql-tables.js'

/** What a migration asks of a database that already holds rows. Empty lists: nothing. */
export interface Losses {
  /** Gone with everything in them; `column` null: the whole table. */
  readonly drops: readonly { readonly table: string; readonly column: string | null }[]
  /** Stored as another type: values are converted, and some may not survive it. */
  readonly changed: readonly ChangedColumn[]
  /** Must have a value, has no default, and rows may have none: the migration fails on a table with rows. */
  readonly required: readonly { readonly table: string; readonly column: string }[]
  /** Newly unique: the migration fails where rows agree. */
  readonly unique: readonly { readonly table: string; readonly columns: string }[]
}

interface ChangedColumn {
  readonly table: string
  readonly column: string
  readonly from: string
  readonly to: string
}

type Tables = ReadonlyMap<string, SqlTable>

/** Compares two databases, each given as the script that builds it. */
export function lossesBetween(database: Database, before: string, after: string): Losses {
  const [from, to] = [readTables(before), readTables(after)]
  return {
    drops: [...from].flatMap(([table, { columns }]) => dropsOf(table, columns, to)),
    changed: pairs(from, to).flatMap(([table, old, now]) => changesOf(table, old, now)),
    required: pairs(from, to).flatMap(([table, old, now]) => requiredOf(table, old, now, database)),
    unique: pairs(from, to).flatMap(([table, old, now]) =>
      [...now.uniques].filter((each) => !old.uniques.has(each)).map((columns) => ({ table, columns })),
    ),
  }
}

function pairs(from: Tables, to: Tables): readonly (readonly [string, SqlTable, SqlTable])[] {
  return [...from].flatMap(([name, old]) => {
    const now = to.get(name)
    return now === undefined ? [] : [[name, old, now] as const]
  })
}

function dropsOf(table: string, columns: SqlTable['columns'], to: Tables): Losses['drops'] {
  const now = to.get(table)
  if (now === undefined) return [{ table, column: null }]
  const gone = [...columns.keys()].filter((column) => !now.columns.has(column))
  return gone.map((column) => ({ table, column }))
}

function changesOf(table: string, old: SqlTable, now: SqlTable): readonly ChangedColumn[] {
  return [...now.columns].flatMap(([column, { type }]) => {
    const from = old.columns.get(column)?.type
    return from === undefined || from === type ? [] : [{ table, column, from, to: type }]
  })
}

function requiredOf(table: string, old: SqlTable, now: SqlTable, database: Database) {
  return [...now.columns].flatMap(([column, { isRequired, hasDefault }]) => {
    const before = old.columns.get(column)
    if (!isRequired || before?.isRequired === true) return []
    // A rebuilt SQLite table takes the default for rows that had NULL; PostgreSQL asks for values first.
    const isFilled = hasDefault && (before === undefined || database === 'sqlite')
    return isFilled ? [] : [{ table, column }]
  })
}

/** One sentence per loss, for people; says nothing of how many rows there are. */
export function describeLosses({ drops, changed, required, unique }: Losses): readonly string[] {
  return [
    ...drops.map(({ table, column }) =>
      column === null
        ? `drops the table '${table}' with all its rows`
        : `drops the column '${column}' of '${table}' with all its values`,
    ),
    ...changed.map(
      ({ table, column, from, to }) => `stores '${column}' of '${table}' as ${to} instead of ${from}`,
    ),
    ...required.map(
      ({ table, column }) =>
        `makes '${column}' of '${table}' required without a default: rows without a value stop it`,
    ),
    ...unique.map(({ table, columns }) => `makes '${columns}' of '${table}' unique: equal rows stop it`),
  ]
}
