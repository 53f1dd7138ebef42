import { ProblemsError } from '../../blueprint/problems-error.js'
import type { FieldKind } from '../../blueprint/types.js'
import { readNames } from '../schema/datamodel.js'
import { statementsOf } from '../sql/own-statements.js'
import { splitOutside } from '../sql/sql-tables.js'

/**
 * What a database had before svc, and the manifest does not say: `svc init` notes it at the head of the first migration, so
 * that no later one takes it for something new, or builds a table anew without it.
 */
export type LeftAlone =
  | LeftColumn
  | FilledColumn
  | CollatedColumn
  | LeftKey
  | LeftConstraint
  | LeftStatement
  | LeftReader
  | LeftTable

export interface LeftColumn {
  readonly is: 'column'
  readonly table: string
  readonly name: string
  /** As the database calls it. */
  readonly type: string
  /** The kind that the manifest can give it; absent: none. */
  readonly kind?: FieldKind
  /** `decimal(10, 2)` */
  readonly digits?: string
  /** PostgreSQL: the most characters it takes. */
  readonly length?: number
  readonly isNullable: boolean
  /** No row can be made without a value for it. */
  readonly isRequired: boolean
  readonly isGenerated: boolean
  /** SQLite: as its table declares it. */
  readonly sql?: string
}

/** SQLite: a field whose values the database works out, as only its table declares. */
export interface FilledColumn {
  readonly is: 'filled'
  readonly table: string
  readonly name: string
  readonly isGenerated: boolean
  readonly sql: string
}

/** SQLite: a field whose texts are compared in another way than by their bytes. */
export interface CollatedColumn {
  readonly is: 'collated'
  readonly table: string
  readonly name: string
  /** `NOCASE` */
  readonly by: string
}

/** A unique key, or an index of whole columns. */
export interface LeftKey {
  readonly is: 'unique' | 'index'
  readonly table: string
  readonly columns: readonly string[]
  /** One row at most can have the defaults of its columns. */
  readonly isOnce?: boolean
}

/** A check, or a foreign key that is no relation; PostgreSQL keeps both by itself. */
export interface LeftConstraint {
  readonly is: 'constraint'
  readonly table: string
  readonly sql: string
}

/** SQLite: makes a trigger, or an index of another kind, where it is not there. */
export interface LeftStatement {
  readonly is: 'statement'
  readonly table: string
  readonly sql: string
}

/** SQLite: a view, or a trigger of a table that is not served; it may read any table. */
export interface LeftReader {
  readonly is: 'reader'
  readonly table: string
}

/** A table that is not served, or a view. */
export interface LeftTable {
  readonly is: 'table'
  readonly table: string
  readonly why?: string
}

const mark = '-- Left alone: '

/** Lines for the head of the first migration. */
export const leftMarks = (left: readonly LeftAlone[]): string =>
  left.map((each) => `${mark}${JSON.stringify(each)}\n`).join('')

/** The first line of a first migration that is a database which was there. */
export const baselineHead =
  '-- The database that this project began with. Where its tables are, this does nothing; elsewhere it makes them.\n'

export const hasLeftMarks = (sql: string): boolean => sql.includes(`\n${mark}`)

interface SavedMigration {
  readonly name: string
  readonly sql: string
}

/**
 * Reads what is left of it once the saved migrations have run: some of them rename or drop a table
 * or a column.
 */
export function readLeftAlone(saved: readonly SavedMigration[]): readonly LeftAlone[] {
  const [first, ...later] = saved
  const lines = first?.sql.split(/\r?\n/) ?? []
  const noted = lines.flatMap((line, at) =>
    line.startsWith(mark) ? [readMark(line.slice(mark.length), first?.name ?? '', at + 1)] : [],
  )
  return later.reduce<readonly LeftAlone[]>((left, { sql }) => afterMigration(left, sql), noted)
}

/** As svc wrote it: a line that is cut or edited must not be taken for nothing. */
function readMark(text: string, migration: string, line: number): LeftAlone {
  try {
    const found = JSON.parse(text) as LeftAlone
    if (typeof found.is === 'string' && typeof found.table === 'string') return found
  } catch {
    // It is said below where it stands.
  }
  throw new ProblemsError([
    {
      rule: 'left-alone',
      file: `prisma/migrations/${migration}/migration.sql`,
      line,
      column: 1,
      message:
        'this line is not as svc init wrote it; it says which parts of the database svc leaves alone',
      fix: 'restore the file as it was saved',
    },
  ])
}

function afterMigration(before: readonly LeftAlone[], sql: string): readonly LeftAlone[] {
  const anew = new Map<string, string>()
  let left = before
  for (const statement of statementsOf(sql)) {
    const [, made, body] = /^CREATE TABLE "new_([^"]+)" \(([^]*)\)$/.exec(statement) ?? []
    if (made !== undefined) anew.set(made, body ?? '')
    const [, dropped] = /^DROP (?:TABLE|VIEW) "([^"]+)"$/.exec(statement) ?? []
    if (dropped !== undefined && !anew.has(dropped)) left = left.filter(isOutside(dropped))
    const [, altered = '', change = ''] = /^ALTER TABLE "([^"]+)"\s+([^]*)$/.exec(statement) ?? []
    for (const [, column = ''] of change.matchAll(/DROP COLUMN "([^"]+)"/g)) {
      left = left.filter((each) => !holds(each, altered, column))
    }
    const [, from, to] = /^RENAME (?:COLUMN "([^"]+)" )?TO "([^"]+)"/.exec(change) ?? []
    if (to === undefined) continue
    if (from !== undefined) left = left.map((each) => withColumn(each, altered, from, to))
    else if (altered === `new_${to}`) left = withoutLost(left, to, anew.get(to) ?? '')
    else left = left.map((each) => (each.table === altered ? { ...each, table: to } : each))
  }
  return left
}

