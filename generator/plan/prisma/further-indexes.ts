import type { SchemaFile } from './schema-file.js'
import { markedColumns } from './schema-marks.js'

/** The comment above a unique column whose values are one in any case: `Ada@x.org` is `ada@x.org`. */
export const foldedMark = 'Unique in any case: see the index `*_any_case` in the migrations.'

interface Further {
  readonly table: string
  readonly column: string
}

/** "C" folds the same letters wherever the server stands; SQLite knows no others. */
function inLowerCase(column: string, isSqlite: boolean): string {
  return `lower("${column}"${isSqlite ? '' : ' COLLATE "C"'})`
}

/**
 * Indexes on expressions, which Prisma's schema cannot say and its engine never looks at. What the
 * engine writes between two schemas is completed by those that are new, or that SQLite loses when it
 * builds a table anew.
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
    ...dropped.map((each) => `-- DropIndex\nDROP INDEX IF EXISTS "${nameOf(each)}";\n`),
    ...created.map((each) => `-- CreateIndex\n${createSql(each, isSqlite)}\n`),
  ]
  return [sql, ...statements].filter((text) => text !== '').join('\n')
}

const has = (list: readonly Further[], { table, column }: Further) =>
  list.some((each) => each.table === table && each.column === column)

/** `users_email_any_case`, cut as PostgreSQL and Prisma do. */
const nameOf = ({ table, column }: Further) =>
  `${`${table}_${column}`.slice(0, maxNameLength - suffix.length)}${suffix}`

const suffix = '_any_case'
const maxNameLength = 63

const createSql = (further: Further, isSqlite: boolean) =>
  `CREATE UNIQUE INDEX "${nameOf(further)}" ON "${further.table}"(${inLowerCase(further.column, isSqlite)});`

const furtherIn = (schema: readonly SchemaFile[]): readonly Further[] =>
  markedColumns(schema, /^Unique in any case: /)

/**
 * PostgreSQL's `DESC` puts NULL first, and lists put it last: the order of lists is the only one that
 * needs an index of this form. Prisma's schema has no word for that, and its engine does not look.
 */
export function withNullsLast(sql: string): string {
  const descending = /^(CREATE INDEX "[^"]+" ON "[^"]+"\("[^"]+" DESC)(, "id" DESC\);)$/gm
  return sql.replace(descending, '$1 NULLS LAST$2')
}
