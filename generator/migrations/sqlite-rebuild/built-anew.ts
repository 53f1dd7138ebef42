import { readObjects } from '../sql/sql-objects.js'
import { readTables } from '../sql/sql-tables.js'

/** SQLite: where a table is copied into its new form, which takes its name. */
const anew =
  /(CREATE TABLE "new_([^"]+)" \(\n[^]*?\n\);\n(?:INSERT INTO "new_\2" [^]*?;\n)?)(DROP TABLE "\2";\n)(ALTER TABLE "new_\2" RENAME TO "\2";\n)/g

export const buildsAnew = (sql: string): boolean => sql.includes('CREATE TABLE "new_')

/**
 * What Prisma's engine leaves out where SQLite builds a table anew:
 *
 *     the last id      is kept by the table's name and goes with it: ids of deleted records would be given to new ones
 *     the rename       is refused where views and triggers read the table, since for this moment there is none
 *     DROP INDEX       of what the schema says no more: indexes that the migration does not name are kept. Decimals that
 *                      were text once had one of a name that no schema says
 */
export function withoutForgetting(sql: string, before: string): string {
  const indexes = readObjects(before).filter(({ kind }) => kind === 'index')
  const tables = readTables(before)
  return sql.replaceAll(anew, (_, copy: string, table: string, drop: string, rename: string) => {
    const names = [
      ...indexes.filter((each) => each.table === table).map(({ name }) => name),
      ...[...copy.matchAll(/^ +"([^"]+)" DECIMAL\b/gm)].flatMap(([, column = '']) =>
        /^(TEXT|BLOB)/.test(tables.get(table)?.columns.get(column)?.type ?? '')
          ? [`${table}_${column}_number`]
          : [],
      ),
    ]
    const gone = names
      .filter((name) => !sql.includes(`INDEX "${name}"`))
      .map((name) => `DROP INDEX IF EXISTS "${name}";\n`)
    const number = copy.includes(' AUTOINCREMENT') ? lastNumber(table) : ''
    return `${copy}${number}${gone.join('')}${drop}PRAGMA legacy_alter_table=ON;\n${rename}PRAGMA legacy_alter_table=OFF;\n`
  })
}

function lastNumber(table: string): string {
  const [name, copy] = [table, `new_${table}`].map((each) => `'${each.replaceAll("'", "''")}'`)
  return (
    `DELETE FROM "sqlite_sequence" WHERE "name" = ${copy};\n` +
    `INSERT INTO "sqlite_sequence" ("name", "seq") SELECT ${copy}, "seq" FROM "sqlite_sequence" WHERE "name" = ${name};\n`
  )
}

/** Returns true for a table that gives the ids of deleted rows again, and has no last number. */
export const withoutLastNumber = (sql: string) =>
  sql.replaceAll(/^(?:DELETE FROM|INSERT INTO) "sqlite_sequence" .*;\n/gm, '')