const isOutside = (table: string) => (each: LeftAlone) => each.table !== table

const holds = (each: LeftAlone, table: string, column: string) =>
  each.table === table &&
  (((each.is === 'column' || each.is === 'filled' || each.is === 'collated') &&
    each.name === column) ||
    ((each.is === 'unique' || each.is === 'index') && each.columns.includes(column)))

/** Returns its text once a column has another name; SQLite itself changes the database. */
export function withColumn(each: LeftAlone, table: string, from: string, to: string): LeftAlone {
  const isOwn = each.table === table
  const named = (text: string) => (isOwn ? renamedIn(text, from, to) : text)
  if (each.is === 'column' || each.is === 'filled') {
    const { sql } = each
    const name = isOwn && each.name === from ? to : each.name
    if (sql === undefined) return { ...each, name }
    return { ...each, name, sql: beforeReferences(sql, named, { table, from, to }) }
  }
  if (each.is === 'collated') return isOwn && each.name === from ? { ...each, name: to } : each
  if (each.is === 'constraint') {
    return { ...each, sql: beforeReferences(each.sql, named, { table, from, to }) }
  }
  if (each.is === 'statement') {
    if (!isOwn) return each
    return {
      ...each,
      sql: isTrigger(each.sql) ? inTrigger(each.sql, from, to) : inIndex(each.sql, from, to),
    }
  }
  if ((each.is !== 'unique' && each.is !== 'index') || !isOwn) return each
  return { ...each, columns: each.columns.map((column) => (column === from ? to : column)) }
}

export const isTrigger = (sql: string) => /^CREATE\s+(TEMP\s+)?TRIGGER\b/i.test(sql)

/** After `REFERENCES` stand columns of another table, or of the same. */
function beforeReferences(
  sql: string,
  named: (text: string) => string,
  { table, from, to }: { readonly table: string; readonly from: string; readonly to: string },
): string {
  const [own = '', words, target = '', rest = ''] =
    /^([^]*?)(\bREFERENCES\s+)("(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+)([^]*)$/i
      .exec(sql)
      ?.slice(1) ?? []
  if (words === undefined) return named(sql)
  const isSame = unquoted(target).toLowerCase() === table.toLowerCase()
  return `${named(own)}${words}${target}${isSame ? renamedIn(rest, from, to) : rest}`
}

/** `CREATE INDEX name ON table (…)`: names of its columns stand after the first parenthesis. */
function inIndex(sql: string, from: string, to: string): string {
  const at = /\bON\s+("(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+)\s*\(/i.exec(sql)
  const start = at === null ? 0 : at.index + at[0].length
  return sql.slice(0, start) + renamedIn(sql.slice(start), from, to)
}

/**
 * Matches a column of its own table: `UPDATE OF a, b ON`, `new.a` and `old.a`; another column of
 * that name is another table's.
 */
const inTrigger = (sql: string, from: string, to: string) =>
  sql
    .replace(/\bUPDATE\s+OF\s+[^]*?\bON\b/i, (list) => renamedIn(list, from, to))
    .replaceAll(
      /\b(NEW|OLD)(\s*\.\s*)("(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+)/gi,
      (_, row: string, dot: string, name: string) => `${row}${dot}${renamedIn(name, from, to)}`,
    )

const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+|[^]/g
const keyword =
  /^(ALL|ALWAYS|AND|AS|ASC|BETWEEN|BINARY|CASCADE|CASE|CAST|CHECK|COLLATE|CONSTRAINT|DEFAULT|DELETE|DESC|ELSE|END|ESCAPE|FOREIGN|GENERATED|GLOB|IN|IS|ISNULL|KEY|LIKE|NOCASE|NOT|NOTNULL|NULL|OF|ON|OR|PRIMARY|REFERENCES|REGEXP|RTRIM|SET|STORED|THEN|UNIQUE|UPDATE|VIRTUAL|WHEN|WHERE)$/i

/** Each place that names the column, in quotes or without; texts stay. */
export function renamedIn(sql: string, from: string, to: string): string {
  const isName = (text: string) => !text.startsWith("'") && !keyword.test(text)
  return sql.replaceAll(token, (text) =>
    isName(text) && unquoted(text).toLowerCase() === from.toLowerCase()
      ? `"${to.replaceAll('"', '""')}"`
      : text,
  )
}

function unquoted(name: string): string {
  if (name.startsWith('"')) return name.slice(1, -1).replaceAll('""', '"')
  return name.startsWith('`') || name.startsWith('[') ? name.slice(1, -1) : name
}

/** A table that was built anew has what the new one has. */
function withoutLost(left: readonly LeftAlone[], table: string, body: string) {
  const columns = new Set(
    splitOutside(body, ',').flatMap((item) => /^\s*"([^"]+)"/.exec(item)?.[1] ?? []),
  )
  return left.filter((each) => {
    if (each.table !== table) return true
    if (each.is === 'column' || each.is === 'filled' || each.is === 'collated')
      return columns.has(each.name)
    return each.is === 'unique' || each.is === 'index'
      ? each.columns.every((column) => columns.has(column))
      : true
  })
}

/** Without the columns that were fields when the last migration was saved: those are svc's by now. */
export function unsaid(left: readonly LeftAlone[], base: string | null): readonly LeftAlone[] {
  if (left.length === 0) return left
  const names = readNames(base ?? '')
  return left.filter(
    (each) => each.is !== 'column' || names.get(each.table)?.has(each.name) !== true,
  )
}
