import type { Database } from '../../blueprint/types.js'
import { readDroppedColumns, readTables, type SqlTable } from './sql-tables.js'

/** What a migration asks of a database that already holds rows. Empty lists: nothing. */
export interface Losses {
  /** Gone with everything in them; `column` null: the whole table. */
  readonly drops: readonly { readonly table: string; readonly column: string | null }[]
  /** Stored as another type. `isEmptied`: dropped and added anew; else values are converted, and some may not survive it. */
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
  readonly isEmptied: boolean
}

/** The migration, and the scripts that build what it starts from and what it leads to. */
interface Scripts {
  readonly before: string
  readonly after: string
  readonly sql: string
}

type Tables = ReadonlyMap<string, SqlTable>

export const noLosses: Losses = { drops: [], changed: [], required: [], unique: [] }

export function findLosses(database: Database, { before, after, sql }: Scripts): Losses {
  const [from, to] = [readTables(before), readTables(after)]
  const emptied = readDroppedColumns(sql)
  const changes = pairs(from, to).flatMap(([table, old, now]) => changesOf(table, old, now))
  return {
    drops: [...from].flatMap(([table, { columns }]) => dropsOf(table, columns, to)),
    changed: changes.map((change) => ({
      ...change,
      isEmptied: emptied.has(`${change.table}.${change.column}`),
    })),
    required: pairs(from, to).flatMap(([table, old, now]) => requiredOf(table, old, now, database)),
    unique: pairs(from, to).flatMap(([table, old, now]) => uniquesOf(table, old, now)),
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

function changesOf(table: string, old: SqlTable, now: SqlTable) {
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

/** An added column that may be NULL is equal to nothing. */
function uniquesOf(table: string, old: SqlTable, now: SqlTable): Losses['unique'] {
  const isAddedEmpty = (name: string) =>
    !old.columns.has(name) && now.columns.get(name)?.isRequired !== true
  const added = [...now.uniques].filter((columns) => !old.uniques.has(columns))
  return added
    .filter((columns) => !columns.split(', ').some((name) => isAddedEmpty(foldedName(name) ?? name)))
    .map((columns) => ({ table, columns }))
}

/** `email` of `lower(email)`. */
const foldedName = (columns: string) => /^lower\((\w+)/.exec(columns)?.[1]

/** One sentence per loss, for people; says nothing of how many rows there are. */
export function describeLosses({ drops, changed, required, unique }: Losses): readonly string[] {
  return [
    ...drops.map(({ table, column }) =>
      column === null
        ? `drops the table '${table}' with all its rows`
        : `drops the column '${column}' of '${table}' with all its values`,
    ),
    ...changed.map(({ table, column, from, to, isEmptied }) =>
      isEmptied
        ? `drops '${column}' of '${table}' with all its values and adds it anew, as ${to} instead of ${from}`
        : `stores '${column}' of '${table}' as ${to} instead of ${from}`,
    ),
    ...required.map(
      ({ table, column }) =>
        `makes '${column}' of '${table}' required: rows without a value stop it, so give it a .default(…), let it be .nullable(), or write values into the saved migration`,
    ),
    ...unique.map(({ table, columns }) => {
      const folded = foldedName(columns)
      return folded === undefined
        ? `makes '${columns}' of '${table}' unique: equal rows stop it`
        : `makes '${folded}' of '${table}' unique in any case: rows that differ only in case stop it`
    }),
  ]
}
