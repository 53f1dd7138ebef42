/** Everything of a database that has a name or a form, in no order of its making. */
import type { DatabaseName } from '../../../support/databases.js'

export type Query = (sql: string) => Promise<readonly (readonly unknown[])[]>

export type Catalogue = Readonly<Record<string, unknown>>

const isBook = `IN ('_prisma_migrations', '_svc_draft', 'sqlite_sequence')`

export const catalogueOf = (name: DatabaseName, query: Query): Promise<Catalogue> =>
  name === 'sqlite' ? ofSqlite(query) : ofPostgres(query)

async function ofSqlite(query: Query): Promise<Catalogue> {
  const tables = await query(
    `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT ${isBook} ORDER BY name`,
  )
  const found = tables.map(async ([table, sql]) => {
    const name = String(table)
    const columns = await query(
      `SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info('${name}') ORDER BY name`,
    )
    const keys = await query(
      `SELECT "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list('${name}') ORDER BY "from"`,
    )
    const checks = String(sql).match(/CHECK \(.*? BETWEEN \S+ AND [\d.]+\)/g) ?? []
    const isCounting = String(sql).includes('AUTOINCREMENT')
    const words = String(sql).startsWith('CREATE VIRTUAL') ? sql : null
    return [name, { columns, keys, checks: checks.toSorted(), isCounting, words }] as const
  })
  const others = await query(
    `SELECT type, name, tbl_name, sql FROM sqlite_master WHERE type <> 'table' AND tbl_name NOT ${isBook}
       AND sql IS NOT NULL ORDER BY type, name`,
  )
  return { ...Object.fromEntries(await Promise.all(found)), others }
}

async function ofPostgres(query: Query): Promise<Catalogue> {
  const own = `current_schema()`
  const parts = {
    columns: `SELECT table_name, column_name, data_type, column_default, is_nullable, numeric_precision,
        numeric_scale, datetime_precision, generation_expression FROM information_schema.columns
      WHERE table_schema = ${own} AND table_name NOT ${isBook} ORDER BY 1, 2`,
    indexes: `SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = ${own} AND tablename NOT ${isBook} ORDER BY 2`,
    constraints: `SELECT c.relname, k.conname, pg_get_constraintdef(k.oid) FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
      WHERE c.relnamespace = ${own}::regnamespace AND c.relname NOT ${isBook} AND k.contype <> 'n' ORDER BY 1, 2`,
    triggers: `SELECT t.tgname, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT t.tgisinternal AND c.relnamespace = ${own}::regnamespace ORDER BY 1, 2`,
    functions: `SELECT proname, prosrc FROM pg_proc WHERE pronamespace = ${own}::regnamespace ORDER BY 1`,
    sequences: `SELECT s.relname, c.relname FROM pg_class s JOIN pg_depend d ON d.objid = s.oid AND d.deptype = 'a'
      JOIN pg_class c ON c.oid = d.refobjid WHERE s.relkind = 'S' AND s.relnamespace = ${own}::regnamespace ORDER BY 1`,
  }
  const found: [string, unknown][] = []
  for (const [part, sql] of Object.entries(parts)) found.push([part, await query(sql)])
  return Object.fromEntries(found)
}
