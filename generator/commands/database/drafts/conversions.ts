import { quoted, type Dialect, type MigrationSession } from './project.js'

/** A column whose type a migration changes; the name is that from before. */
export interface Conversion {
  readonly table: string
  readonly column: string
  readonly from: string
  readonly to: string
}

/** Types by table and column, as the database spells them. */
export type Types = ReadonlyMap<string, ReadonlyMap<string, string>>

const typesOf: Readonly<Record<Dialect, string>> = {
  sqlite: `
    SELECT m.name, c.name, c.type FROM sqlite_master m, pragma_table_info(m.name) c
    WHERE m.type = 'table' ORDER BY m.name, c.cid`,
  postgresql: `
    SELECT t.relname, c.attname, format_type(c.atttypid, c.atttypmod) FROM pg_attribute c
    JOIN pg_class t ON t.oid = c.attrelid
    WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p')
      AND c.attnum > 0 AND NOT c.attisdropped
    ORDER BY t.relname, c.attnum`,
}

export async function readTypes(session: MigrationSession): Promise<Types> {
  const tables = new Map<string, Map<string, string>>()
  for (const [table, column, type] of await session.query(typesOf[session.dialect])) {
    const columns = tables.get(String(table)) ?? new Map<string, string>()
    tables.set(String(table), columns.set(String(column), String(type)))
  }
  return tables
}

/**
 * How many values would not come back from the new type: `1.75` from an integer, an instant from a
 * day. Asked before the migration runs.
 */
export function countConverted(session: MigrationSession, conversion: Conversion): Promise<number> {
  return session.dialect === 'sqlite'
    ? countOnSqlite(session, conversion)
    : countOnPostgres(session, conversion)
}

async function countOnPostgres(
  session: MigrationSession,
  { table, column, from, to }: Conversion,
): Promise<number> {
  const value = quoted(column)
  // Values that cannot be cast at all are dropped with their column, which is counted elsewhere.
  await session.query('SAVEPOINT svc_cast')
  try {
    return await countOf(
      session,
      `SELECT count(*) FROM ${quoted(table)}
       WHERE ${value}::${to}::${from}::text IS DISTINCT FROM ${value}::text`,
    )
  } catch {
    await session.query('ROLLBACK TO SAVEPOINT svc_cast')
    return 0
  }
}

/** SQLite stores what does not fit as it is; the new column would then hold text among numbers. */
async function countOnSqlite(
  session: MigrationSession,
  { table, column, from, to }: Conversion,
): Promise<number> {
  await session.query(`CREATE TEMP TABLE svc_to (value ${to})`)
  await session.query(`CREATE TEMP TABLE svc_back (value ${from})`)
  try {
    await session.query(`INSERT INTO svc_to SELECT ${quoted(column)} FROM ${quoted(table)}`)
    await session.query('INSERT INTO svc_back SELECT value FROM svc_to ORDER BY rowid')
    await session.query(`CREATE TEMP TABLE svc_from (value ${from})`)
    await session.query(`INSERT INTO svc_from SELECT ${quoted(column)} FROM ${quoted(table)}`)
    return await countOf(
      session,
      `SELECT count(*) FROM svc_from f
       JOIN svc_to t ON t.rowid = f.rowid JOIN svc_back b ON b.rowid = f.rowid
       WHERE f.value IS NOT NULL AND (f.value IS NOT b.value OR ${misfit(to)})`,
    )
  } finally {
    for (const name of ['svc_to', 'svc_back', 'svc_from']) {
      await session.query(`DROP TABLE IF EXISTS temp.${name}`)
    }
  }
}

function misfit(type: string): string {
  if (/^(INT|BOOL|BIGINT)/i.test(type)) return `typeof(t.value) <> 'integer'`
  if (/^(REAL|DOUBLE|FLOAT)/i.test(type)) return `typeof(t.value) NOT IN ('real', 'integer')`
  return '0'
}

async function countOf(session: MigrationSession, sql: string): Promise<number> {
  const [[found] = []] = await session.query(sql)
  return Number(found)
}
