import { createHash } from 'node:crypto'
import { storedName } from '../../blueprint/names/names.js'
import type { Column } from '../../blueprint/types.js'
import type { SchemaFile } from '../schema/schema-file.js'
import { markedColumns } from '../schema/schema-marks.js'

/** Rows that are there: NULL in this column of the table, or all of them. */
type Absence = string | null

/** The comment above a unique column whose values are one in any case: `Ada@x.org` is `ada@x.org`. */
export const foldedMark = (absence: Absence) =>
  `Unique in any case${among(absence)}: see the index \`*_any_case\` in the migrations.`

/** The comment above a column that is unique, with others or not, among the rows that are there. */
export const existingMark = (others: readonly string[], absence: string) =>
  `Unique${others.length === 0 ? '' : ` with ${others.map(code).join(', ')}`}${among(absence)}: see the index \`*_existing\` in the migrations.`

const among = (absence: Absence) =>
  absence === null ? '' : ` among rows that have no ${code(absence)}`

const code = (name: string) => `\`${name}\``

/** As the database calls it, of a column by which rows are there no more. */
export function absenceIn(columns: readonly Column[]): Absence {
  const column = columns.find(({ absence }) => absence === true)
  return column === undefined ? null : storedName(column)
}

interface Further {
  readonly table: string
  readonly columns: readonly string[]
  readonly isFolded: boolean
  readonly absence: Absence
}

/** "C" folds the same letters wherever the server stands; SQLite knows no others. */
function inLowerCase(column: string, isSqlite: boolean): string {
  return `lower("${column}"${isSqlite ? '' : ' COLLATE "C"'})`
}

/**
 * Indexes on expressions and of some rows, which Prisma's schema cannot say and its engine never
 * looks at. What the engine writes between two schemas is completed by those that are new, or that
 * SQLite loses when it builds a table anew.
 */
export function withFurtherIndexes(
  sql: string,
  before: readonly SchemaFile[],
  after: readonly SchemaFile[],
): string {
  const [old, now] = [furtherIn(before), furtherIn(after)]
  const isRebuilt = ({ table }: Further) => sql.includes(`ALTER TABLE "new_${table}" RENAME TO`)
  const dropped = old.filter((each) => !has(now, each) && !isRebuilt(each))
  const created = now.filter((each) => !has(old, each) || isRebuilt(each))
  const isSqlite = after.some(({ content }) => /^\s*provider\s*=\s*"sqlite"/m.test(content))
  const statements = [
    ...dropped.flatMap((each) =>
      namesOf(each).map((name) => `-- DropIndex\nDROP INDEX IF EXISTS "${name}";\n`),
    ),
    ...created.map((each) => `-- CreateIndex\n${createSql(each, isSqlite)}\n`),
  ]
  return [sql, ...statements].filter((text) => text !== '').join('\n')
}

const namesOf = (each: Further): readonly string[] =>
  each.isFolded ? [nameOf(each)] : [...new Set([nameOf(each), formerName(each)])]

const has = (list: readonly Further[], further: Further) =>
  list.some((each) => JSON.stringify(each) === JSON.stringify(further))

/**
 * `users_email_any_case`; beyond 63 characters cut as PostgreSQL and Prisma do, and with a hash before
 * `_existing`: a table has several of those.
 */
function nameOf({ table, columns, isFolded }: Further): string {
  const name = [table, ...columns].join('_')
  if (isFolded) return ending(name, '_any_case')
  return name.length <= maxNameLength - existing.length
    ? `${name}${existing}`
    : ending(name, `_${hashOf(name)}${existing}`)
}

const existing = '_existing'

const ending = (name: string, end: string) => `${name.slice(0, maxNameLength - end.length)}${end}`

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** The drop must use the former name: names were once cut without a hash. */
const formerName = ({ table, columns }: Further) => ending([table, ...columns].join('_'), existing)

const maxNameLength = 63

function createSql(further: Further, isSqlite: boolean): string {
  const { table, columns, isFolded, absence } = further
  const values = columns.map((name) => (isFolded ? inLowerCase(name, isSqlite) : `"${name}"`))
  const where = absence === null ? '' : ` WHERE "${absence}" IS NULL`
  return `CREATE UNIQUE INDEX "${nameOf(further)}" ON "${table}"(${values.join(', ')})${where};`
}

const mark = /^Unique( in any case| with .+?)?( among rows that have no `[^`]+`)?: see the index `/

const furtherIn = (schema: readonly SchemaFile[]): readonly Further[] =>
  markedColumns(schema, mark).map(({ table, column, mark: [, how = '', rows = ''] }) => ({
    table,
    columns: [column, ...(how.startsWith(' with ') ? namesIn(how) : [])],
    isFolded: how === ' in any case',
    absence: namesIn(rows)[0] ?? null,
  }))

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/**
 * PostgreSQL's `DESC` puts NULL first, and lists put it last: the order of lists is the only one that
 * needs an index of this form. Prisma's schema has no word for that, and its engine does not look.
 */
export function withNullsLast(sql: string): string {
  const descending = /^(CREATE INDEX "[^"]+" ON "[^"]+"\("[^"]+" DESC)(, "id" DESC\);)$/gm
  return sql.replace(descending, '$1 NULLS LAST$2')
}
