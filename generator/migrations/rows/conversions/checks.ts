import type { Database } from '../../../blueprint/types.js'
import { sqlText } from '../../../kinds/sql.js'
import { anyMarkedName, markedName, unmarked } from '../../sql/mark-names.js'

/** Rows that a migration cannot go on with. It looks for them before it changes anything, wherever it runs. */
export interface Check {
  readonly table: string
  readonly column: string
  /** `is no decimal(10, 2)` */
  readonly says: string
  /** Hashes of passwords are not shown. */
  readonly isSecret: boolean
  /** The rows pass where the run accepts data loss: the migration says what becomes of them. */
  readonly isAcceptable: boolean
  /** SQL that finds the rows. */
  readonly where: string
}

/** The setting of this run and no other: `runtime/database/migrations/accepted-loss.ts` sets it. */
export const accepted: Readonly<Record<Database, string>> = {
  sqlite: `EXISTS (SELECT 1 FROM sqlite_temp_master WHERE name = 'svc_accept_data_loss')`,
  postgresql: `coalesce(current_setting('svc.accept_data_loss', true), '') = 'on'`,
}

/** A statement that fails where there are such rows, and says so; svc counts them by the same condition. */
export function checkSql(database: Database, check: Check): string {
  const { table, column, says, isSecret, isAcceptable } = check
  const what = `${markedName(table, column)} ${says}`
  const kind = `Check${isSecret ? ' of secrets' : ''}${isAcceptable ? unlessAccepted : ''}`
  const mark = `-- ${kind}: ${what}\n`
  const where = isAcceptable ? `${check.where} AND NOT (${accepted[database]})` : check.where
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

const unlessAccepted = ', unless data loss is accepted'

const check = new RegExp(
  `^-- Check( of secrets)?(${unlessAccepted})?: ${anyMarkedName} (.*)\n${statements.source}`,
  'gm',
)

/** The checks of a migration, and what it does before the first of them, such as renames. */
export function readChecks(sql: string): {
  readonly before: string
  readonly checks: readonly Check[]
} {
  const found = [...sql.matchAll(check)]
  const checks = found.map(
    ([, secrets, passing, table = '', column = '', says = '', where = '']) => {
      const place = { table: unmarked(table), column: unmarked(column) }
      const [isSecret, isAcceptable] = [secrets !== undefined, passing !== undefined]
      return { ...place, says, isSecret, isAcceptable, where }
    },
  )
  return { before: sql.slice(0, found[0]?.index ?? sql.length), checks }
}

/** Columns that the migration converts, value by value. */
export const convertedMark = (name: string, from: string, to: string): string =>
  `-- Convert: ${name} from ${from} to ${to}\n`

export const readConverted = (sql: string): readonly string[] =>
  namesIn(sql, new RegExp(`^-- Convert: ${anyMarkedName} from `, 'gm'))

/** `visits.fee` of each mark. */
export const namesIn = (sql: string, mark: RegExp): readonly string[] =>
  [...sql.matchAll(mark)].map(([, table = '', column = '']) => unmarked(`${table}.${column}`))
