import { storedName } from '../../blueprint/names/names.js'
import type { Blueprint, Entity, Kept } from '../../blueprint/types.js'
import type { Keeper } from '../../migrations/keepers/kept.js'
import { shortened } from '../../migrations/keepers/morph-marks.js'
import type { SchemaFile } from '../../migrations/schema/schema-file.js'
import { markedColumns } from '../../migrations/schema/schema-marks.js'
import { versionsFact } from './check.js'

/**
 * A number that each UPDATE of a row counts up, whoever writes: Prisma, SQL, another program. It is left alone where a writer
 * has counted already, as the server does: SQLite answers RETURNING before a trigger has run.
 */
export const versionsKeeper: Keeper = {
  columnsIn: () => [],
  between: withCountingTriggers,
  outside: (sql) => sql,
  wroteIn: () => [],
}

export function countingKept(entity: Entity, blueprint: Blueprint): Kept | null {
  const { table, columns } = entity
  const version = columns.find(({ name }) => name === versionsFact.in(blueprint, entity)?.column)
  if (version === undefined) return null
  return { marks: { [version.name]: countingMark(table, storedName(version)) }, columns: [] }
}

/** The comment above such a column. */
const countingMark = (table: string, column: string): string =>
  `Every write counts it up: see the trigger \`${nameOf(table, column)}\` in the migrations.`

const nameOf = (table: string, column: string) => shortened(`${table}_${column}_counting`)

/** Puts the SQL between two schemas between the triggers that go and those that come. */
function withCountingTriggers(
  sql: string,
  before: readonly SchemaFile[],
  after: readonly SchemaFile[],
): string {
  const isSqlite = after.some(({ content }) => /^\s*provider\s*=\s*"sqlite"/m.test(content))
  const [old, now] = [countersIn(before), countersIn(after)]
  const has = (list: readonly Counter[], one: Counter) =>
    list.some((each) => each.name === one.name && each.column === one.column)
  // SQLite drops the triggers of a table with it, and one that copied rows into the new table would not be there.
  const isRebuilt = ({ table }: Counter) => sql.includes(`ALTER TABLE "new_${table}" RENAME TO`)
  const isDropped = ({ table }: Counter) => sql.includes(`DROP TABLE "${table}"`)
  const dropped = old.filter((each) => !has(now, each) || isRebuilt(each))
  const created = now.filter((each) => !has(old, each) || isRebuilt(each) || isDropped(each))
  return [
    ...dropped.map((each) => `-- DropTrigger\n${dropSql(each, isSqlite)}\n`),
    sql,
    ...created
      .flatMap(isSqlite ? sqliteTrigger : postgresTrigger)
      .map((text) => `-- CreateTrigger\n${text}\n`),
  ]
    .filter((text) => text !== '')
    .join('\n')
}

interface Counter {
  readonly table: string
  readonly column: string
  readonly name: string
}

const anyMark = /Every write counts it up: see the trigger `(.*)` in the migrations\.$/

const countersIn = (schema: readonly SchemaFile[]): readonly Counter[] =>
  markedColumns(schema, anyMark).map(({ table, column, mark }) => ({
    table,
    column,
    name: mark[1] ?? nameOf(table, column),
  }))

const dropSql = ({ name }: Counter, isSqlite: boolean) =>
  isSqlite ? `DROP TRIGGER IF EXISTS "${name}";` : `DROP FUNCTION IF EXISTS "${name}"() CASCADE;`

const sqliteTrigger = ({ table, column, name }: Counter): readonly string[] => [
  `CREATE TRIGGER "${name}" AFTER UPDATE ON "${table}"
WHEN NEW."${column}" = OLD."${column}"
BEGIN
  UPDATE "${table}" SET "${column}" = OLD."${column}" + 1 WHERE rowid = NEW.rowid;
END;`,
]

const postgresTrigger = ({ table, column, name }: Counter): readonly string[] => [
  // The function of a table that was dropped may be there still.
  `CREATE OR REPLACE FUNCTION "${name}"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."${column}" := OLD."${column}" + 1;
  RETURN NEW;
END $$;`,
  `CREATE TRIGGER "${name}" BEFORE UPDATE ON "${table}"
FOR EACH ROW WHEN (NEW."${column}" = OLD."${column}") EXECUTE FUNCTION "${name}"();`,
]
