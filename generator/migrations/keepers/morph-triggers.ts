import { keysInText } from '../../kinds/kinds.js'
import type { SchemaFile } from '../schema/schema-file.js'
import { isText, morphsIn, shortened, type Morph, type Owner } from './morph-marks.js'
import { orphanSql } from './morph-orphans.js'

/**
 * What a foreign key would be for a record of one of several tables, as triggers, which Prisma's schema cannot say and its
 * engine never looks at: a row points at a record that is there, and deleting that record does with the row what the
 * manifest says, whoever deletes it. PostgreSQL locks the record as a foreign key does; SQLite has one writer.
 */

/** Puts the engine's SQL between the triggers that are dropped and those that are created. */
export function withMorphTriggers(
  sql: string,
  before: readonly SchemaFile[],
  after: readonly SchemaFile[],
): string {
  const isSqlite = after.some(({ content }) => /^\s*provider\s*=\s*"sqlite"/m.test(content))
  const write = isSqlite ? sqliteTriggers : postgresTriggers
  const [old, now] = [morphsIn(before), morphsIn(after)]
  const isSame = (one: Morph, other: Morph) => JSON.stringify(one) === JSON.stringify(other)
  // SQLite knows a table by its name alone, and has none of it while it is built anew.
  const isRebuilt = ({ table, owners }: Morph) =>
    [table, ...owners.map((each) => each.table)].some((each) =>
      sql.includes(`ALTER TABLE "new_${each}" RENAME TO`),
    )
  const has = (list: readonly Morph[], morph: Morph) => list.some((each) => isSame(each, morph))
  const dropped = old.filter((each) => !has(now, each) || isRebuilt(each))
  const created = now.filter((each) => !has(old, each) || isRebuilt(each))
  return [
    ...dropped.flatMap(namesOf).map((name) => `${dropSql(name, isSqlite)}\n`),
    sql,
    ...created.flatMap(write).map((text) => `-- CreateTrigger\n${text}\n`),
    ...orphanSql(sql, before, after).map(
      (text) => `-- Pivot rows of records that are gone\n${text};\n`,
    ),
  ]
    .filter((text) => text !== '')
    .join('\n')
}

/**
 * Before tables and values are renamed, what speaks of them by their names goes; it is there again when all is done, once,
 * however many times the tables were built anew.
 */
export function triggersOutside(sql: string): string {
  const drops = new Set(sql.match(anyDrop))
  const creates = new Set(sql.match(anyCreate))
  const rest = sql.replaceAll(anyDrop, '').replaceAll(anyCreate, '')
  return [...drops, rest, ...[...creates].map((text) => `\n${text}`)].join('')
}

const anyDrop = /-- DropTrigger\n.*\n\n?/g
const anyCreate = /(?<=\n)-- CreateTrigger\n(?:.+\n)+/g

const dropSql = (name: string, isSqlite: boolean) =>
  isSqlite
    ? `-- DropTrigger\nDROP TRIGGER IF EXISTS "${name}";`
    : `-- DropTrigger\nDROP FUNCTION IF EXISTS "${name}"() CASCADE;`

const ofOwner = ({ name }: Morph, { key }: Owner) => shortened(`${name}_${key}`)

const moveOf = ({ name }: Morph, { key }: Owner) => shortened(`${name}_${key}__moved`)

const namesOf = (morph: Morph): readonly string[] => [
  morph.name,
  shortened(`${morph.name}__update`),
  ...morph.owners.flatMap((owner) => [ofOwner(morph, owner), moveOf(morph, owner)]),
]

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

