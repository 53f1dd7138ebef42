import { quoted, type Dialect, type MigrationSession } from './project.js'
import type { Name } from './renames-in.js'

/** A table that loses rows but stays, as it was before the migration. */
export interface Shrunk {
  readonly table: string
  /** Columns that exist afterwards too. */
  readonly columns: readonly string[]
}

const keysOf: Readonly<Record<Dialect, string>> = {
  sqlite: `
    SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
    WHERE m.type = 'table' AND c.pk > 0 ORDER BY m.name, c.pk`,
  postgresql: `
    SELECT t.relname, c.attname FROM pg_index i
    JOIN pg_class t ON t.oid = i.indrelid
    JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum = ANY (i.indkey)
    WHERE i.indisprimary AND t.relnamespace = current_schema()::regnamespace
    ORDER BY t.relname, c.attnum`,
}

/**
 * The values that rows had before `work` which are there after it: what these have less of is lost beside the rows that
 * went. Rows are known again by their primary key; a table without one is not in the answer.
 */
export async function valuesOfStaying(
  session: MigrationSession,
  shrunk: readonly Shrunk[],
  renamed: (name: Name) => Name,
  work: () => Promise<void>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const keys = await session.query(keysOf[session.dialect])
  const known = shrunk.flatMap(({ table, columns }) => {
    const key = keys.filter(([name]) => name === table).map(([, column]) => String(column))
    const isKnown = key.length > 0 && key.every((column) => columns.includes(column))
    return isKnown ? [{ table, columns, key }] : []
  })
  const copy = (at: number) => quoted(`svc_before_${at}`)
  for (const [at, { table }] of known.entries()) {
    await session.query(`CREATE TEMP TABLE ${copy(at)} AS SELECT * FROM ${quoted(table)}`)
  }
  await work()
  const values = new Map<string, ReadonlyMap<string, number>>()
  for (const [at, { table, columns, key }] of known.entries()) {
    const now = key.map((column) => renamed({ table, column }).column ?? column)
    const counts = columns.map((column) => `count(${quoted(column)})`).join(', ')
    const [row = []] = await session.query(
      `SELECT ${counts} FROM ${copy(at)} WHERE (${textsOf(key)}) IN
       (SELECT ${textsOf(now)} FROM ${quoted(renamed({ table, column: null }).table)})`,
    )
    values.set(table, new Map(columns.map((column, index) => [column, Number(row[index])])))
    await session.query(`DROP TABLE ${copy(at)}`)
  }
  return values
}

/** The kind of a key may be another one. */
const textsOf = (key: readonly string[]) =>
  key.map((column) => `CAST(${quoted(column)} AS TEXT)`).join(', ')
