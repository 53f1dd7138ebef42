import type { Database } from '../../blueprint/types.js'
import type { Keeper, MigrationContext } from '../keepers/kept.js'
import { fillOption } from '../sql/mark-names.js'
import { readDroppedColumns, readTables, uniqueNames, type SqlTable } from '../sql/sql-tables.js'
import type { LeftRows } from './left-rows.js'

/** Requirements of a migration on a database that has rows. Empty lists: none. */
export interface Losses {
  /** Gone with everything in them; `column` null: the whole table. */
  readonly drops: readonly { readonly table: string; readonly column: string | null }[]
  /** Stored as another type. `isEmptied`: dropped and added anew; else values are converted, and some may not survive it. */
  readonly changed: readonly ChangedColumn[]
  /** Stored or meant otherwise, and converted by svc's own SQL. */
  readonly converted: readonly ConvertedColumn[]
  /** Must have a value, has no default, and rows may have none: the migration fails on a table with rows. */
  readonly required: readonly Required[]
  /** Newly unique: the migration fails where rows agree. */
  readonly unique: readonly { readonly table: string; readonly columns: string }[]
  /** Rows that point at what their relation has not any more. */
  readonly left: readonly LeftRows[]
  /** SQLite: what a table that is built anew cannot keep, beside its rows; a sentence each. */
  readonly leaves?: readonly string[]
}

/** A column that rows may have no value for. */
export interface Asking {
  readonly table: string
  readonly column: string
  /** No value of a row's own would do. */
  readonly isPassword?: boolean
  /** No value would do for two rows. */
  readonly isUnique?: boolean
  /** The id of a record, which has no default. */
  readonly isRelation?: boolean
}

interface Required extends Asking {
  /** PostgreSQL: rows to come have a value, those that are there are asked. */
  readonly hasDefault: boolean
}

interface ChangedColumn {
  readonly table: string
  readonly column: string
  readonly from: string
  readonly to: string
  readonly isEmptied: boolean
  /** A CHECK refuses what is no value of the new type. */
  readonly isChecked: boolean
}

export interface ConvertedColumn {
  readonly table: string
  readonly column: string
  /** As the schema says it: `decimal(10, 2)`. */
  readonly from: string
  readonly to: string
  /** What happens to values that do not fit; null: there are none. */
  readonly others: 'stop' | 'accepted' | 'filled' | null
}

/** The migration, and the scripts that build what it starts from and what it leads to. */
interface Scripts {
  readonly before: string
  readonly after: string
  readonly sql: string
}

type Tables = ReadonlyMap<string, SqlTable>

export const noLosses: Losses = {
  drops: [],
  changed: [],
  converted: [],
  required: [],
  unique: [],
  left: [],
}

export function findLosses(
  { database, keepers }: MigrationContext,
  { before, after, sql }: Scripts,
): Losses {
  const [from, to] = [tablesOfRows(before, keepers), tablesOfRows(after, keepers)]
  const emptied = readDroppedColumns(sql)
  const changes = pairs(from, to).flatMap(([table, old, now]) => changesOf(table, old, now))
  return {
    drops: [...from].flatMap(([table, { columns }]) => dropsOf(table, columns, to)),
    changed: changes.map((change) => ({
      ...change,
      isEmptied: emptied.has(`${change.table}.${change.column}`),
      isChecked: database === 'sqlite' && change.to.startsWith('DECIMAL('),
    })),
    converted: [],
    required: pairs(from, to).flatMap(([table, old, now]) =>
      requiredOf(table, withoutEmptied(table, old, emptied), now, database),
    ),
    unique: pairs(from, to).flatMap(([table, old, now]) => uniquesOf(table, old, now)),
    left: [],
  }
}

/** Without those that can be made again. */
function tablesOfRows(script: string, keepers: readonly Keeper[]): Tables {
  const kept = keepers
    .flatMap(({ wroteIn }) => wroteIn(script))
    .map((statement) => /^CREATE TABLE "([^"]+)"/.exec(statement)?.[1])
  return new Map([...readTables(script)].filter(([table]) => !kept.includes(table)))
}