function sqliteTriggers(morph: Morph): readonly string[] {
  const { table, type, id, name, owners } = morph
  const found = owners.map((owner) => {
    // '007' equals 7 here, and would not be found when 7 is deleted.
    const isSpelled = isText(morph) && !isText(owner) ? ` AND CAST("id" AS TEXT) = NEW."${id}"` : ''
    return `(NEW."${type}" = ${quoted(owner.key)} AND EXISTS (SELECT 1 FROM "${owner.table}" WHERE "id" = NEW."${id}"${isSpelled}))`
  })
  const check = (
    called: string,
    when: string,
  ) => `CREATE TRIGGER "${called}" BEFORE ${when} ON "${table}"
WHEN NEW."${type}" IS NOT NULL AND NEW."${id}" IS NOT NULL AND NOT (${found.join(' OR ')})
BEGIN
  SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed: ${table}.${id}');
END;`
  return [
    check(name, 'INSERT'),
    check(shortened(`${name}__update`), `UPDATE OF "${type}", "${id}"`),
    ...owners.flatMap((owner) => {
      const keyOf = (row: 'OLD' | 'NEW') =>
        isText(morph) && !isText(owner) ? `CAST(${row}."id" AS TEXT)` : `${row}."id"`
      const rows = rowsOf(morph, owner, keyOf('OLD'))
      const deleted = `CREATE TRIGGER "${ofOwner(morph, owner)}" AFTER DELETE ON "${owner.table}"
BEGIN
  ${
    owner.onDelete === 'restrict'
      ? `SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed') WHERE EXISTS (SELECT 1 FROM ${rows});`
      : changeSql(morph, owner, rows)
  }
END;`
      const moved = `CREATE TRIGGER "${moveOf(morph, owner)}" AFTER UPDATE OF "id" ON "${owner.table}"
WHEN NEW."id" <> OLD."id"
BEGIN
  ${moveSql(morph, rows, keyOf('NEW'))}
END;`
      return [deleted, moved]
    }),
  ]
}

function postgresTriggers(morph: Morph): readonly string[] {
  const { table, type, id, name, owners } = morph
  const found = owners.map(
    (owner) => `  IF NEW."${type}" = ${quoted(owner.key)} THEN
    PERFORM 1 FROM "${owner.table}" WHERE "id" = ${pointer(morph, owner)} FOR KEY SHARE;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;`,
  )
  const body = (called: string, lines: string) =>
    `CREATE FUNCTION "${called}"() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n${lines}\nEND $$;`
  const check = body(
    name,
    `  IF NEW."${type}" IS NULL OR NEW."${id}" IS NULL THEN RETURN NEW; END IF;
${found.join('\n')}
  RAISE foreign_key_violation USING MESSAGE = 'a row of "${table}" points at no record', TABLE = '${table}', COLUMN = '${id}';`,
  )
  return [
    check,
    `CREATE TRIGGER "${name}" BEFORE INSERT OR UPDATE OF "${type}", "${id}" ON "${table}"
FOR EACH ROW EXECUTE FUNCTION "${name}"();`,
    ...owners.flatMap((owner) => {
      const called = ofOwner(morph, owner)
      const keyOf = (row: 'OLD' | 'NEW') =>
        isText(morph) && !isText(owner) ? `${row}."id"::text` : `${row}."id"`
      const rows = rowsOf(morph, owner, keyOf('OLD'))
      const moved = moveOf(morph, owner)
      const work =
        owner.onDelete === 'restrict'
          ? `  IF EXISTS (SELECT 1 FROM ${rows}) THEN
    RAISE foreign_key_violation USING MESSAGE = 'rows of "${table}" still point at it', TABLE = '${table}';
  END IF;`
          : `  ${changeSql(morph, owner, rows)}`
      return [
        body(called, `${work}\n  RETURN NULL;`),
        `CREATE TRIGGER "${called}" AFTER DELETE ON "${owner.table}"
FOR EACH ROW EXECUTE FUNCTION "${called}"();`,
        body(moved, `  ${moveSql(morph, rows, keyOf('NEW'))}\n  RETURN NULL;`),
        `CREATE TRIGGER "${moved}" AFTER UPDATE OF "id" ON "${owner.table}"
FOR EACH ROW WHEN (NEW."id" <> OLD."id") EXECUTE FUNCTION "${moved}"();`,
      ]
    }),
  ]
}

/** A range: where few records have most of the rows, `=` reads them all each time, by a plan that is made once for any. */
const rowsOf = ({ table, type, id }: Morph, owner: Owner, key: string) =>
  `"${table}" WHERE "${type}" = ${quoted(owner.key)} AND "${id}" BETWEEN ${key} AND ${key}`

function changeSql({ table, type, id }: Morph, { onDelete }: Owner, rows: string): string {
  if (onDelete === 'cascade') return `DELETE FROM ${rows};`
  return `UPDATE "${table}" SET "${type}" = NULL, "${id}" = NULL${rows.slice(table.length + 2)};`
}

/** As a foreign key that is updated with what it points at. */
const moveSql = ({ table, id }: Morph, rows: string, key: string) =>
  `UPDATE "${table}" SET "${id}" = ${key}${rows.slice(table.length + 2)};`

/**
 * Text that is no id of this kind points at nothing, and is no error. The patterns are as databases have them already: written
 * otherwise, each of these triggers would be made anew.
 */
function pointer(morph: Morph, owner: Morph['owners'][number]): string {
  const value = `NEW."${morph.id}"`
  if (!isText(morph) || isText(owner)) return value
  const key = keysInText.find(({ isOne }) => isOne.test(owner.idType))
  return key === undefined ? value : key.cast(value)
}
