import { readConverted } from '../../../migrations/rows/conversions/checks.js'
import { readFolded } from '../../../migrations/rows/conversions/folded.js'
import { countConverted, readTypes, type Conversion, type Types } from './conversions.js'
import { quoted, type Dialect, type MigrationSession, type Project } from './project.js'
import { renamesIn, type Name } from './renames-in.js'
import { valuesOfStaying, type Shrunk } from './staying-rows.js'

/** Data that a migration would drop: values of a column, or (column null) rows of a table. */
export interface Loss {
  readonly table: string
  readonly column: string | null
  readonly rows: number
}

/** Rows and non-null values per table and column; the key `*` counts rows. */
type Counts = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * Counts before and after `work`, in its transaction, and tells what there is less of. So it does
 * not matter in which way a statement loses data: dropping, making a column anew, or storing it as
 * another type.
 */
export async function lossesAround(
  counting: Counting,
  sql: string,
  work: () => Promise<void>,
): Promise<Loss[]> {
  const { session } = counting
  const before = await count(counting)
  const types = await readTypes(session)
  await session.query('SAVEPOINT svc_losses')
  await work()
  const renamed = renamesIn(sql)
  const isKnown = knownIn(sql)
  const changed = conversions(types, await readTypes(session), renamed).filter(
    ({ table, column }) => !isKnown(renamed({ table, column })),
  )
  const converted = changed.length === 0 ? [] : await convertedOf(session, changed, work)
  const after = await count(counting)
  const shrunk = shrunkIn(before, after, renamed)
  const staying: Counts =
    shrunk.length === 0 ? new Map() : await stayingOf(session, shrunk, renamed, work)
  const folded = readFolded(sql)
  const lost = [...before].flatMap(([table, columns]) => {
    const now = renamed({ table, column: null }).table
    const name = (column: string) => renamed({ table, column }).column ?? column
    return tableLosses(table, columns, { after: after.get(now), staying: staying.get(table), name })
  })
  const gone = lost.filter(({ table, column }) => {
    const name = renamed({ table, column })
    return !folded.includes(`${name.table}.${name.column}`)
  })
  const isGone = ({ table, column }: Loss) =>
    !after.has(renamed({ table, column: null }).table) ||
    gone.some((each) => each.table === table && each.column === column)
  return [...gone, ...converted.filter((loss) => !isGone(loss))]
}

/** Only the migration knows the new types, and only the database before it has the values. */
async function convertedOf(
  session: MigrationSession,
  changed: readonly Conversion[],
  work: () => Promise<void>,
): Promise<Loss[]> {
  await session.query('ROLLBACK TO SAVEPOINT svc_losses')
  const losses: Loss[] = []
  for (const conversion of changed) {
    const rows = await countConverted(session, conversion)
    if (rows > 0) losses.push({ table: conversion.table, column: conversion.column, rows })
  }
  await work()
  return losses
}

function conversions(before: Types, after: Types, renamed: (name: Name) => Name): Conversion[] {
  return [...before].flatMap(([table, columns]) => {
    const now = after.get(renamed({ table, column: null }).table)
    return [...columns].flatMap(([column, from]) => {
      const to = now?.get(renamed({ table, column }).column ?? column)
      return to === undefined || to === from || !isData(table) ? [] : [{ table, column, from, to }]
    })
  })
}

/** svc's own conversions are exact, or were checked already. */
function knownIn(sql: string): (name: Name) => boolean {
  const known = new Set(readConverted(sql))
  return ({ table, column }) => known.has(`${table}.${column}`)
}

function shrunkIn(before: Counts, after: Counts, renamed: (name: Name) => Name): Shrunk[] {
  return [...before].flatMap(([table, counts]) => {
    const now = after.get(renamed({ table, column: null }).table)
    if (now === undefined || (now.get('*') ?? 0) >= (counts.get('*') ?? 0)) return []
    const isThere = (column: string) => now.has(renamed({ table, column }).column ?? column)
    return [{ table, columns: [...counts.keys()].filter((key) => key !== '*' && isThere(key)) }]
  })
}

/** The rows that stay are known only after the migration, and their values only before it. */
async function stayingOf(
  session: MigrationSession,
  shrunk: readonly Shrunk[],
  renamed: (name: Name) => Name,
  work: () => Promise<void>,
): Promise<Counts> {
  await session.query('ROLLBACK TO SAVEPOINT svc_losses')
  return valuesOfStaying(session, shrunk, renamed, work)
}

interface Left {
  readonly after: ReadonlyMap<string, number> | undefined
  /** Before, of the rows that stay; absent: none went, or which they are is not known. */
  readonly staying: ReadonlyMap<string, number> | undefined
  /** Returns the name of a column now. */
  readonly name: (column: string) => string
}

/** Values that went with their row are said by the row, but for those of a column that goes as a whole. */
function tableLosses(
  table: string,
  before: ReadonlyMap<string, number>,
  { after, staying, name }: Left,
): Loss[] {
  const rows = Math.max((before.get('*') ?? 0) - (after?.get('*') ?? 0), 0)
  const ofRows = { table, column: null, rows }
  if (after === undefined && rows > 0) return [ofRows]
  const ofColumns = [...before]
    .filter(([column]) => column !== '*')
    .map(([column, values]) => {
      const left = after?.get(name(column))
      if (left === undefined) return { table, column, rows: values }
      return { table, column, rows: (staying?.get(column) ?? values - rows) - left }
    })
  return [ofRows, ...ofColumns].filter((loss) => loss.rows > 0)
}

const columnsOf: Readonly<Record<Dialect, string>> = {
  sqlite: `
    SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
    WHERE m.type = 'table' ORDER BY m.name, c.cid`,
  postgresql: `
    SELECT table_name, column_name FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
    ORDER BY table_name, ordinal_position`,
}

/** The books of SQLite, Prisma and svc are not counted, and nothing that is made of other columns. */
const isData = (table: string) =>
  table !== '_prisma_migrations' && table !== '_svc_draft' && !table.startsWith('sqlite_')

interface Counting extends Pick<Project, 'derivedTables'> {
  readonly session: MigrationSession
}

async function count({ session, derivedTables }: Counting): Promise<Counts> {
  const tables = new Map<string, string[]>()
  for (const [table, column] of await session.query(columnsOf[session.dialect])) {
    if (!isData(String(table))) continue
    tables.set(String(table), [...(tables.get(String(table)) ?? []), String(column)])
  }
  const counts = new Map<string, ReadonlyMap<string, number>>()
  for (const [table, columns] of tables) {
    if (derivedTables.some((isDerived) => isDerived(table, tables))) continue
    const values = ['*', ...columns.map(quoted)].map((each) => `count(${each})`).join(', ')
    const [row = []] = await session.query(`SELECT ${values} FROM ${quoted(table)}`)
    counts.set(table, new Map(['*', ...columns].map((name, index) => [name, Number(row[index])])))
  }
  return counts
}
