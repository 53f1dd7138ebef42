import { createHash } from 'node:crypto'
import type { OnDelete } from '../../blueprint/types.js'
import type { SchemaFile } from './schema-file.js'

/**
 * What a foreign key would be for a record of one of several tables, as triggers, which Prisma's schema cannot say and its
 * engine never looks at: a row points at a record that is there, and deleting that record does with the row what the
 * manifest says, whoever deletes it. PostgreSQL locks the record as a foreign key does; SQLite has one writer.
 */

export interface Owner {
  /** What the type column holds. */
  readonly key: string
  readonly table: string
  readonly onDelete: OnDelete
}

/** The comment above a type column; the names of its triggers begin with `name`. */
export const morphMark = (name: string, owners: readonly Owner[]): string =>
  `Belongs to ${owners.map(({ key, table, onDelete }) => `'${key}' of ${table} (${onDelete})`).join(', ')}: see the triggers \`${name}*\` in the migrations.`

export const morphTriggers = (table: string, name: string) => shortened(`${table}_${name}_morph`)

const longestName = 63

function shortened(name: string): string {
  if (name.length <= longestName) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.slice(0, longestName - 9)}_${hash}`
}

interface Morph {
  readonly table: string
  readonly type: string
  readonly id: string
  /** Prisma's type of the id column, e.g. `Int?`. */
  readonly idType: string
  readonly name: string
  readonly owners: readonly (Owner & { readonly idType: string })[]
}

/** What the engine writes between two schemas, between the triggers that go and those that come. */
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
  ]
    .filter((text) => text !== '')
    .join('\n')
}

/** Before tables and values are renamed, what speaks of them by their names goes. */
export function dropsFirst(sql: string): string {
  const drops = [...sql.matchAll(anyDrop)].map(([text]) => text)
  return [...drops, sql.replaceAll(anyDrop, '')].join('')
}

const anyDrop = /-- DropTrigger\n.*\n\n?/g

const dropSql = (name: string, isSqlite: boolean) =>
  isSqlite
    ? `-- DropTrigger\nDROP TRIGGER IF EXISTS "${name}";`
    : `-- DropTrigger\nDROP FUNCTION IF EXISTS "${name}"() CASCADE;`

const ofOwner = ({ name }: Morph, { key }: Owner) => shortened(`${name}_${key}`)

const namesOf = (morph: Morph): readonly string[] => [
  morph.name,
  shortened(`${morph.name}__update`),
  ...morph.owners.map((owner) => ofOwner(morph, owner)),
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
  const theirs = (owner: Morph['owners'][number]) => {
    const key = isText(morph) && !isText(owner) ? `CAST(OLD."id" AS TEXT)` : `OLD."id"`
    return `"${table}" WHERE "${type}" = ${quoted(owner.key)} AND "${id}" = ${key}`
  }
  return [
    check(name, 'INSERT'),
    check(shortened(`${name}__update`), `UPDATE OF "${type}", "${id}"`),
    ...owners.map((owner) => {
      const rows = theirs(owner)
      return `CREATE TRIGGER "${ofOwner(morph, owner)}" AFTER DELETE ON "${owner.table}"
BEGIN
  ${
    owner.onDelete === 'restrict'
      ? `SELECT RAISE(ABORT, 'FOREIGN KEY constraint failed') WHERE EXISTS (SELECT 1 FROM ${rows});`
      : changeSql(morph, owner, rows)
  }
END;`
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
      const key = isText(morph) && !isText(owner) ? `OLD."id"::text` : `OLD."id"`
      // A range, because the plan is made once: where few records have most of the rows, `=` reads them all each time.
      const rows = `"${table}" WHERE "${type}" = ${quoted(owner.key)} AND "${id}" BETWEEN ${key} AND ${key}`
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
      ]
    }),
  ]
}

function changeSql({ table, type, id }: Morph, { onDelete }: Owner, rows: string): string {
  if (onDelete === 'cascade') return `DELETE FROM ${rows};`
  return `UPDATE "${table}" SET "${type}" = NULL, "${id}" = NULL${rows.slice(table.length + 2)};`
}

/** Text that is no id of this kind points at nothing, and is no error. */
function pointer(morph: Morph, owner: Morph['owners'][number]): string {
  const value = `NEW."${morph.id}"`
  if (!isText(morph) || isText(owner)) return value
  const [form, type] = owner.idType.startsWith('Int')
    ? ['^[1-9][0-9]{0,9}$', 'bigint']
    : ['^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', 'uuid']
  return `(CASE WHEN ${value} ~ '${form}' THEN ${value}::${type} END)`
}

/** Held as text, whatever it points at. */
const isText = ({ idType }: { readonly idType: string }) => /^String\??(?!.*@db\.Uuid)/.test(idType)

const anyMark = /\/\/\/ Belongs to (.*): see the triggers `(.*)\*` in the migrations\.$/m
const anyOwner = /'([^']+)' of (\w+) \((restrict|cascade|setNull)\)/g

function morphsIn(schema: readonly SchemaFile[]): readonly Morph[] {
  const models = schema.flatMap(({ content }) => content.split(/^(?=model )/m))
  const tables = new Map(models.map((model) => [tableOf(model), model]))
  return models.flatMap((model) => {
    const marks = model.split('\n').flatMap((line, at, lines) => {
      const [, owners = '', name = ''] = anyMark.exec(line) ?? []
      const type = name === '' ? undefined : columnIn(lines.slice(at + 1))
      return type === undefined ? [] : [{ owners, name, type }]
    })
    return marks.map(({ owners, name, type }): Morph => {
      const id = type.replace(/_type$/, '_id')
      return {
        table: tableOf(model),
        type,
        id,
        idType: typeIn(model, id),
        name,
        owners: [...owners.matchAll(anyOwner)].map(([, key = '', table = '', onDelete]) => ({
          key,
          table,
          onDelete: onDelete as OnDelete, // one of the three of the pattern
          idType: typeIn(tables.get(table) ?? '', 'id'),
        })),
      }
    })
  })
}

const tableOf = (model: string) => /^\s*@@map\("([^"]+)"\)/m.exec(model)?.[1] ?? ''

/** The first column of these lines: comments may stand above it. */
const columnIn = (lines: readonly string[]) =>
  /^\s+(\w+)/.exec(lines.find((line) => !/^\s*\/\/\//.test(line)) ?? '')?.[1]

const typeIn = (model: string, column: string) =>
  new RegExp(`^\\s+${column}\\s+(\\S.*)$`, 'm').exec(model)?.[1] ?? ''
