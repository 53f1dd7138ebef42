import type { Database } from '../../../blueprint/types.js'
import { anyMarkedName, markedName, unmarked } from '../mark-names.js'
import { sqlText } from './stored.js'

/** Rows that a migration cannot go on with. It looks for them before it changes anything, wherever it runs. */
export interface Check {
  readonly table: string
  readonly column: string
  /** `is no decimal(10, 2)` */
  readonly says: string
  /** Hashes of passwords are not shown. */
  readonly isSecret: boolean
  /** SQL that finds the rows. */
  readonly where: string
}

/** A statement that fails where there are such rows, and says so; svc counts them by the same condition. */
export function checkSql(database: Database, { table, column, says, isSecret, where }: Check) {
  const what = `${markedName(table, column)} ${says}`
  const mark = `-- ${isSecret ? 'Check of secrets' : 'Check'}: ${what}\n`
  if (database === 'sqlite') {
    const name = what.replaceAll('"', '""')
    return `${mark}CREATE TABLE "svc_check" ("rows" INTEGER, CONSTRAINT "${name}" CHECK ("rows" = 0));
INSERT INTO "svc_check" SELECT count(*) FROM "${table}" WHERE ${where};
DROP TABLE "svc_check";
`
  }
  return `${mark}DO $svc$ DECLARE svc_rows bigint; BEGIN
SELECT count(*) INTO svc_rows FROM "${table}" WHERE ${where};
IF svc_rows > 0 THEN RAISE EXCEPTION USING MESSAGE = ${sqlText(`${what}: `)} || svc_rows || ' row(s)'; END IF;
END $svc$;
`
}

const statements =
  /(?:CREATE TABLE "svc_check"|DO \$svc\$)[^]*?(?:INTO svc_rows|"svc_check" SELECT count\(\*\)) FROM "[^"]+" WHERE ([^]*?);\n(?:DROP TABLE "svc_check"|IF svc_rows > 0)/

const check = new RegExp(
  `^-- Check( of secrets)?: ${anyMarkedName} (.*)\n${statements.source}`,
  'gm',
)

/** The checks of a migration, and what it does before the first of them, such as renames. */
export function readChecks(sql: string): {
  readonly before: string
  readonly checks: readonly Check[]
} {
  const found = [...sql.matchAll(check)]
  const checks = found.map(([, secrets, table = '', column = '', says = '', where = '']) => {
    const place = { table: unmarked(table), column: unmarked(column) }
    return { ...place, says, isSecret: secrets !== undefined, where }
  })
  return { before: sql.slice(0, found[0]?.index ?? sql.length), checks }
}

/** Columns that the migration converts, value by value. */
export const convertedMark = (name: string, from: string, to: string): string =>
  `-- Convert: ${name} from ${from} to ${to}\n`

export const readConverted = (sql: string): readonly string[] =>
  namesIn(sql, new RegExp(`^-- Convert: ${anyMarkedName} from `, 'gm'))

/** Columns whose values are cut where they do not fit: `visits.fee`. */
export const cutMark = (name: string): string => `-- Cut: ${name}\n`

export const readCuts = (sql: string): readonly string[] =>
  namesIn(sql, new RegExp(`^-- Cut: ${anyMarkedName}$`, 'gm'))

/** `visits.fee` of each mark. */
export const namesIn = (sql: string, mark: RegExp): readonly string[] =>
  [...sql.matchAll(mark)].map(([, table = '', column = '']) => unmarked(`${table}.${column}`))
