import { readFields } from './datamodel.js'
import type { SchemaFile } from './schema-file.js'

/**
 * Keys of 64 bits that the database counts up, which Prisma's engine does not write as the databases take them:
 *
 *     SQLite        only `INTEGER PRIMARY KEY` is the number of the row, and counted up; it has 64 bits as well
 *     PostgreSQL    `SERIAL` is a type for a new column alone; one that is there has a sequence, with a type of its own
 */
export function withBigKeys(sql: string, schema: readonly SchemaFile[]): string {
  return sql.includes('BIGINT NOT NULL PRIMARY KEY')
    ? sqliteKeys(sql, schema)
    : sql.replaceAll(changed, postgresKey)
}

function sqliteKeys(sql: string, schema: readonly SchemaFile[]): string {
  const fields = readFields(schema.map(({ content }) => content).join('\n'))
  let table = ''
  return sql
    .split('\n')
    .map((line) => {
      table = /^CREATE TABLE "(?:new_)?([^"]+)"/.exec(line)?.[1] ?? table
      return line.replace(key, (_, start: string, column: string) => {
        const { attributes = '' } = fields.get(table)?.get(column) ?? {}
        const counted = attributes.includes('autoincrement()') ? ' AUTOINCREMENT' : ''
        return `${start} INTEGER NOT NULL PRIMARY KEY${counted}`
      })
    })
    .join('\n')
}

const key = /^(\s+"([^"]+)") BIGINT NOT NULL PRIMARY KEY\b/

/** One statement: several changes of one table, up to its semicolon. */
const changed =
  /^ALTER TABLE "([^"]+)" (?:[^;"]|"[^"]*")*?ALTER COLUMN "([^"]+)" SET DATA TYPE (BIG)?SERIAL\b(?:[^;"]|"[^"]*")*;$/gm

function postgresKey(statement: string, table: string, column: string, big?: string): string {
  const type = big === undefined ? 'INTEGER' : 'BIGINT'
  const place = [`"${table}"`, column].map((text) => `'${text.replaceAll("'", "''")}'`).join(', ')
  return `${statement.replace(/SET DATA TYPE (BIG)?SERIAL\b/, `SET DATA TYPE ${type}`)}

-- AlterSequence
DO $svc$ DECLARE svc_sequence text := pg_get_serial_sequence(${place}); BEGIN
IF svc_sequence IS NOT NULL THEN EXECUTE 'ALTER SEQUENCE ' || svc_sequence || ' AS ${type}'; END IF;
END $svc$;`
}
