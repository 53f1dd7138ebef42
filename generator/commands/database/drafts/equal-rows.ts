import { splitOutside } from '../../../migrations/sql/sql-tables.js'
import { readTypes } from './conversions.js'
import { namesBefore } from './names-before.js'
import { quoted, type MigrationSession } from './project.js'

/**
 * Why the unique indexes of a migration cannot be made, asked of the database before it: how many rows are equal in which
 * columns. Null: none of them is the cause.
 */
export async function equalRowsText(
  session: MigrationSession,
  sql: string,
): Promise<string | null> {
  const names = namesBefore(await readTypes(session), sql)
  const texts: string[] = []
  for (const index of uniqueIndexesIn(sql)) {
    const old = before(index, names)
    const rows = old === null ? 0 : await countEqual(session, old)
    if (rows === 0) continue
    const shown = index.columns.map((column) => /"([^"]+)"/.exec(column)?.[1] ?? column)
    const isAnyCase = index.columns.some((column) => column.startsWith('lower('))
    texts.push(
      `${rows} rows of '${index.table}' have the same ${shown.join(' and ')} as another${isAnyCase ? ', in some case' : ''}`,
    )
  }
  return texts.length === 0 ? null : texts.join('; ')
}

interface UniqueIndex {
  readonly table: string
  /** As they stand in the statement: `"sku"`, `lower("email")`. */
  readonly columns: readonly string[]
}

const uniqueIndex = /CREATE UNIQUE INDEX "[^"]+" ON "([^"]+)"\((.*)\);?$/gm

const uniqueIndexesIn = (sql: string): readonly UniqueIndex[] =>
  [...sql.matchAll(uniqueIndex)].map(([, table = '', columns = '']) => ({
    table,
    columns: splitOutside(columns, ',').map((each) => each.trim()),
  }))

/** Returns the names before the migration; null where one of them did not exist. */
function before(
  { table, columns }: UniqueIndex,
  names: ReturnType<typeof namesBefore>,
): UniqueIndex | null {
  const old = names.table(table)
  if (old === undefined) return null
  const asBefore = columns.map((text) => {
    const [, column = ''] = /"([^"]+)"/.exec(text) ?? []
    const found = names.column(old, column)
    return found === undefined ? null : text.replace(quoted(column), quoted(found))
  })
  const known = asBefore.filter((each) => each !== null)
  return known.length < columns.length ? null : { table: old, columns: known }
}

/** NULL is equal to nothing. */
async function countEqual(session: MigrationSession, { table, columns }: UniqueIndex) {
  const there = columns.map((column) => `${column} IS NOT NULL`).join(' AND ')
  const [[rows] = []] = await session.query(
    `SELECT sum(many) FROM (
       SELECT count(*) AS many FROM ${quoted(table)} WHERE ${there}
       GROUP BY ${columns.join(', ')} HAVING count(*) > 1
     ) AS equal_rows`,
  )
  return Number(rows ?? 0)
}
