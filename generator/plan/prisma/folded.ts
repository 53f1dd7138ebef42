import type { SchemaFile } from './engine.js'

/** The comment above a unique column whose values are one in any case: `Ada@x.org` is `ada@x.org`. */
export const foldedMark = 'Unique in any case: see the index `*_any_case` in the migrations.'

interface Folded {
  readonly table: string
  readonly column: string
}

/**
 * Indexes that Prisma's schema cannot say, and its engine never looks at: unique on a column in
 * lower case. What the engine writes between two schemas is completed by those that are new, or
 * that SQLite loses when it builds a table anew.
 */
export function withFolded(
  sql: string,
  before: readonly SchemaFile[],
  after: readonly SchemaFile[],
): string {
  const [old, now] = [foldedIn(before), foldedIn(after)]
  const isRebuilt = ({ table }: Folded) => sql.includes(`ALTER TABLE "new_${table}" RENAME TO`)
  const dropped = old.filter((each) => !has(now, each) && !isRebuilt(each))
  const created = now.filter((each) => !has(old, each) || isRebuilt(each))
  const isSqlite = after.some(({ content }) => /^\s*provider\s*=\s*"sqlite"/m.test(content))
  const statements = [
    ...dropped.map((each) => `-- DropIndex\nDROP INDEX IF EXISTS "${indexOf(each)}";\n`),
    ...created.map((each) => `-- CreateIndex\n${createSql(each, isSqlite)}\n`),
  ]
  return [sql, ...statements].filter((text) => text !== '').join('\n')
}

const has = (list: readonly Folded[], { table, column }: Folded) =>
  list.some((each) => each.table === table && each.column === column)

const indexOf = ({ table, column }: Folded) => `${table}_${column}_any_case`

/** "C" folds the same letters wherever the server stands; SQLite knows no others. */
function createSql(folded: Folded, isSqlite: boolean): string {
  const column = `"${folded.column}"${isSqlite ? '' : ' COLLATE "C"'}`
  return `CREATE UNIQUE INDEX "${indexOf(folded)}" ON "${folded.table}"(lower(${column}));`
}

/** The columns below the mark. */
function foldedIn(schema: readonly SchemaFile[]): readonly Folded[] {
  const models = schema.flatMap(({ content }) => content.split(/^(?=model )/m))
  return models.flatMap((model) => {
    const [, table] = /^\s*@@map\("([^"]+)"\)/m.exec(model) ?? []
    const [, column] = model.split(`/// ${foldedMark}`)[1]?.match(/^\r?\n\s*(\w+)/) ?? []
    return table === undefined || column === undefined ? [] : [{ table, column }]
  })
}
