import { readDroppedColumns } from '../../../migrations/sql/sql-tables.js'
import { readTypes } from './conversions.js'
import { namesBefore } from './names-before.js'
import { quoted, type MigrationSession } from './project.js'

/**
 * How many rows have no value for a column that a migration makes required, asked of the database before it. `said`: what
 * stopped it, in the words of the database. Null: something else.
 */
export async function emptyRowsText(
  session: MigrationSession,
  sql: string,
  said: string,
): Promise<string | null> {
  const stopped = columnIn(said)
  if (stopped === null) return null
  const types = await readTypes(session)
  const names = namesBefore(types, sql)
  const dropped = readDroppedColumns(sql)
  const texts: string[] = []
  for (const { table, column } of [stopped, ...requiredIn(sql)]) {
    const old = names.table(table)
    if (old === undefined) continue
    const known = dropped.has(`${table}.${column}`) ? undefined : names.column(old, column)
    const empty = known === undefined ? '' : ` WHERE ${quoted(known)} IS NULL`
    const [[count] = []] = await session.query(`SELECT count(*) FROM ${quoted(old)}${empty}`)
    const rows = Number(count)
    if (rows === 0) continue
    texts.push(
      `${rows} ${rows === 1 ? 'row' : 'rows'} of '${table}' ${rows === 1 ? 'has' : 'have'} no '${column}'`,
    )
  }
  return texts.length === 0 ? null : [...new Set(texts)].join('; ')
}

interface TableColumn {
  readonly table: string
  readonly column: string
}

/** SQLite builds the table anew beside the old one. */
function columnIn(said: string): TableColumn | null {
  const sqlite = /NOT NULL constraint failed: (?:new_)?([^.\n]+)\.([^.\n]+)/.exec(said)
  const postgresql = /column "([^"]+)" of relation "([^"]+)" contains null values/.exec(said)
  const [, table, column] = sqlite ?? [null, postgresql?.[2], postgresql?.[1]]
  return table === undefined || column === undefined ? null : { table, column }
}

/** svc wrote these at its head. */
const requiredIn = (sql: string): readonly TableColumn[] =>
  [...sql.matchAll(/^-- Careful: makes '(.+)' of '(.+?)' required:/gm)].map(
    ([, column = '', table = '']) => ({ table, column }),
  )
