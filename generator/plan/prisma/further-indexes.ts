import type { SchemaFile } from './schema-file.js'

/** The comment above a unique column whose values are one in any case: `Ada@x.org` is `ada@x.org`. */
export const foldedMark = 'Unique in any case: see the index `*_any_case` in the migrations.'

/** The comment above a decimal that lists are sorted by, where decimals are text. */
export const numberMark = 'Sorted as a number: see the index `*_number` in the migrations.'

interface Further {
  readonly table: string
  readonly column: string
  readonly kind: Kind
}

type Kind = keyof typeof kinds

const kinds = {
  any_case: { mark: foldedMark, unique: 'UNIQUE ', on: inLowerCase },
  number: { mark: numberMark, unique: '', on: asNumber },
} as const

/** "C" folds the same letters wherever the server stands; SQLite knows no others. */
function inLowerCase(column: string, isSqlite: boolean): string {
  return `lower("${column}"${isSqlite ? '' : ' COLLATE "C"'})`
}

/** What the kernel sorts by, letter for letter (`numeric` of runtime/policy/condition-sql.ts). */
function asNumber(column: string): string {
  return `cast(replace("${column}", '.', '') as integer)`
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

const has = (list: readonly Further[], { table, column, kind }: Further) =>
  list.some((each) => each.table === table && each.column === column && each.kind === kind)

/** `products_price_number`, cut as PostgreSQL and Prisma do. */
const nameOf = ({ table, column, kind }: Further) =>
  `${`${table}_${column}`.slice(0, maxNameLength - kind.length - 1)}_${kind}`

const maxNameLength = 63

function createSql(further: Further, isSqlite: boolean): string {
  const { unique, on } = kinds[further.kind]
  const expression = on(further.column, isSqlite)
  return `CREATE ${unique}INDEX "${nameOf(further)}" ON "${further.table}"(${expression});`
}

/** The columns below the marks. */
function furtherIn(schema: readonly SchemaFile[]): readonly Further[] {
  const models = schema.flatMap(({ content }) => content.split(/^(?=model )/m))
  return models.flatMap((model) => {
    const [, table] = /^\s*@@map\("([^"]+)"\)/m.exec(model) ?? []
    if (table === undefined) return []
    return Object.entries(kinds).flatMap(([kind, { mark }]) =>
      // `kinds` is written above: its keys are what they say.
      columnsBelow(mark, model).map((column) => ({ table, column, kind: kind as Kind })),
    )
  })
}

function columnsBelow(mark: string, model: string): readonly string[] {
  const parts = model.split(`/// ${mark}`).slice(1)
  return parts.flatMap((part) => {
    const line = /^(?:\r?\n\s*\/\/\/.*)*\r?\n\s*(\w+.*)/.exec(part)?.[1] ?? ''
    return /@map\("([^"]+)"\)/.exec(line)?.[1] ?? /^\w+/.exec(line) ?? []
  })
}

/**
 * PostgreSQL's `DESC` puts NULL first, and lists put it last: the order of lists is the only one that
 * needs an index of this form. Prisma's schema has no word for that, and its engine does not look.
 */
export function withNullsLast(sql: string): string {
  const descending = /^(CREATE INDEX "[^"]+" ON "[^"]+"\("[^"]+" DESC)(, "id" DESC\);)$/gm
  return sql.replace(descending, '$1 NULLS LAST$2')
}