function pairs(from: Tables, to: Tables): readonly (readonly [string, SqlTable, SqlTable])[] {
  return [...from].flatMap(([name, old]) => {
    const now = to.get(name)
    return now === undefined ? [] : [[name, old, now] as const]
  })
}

function dropsOf(table: string, columns: SqlTable['columns'], to: Tables): Losses['drops'] {
  const now = to.get(table)
  if (now === undefined) return [{ table, column: null }]
  const gone = [...columns.keys()].filter((column) => !now.columns.has(column))
  return gone.map((column) => ({ table, column }))
}

function changesOf(table: string, old: SqlTable, now: SqlTable) {
  return [...now.columns].flatMap(([column, { type }]) => {
    const from = old.columns.get(column)?.type
    return from === undefined || from === type ? [] : [{ table, column, from, to: type }]
  })
}

/** A table that is dropped and added again counts as new. */
function withoutEmptied(table: string, old: SqlTable, emptied: ReadonlySet<string>): SqlTable {
  const kept = [...old.columns].filter(([column]) => !emptied.has(`${table}.${column}`))
  return { ...old, columns: new Map(kept) }
}

function requiredOf(table: string, old: SqlTable, now: SqlTable, database: Database) {
  return [...now.columns].flatMap(([column, { isRequired, hasDefault }]) => {
    const before = old.columns.get(column)
    if (!isRequired || before?.isRequired === true) return []
    // A rebuilt SQLite table takes the default for rows that had NULL; PostgreSQL asks for values first.
    const isFilled = hasDefault && (before === undefined || database === 'sqlite')
    const isUnique = [...now.uniques].some((each) => columnsOf(each).join() === column)
    const kinds = {
      ...(isUnique && { isUnique }),
      ...(now.foreign.has(column) && { isRelation: true }),
    }
    return isFilled ? [] : [{ table, column, hasDefault, ...kinds }]
  })
}

/** An added column that may be NULL is equal to nothing. */
function uniquesOf(table: string, old: SqlTable, now: SqlTable): Losses['unique'] {
  const isAddedEmpty = (name: string) =>
    !old.columns.has(name) && now.columns.get(name)?.isRequired !== true
  const added = [...now.uniques].filter((columns) => !old.uniques.has(columns))
  return added
    .filter((columns) => !columnsOf(columns).some(isAddedEmpty))
    .map((columns) => ({ table, columns }))
}

const noPassword = "'!', which is nobody's password"

const whichRecord = 'which existing record they belong to'

const onlyOne = 'and no one value would do for all of them'

/** Behind `makes … required: `. */
function askingText({ table, column, isPassword, isUnique, isRelation }: Asking): string {
  const fill = (value: string) => `svc migrate ${fillOption(table, column, value)}`
  if (isUnique === true) {
    return `rows without a value stop it, ${onlyOne}, so let it be .nullable() until each has one of its own`
  }
  const way =
    isPassword === true
      ? `let it be .nullable(), or give them ${noPassword}: ${fill("'!'")}`
      : isRelation === true
        ? `let it be .nullable(), or say ${whichRecord}: ${fill('<id>')}`
        : `give it a .default(…), let it be .nullable(), or say what they get: ${fill('<value>')}`
  return `rows without a value stop it, so ${way}`
}

/** The columns that the sentences of a migration say it asks rows for. */
export function askingIn(sentences: readonly string[]): readonly Asking[] {
  return sentences.flatMap((text) => {
    const [, column, table] = /^makes '(.+)' of '(.+?)' required:/.exec(text) ?? []
    if (column === undefined || table === undefined) return []
    const isPassword = text.includes(noPassword)
    const isUnique = text.includes(onlyOne)
    const isRelation = text.includes(whichRecord)
    const kinds = { isPassword, isUnique, isRelation }
    const held = Object.entries(kinds).filter(([, isHeld]) => isHeld)
    return [{ table, column, ...Object.fromEntries(held) }]
  })
}

const cut = ': values that do not fit are cut'
const stopped = ': values that do not fit stop it'

const ends = {
  none: ', each value exactly',
  stop: ', each value exactly: rows with one that does not fit stop it',
  accepted:
    ', each value exactly: rows with one that does not fit stop it, or lose it in a run that accepts data loss',
  filled: ', each value exactly: those that do not fit are filled',
} as const

/** True for the sentence of a migration that takes something away from rows. */
export const isLoss = (sentence: string) => sentence.startsWith('drops ') || sentence.endsWith(cut)

/** True for one that puts other values in the place of those that do not fit. */
export const isFilling = (sentence: string) => sentence.endsWith(ends.filled)

/** True when every value of the one type is one of the other. */
function holds(from: string, to: string): boolean {
  if (/^(TEXT|JSONB)\b/.test(to)) return true
  if (/^DECIMAL/.test(from) && /^DECIMAL/.test(to)) return hasDigitsOf(from, to)
  return wider.some(([one, others]) => one.test(from) && others.test(to))
}

const wider: readonly (readonly [RegExp, RegExp])[] = [
  [/^BOOLEAN/, /^(INTEGER|BIGINT|REAL)/],
  [/^(INTEGER|SERIAL)$/, /^(INTEGER|SERIAL|BIGINT|BIGSERIAL)$/],
  // Keys and what points at them: rows that have more stop it (`retargeted.ts`). Fields are converted.
  [/^(BIGINT|BIGSERIAL)$/, /^(INTEGER|SERIAL|BIGINT|BIGSERIAL)$/],
  [/^INTEGER/, /^(BIGINT|DOUBLE PRECISION|REAL)/],
  [/^DATE$/, /^(TIMESTAMP|DATETIME)/],
]

/** SQLite's decimals have as many digits as they like. */
function hasDigitsOf(from: string, to: string): boolean {
  const [old, now] = [from, to].map((type) => /\((\d+),\s*(\d+)\)/.exec(type)?.slice(1).map(Number))
  if (old === undefined || now === undefined) return true
  const [precision = 0, scale = 0] = old
  const [digits = 0, behind = 0] = now
  return behind >= scale && digits - behind >= precision - scale
}

/** `email` of `lower(email)`. */
const foldedName = (columns: string) => /^lower\((\w+)/.exec(columns)?.[1]

const columnsOf = (columns: string): readonly string[] => {
  const folded = foldedName(columns)
  return folded === undefined ? uniqueNames(columns) : [folded]
}

/** One sentence per loss, for people; says nothing of how many rows there are. */
export function describeLosses({
  drops,
  changed,
  converted,
  required,
  unique,
  left,
  leaves = [],
}: Losses): readonly string[] {
  return [
    ...drops.map(({ table, column }) =>
      column === null
        ? `drops the table '${table}' with all its rows`
        : `drops the column '${column}' of '${table}' with all its values`,
    ),
    ...changed.map(({ table, column, from, to, isEmptied, isChecked }) =>
      isEmptied
        ? `drops '${column}' of '${table}' with all its values and adds it again, as ${to} instead of ${from}`
        : `stores '${column}' of '${table}' as ${to} instead of ${from}${holds(from, to) ? '' : isChecked ? stopped : cut}`,
    ),
    ...converted.map(({ table, column, from, to, others }) => {
      return `converts '${column}' of '${table}' from ${from} to ${to}${ends[others ?? 'none']}`
    }),
    ...required.map((each) =>
      each.column === 'id'
        ? `recreates 'id' of '${each.table}': existing rows stop it, ${onlyOne}`
        : `makes '${each.column}' of '${each.table}' required: ${askingText(each)}`,
    ),
    ...unique.map(({ table, columns }) => {
      const folded = foldedName(columns)
      return folded === undefined
        ? `makes '${uniqueNames(columns).join(', ')}' of '${table}' unique: equal rows stop it`
        : `makes '${folded}' of '${table}' unique in any case: rows that differ only in case stop it`
    }),
    ...left.map(({ says }) => says),
    ...leaves,
  ]
}
