import {
  readDeclarations,
  type Declarations,
} from '../../../migrations/sqlite-rebuild/declarations.js'
import { foreignKeyOf } from '../../../migrations/sqlite-rebuild/declared-keys.js'
import type {
  Catalog,
  FoundColumn,
  FoundTable,
  FoundValues,
} from '../../../plan/existing/catalog.js'
import { whiteSpace } from './white-space.js'

/** Rows as objects; it only reads. */
export type Query = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** Reads an SQLite file: what its tables declare, and what their rows hold, since types bind nothing there. */
export async function readSqlite(query: Query): Promise<Catalog> {
  const made = await query(
    `SELECT type, name, tbl_name, sql FROM sqlite_master
     WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql IS NOT NULL ORDER BY rowid`,
  )
  const isOurs = (row: Readonly<Record<string, unknown>>) =>
    row['tbl_name'] === '_prisma_migrations'
  const theirs = made.filter((row) => !isOurs(row))
  const tables = theirs.filter(
    ({ type, sql }) => type === 'table' && !/^CREATE VIRTUAL/i.test(text(sql)),
  )
  return {
    database: 'sqlite',
    tables: await Promise.all(
      tables.map(async ({ name, sql }) => {
        const ofTable = theirs.filter((row) => row['tbl_name'] === name && row['type'] !== 'table')
        return tableOf(query, text(name), text(sql), ofTable)
      }),
    ),
    hasHistory: made.length > theirs.length,
    views: theirs.flatMap(({ type, name }) => (type === 'view' ? [text(name)] : [])),
    baseline: theirs.map(({ sql }) => `${unlessThere(text(sql))};\n`).join('\n'),
  }
}

const text = (value: unknown) => String(value ?? '')
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** SQLite keeps the text of a statement; it may say already that it does nothing the second time. */
const unlessThere = (sql: string) =>
  sql.replace(
    /^CREATE\s+(?<what>(?:UNIQUE\s+|TEMP\s+|VIRTUAL\s+)?(?:TABLE|INDEX|VIEW|TRIGGER))\s+(?:IF\s+NOT\s+EXISTS\s+)?/i,
    'CREATE $<what> IF NOT EXISTS ',
  )

type Rows = Awaited<ReturnType<Query>>

async function tableOf(query: Query, name: string, sql: string, made: Rows): Promise<FoundTable> {
  const info = (await query(`PRAGMA table_xinfo(${quoted(name)})`)).filter(
    ({ hidden }) => hidden !== 1,
  )
  const indexes = await indexesOf(query, name, made)
  const isPlain = (row: Rows[number]) => indexes.some((each) => each.name === row['name'])
  const columns = await columnsOf(query, name, sql, info)
  const declarations = readDeclarations(sql)
  return {
    name,
    columns,
    primaryKey: info
      .filter(({ pk }) => Number(pk) > 0)
      .toSorted((one, other) => Number(one['pk']) - Number(other['pk']))
      .map((each) => text(each['name'])),
    unique: indexes.filter(({ isUnique }) => isUnique).map((each) => each.columns),
    indexes: indexes.filter(({ isUnique }) => !isUnique).map((each) => each.columns),
    foreign: await foreignOf(query, name, declarations),
    declarations,
    further: made
      .filter((row) => row['type'] === 'trigger' || (row['type'] === 'index' && !isPlain(row)))
      .map((row) => unlessThere(text(row['sql']))),
    isCounted: await isCounted(query, name, columns, info),
    isWithoutRowid: /\)[^)]*\bWITHOUT\s+ROWID\b[^)]*$/i.test(sql),
  }
}

async function columnsOf(
  query: Query,
  table: string,
  sql: string,
  info: Rows,
): Promise<readonly FoundColumn[]> {
  const checked = optionsIn(sql)
  const columns: FoundColumn[] = []
  for (const each of info) {
    const name = text(each['name'])
    const options = checked.get(name.toLowerCase())
    columns.push({
      name,
      type: text(each['type']).toLowerCase(),
      nullable: each['notnull'] === 0,
      default: each['dflt_value'] === null ? null : text(each['dflt_value']),
      isGenerated: each['hidden'] !== 0,
      ...(options === undefined ? {} : { options }),
      values: await valuesOf(query, table, name),
    })
  }
  return columns
}

const listCheck = /CHECK\s*\(\s*(?:["[`]([^"\]`]+)["\]`]|(\w+))\s+IN\s*\(([^()]*)\)\s*\)/gi

/** The words that a column takes, where a check says them. */
const optionsIn = (sql: string) =>
  new Map(
    [...sql.matchAll(listCheck)].map(([, quotedName, name = '', list = '']) => [
      (quotedName ?? name).toLowerCase(),
      wordsOf(list),
    ]),
  )

async function foreignOf(
  query: Query,
  table: string,
  declarations: Declarations,
): Promise<FoundTable['foreign']> {
  const foreign = await query(`PRAGMA foreign_key_list(${quoted(table)})`)
  return [...new Set(foreign.map(({ id }) => id))].map((id) => {
    const parts = foreign.filter((each) => each['id'] === id)
    const [first] = parts
    const columns = parts.map(({ from }) => text(from))
    const isDeferred = foreignKeyOf(declarations, columns)?.isDeferred === true
    const action = text(first?.['on_delete']).toUpperCase()
    return {
      columns,
      table: text(first?.['table']),
      to: parts.flatMap(({ to }) => (to === null ? [] : [text(to)])),
      onDelete: actions[action] ?? ('other' as const),
      sql: `${foreignSql(parts)}${isDeferred ? ' DEFERRABLE INITIALLY DEFERRED' : ''}`,
    }
  })
}

/** `INTEGER PRIMARY KEY` is the number of the row; any other key has an index, and may even be NULL. */
async function isCounted(
  query: Query,
  table: string,
  columns: readonly FoundColumn[],
  info: Rows,
): Promise<boolean> {
  const keys = info.filter(({ pk }) => Number(pk) > 0).map((each) => text(each['name']))
  const indexes = await query(`PRAGMA index_list(${quoted(table)})`)
  const isInteger = columns.find(({ name }) => name === keys[0])?.type === 'integer'
  return isInteger && keys.length === 1 && indexes.every(({ origin }) => origin !== 'pk')
}

function foreignSql(parts: Rows): string {
  const [first] = parts
  const list = (names: readonly unknown[]) => names.map((each) => quoted(text(each))).join(', ')
  const to = parts.flatMap((part) => (part['to'] === null ? [] : [part['to']]))
  const target = `${quoted(text(first?.['table']))}${to.length === 0 ? '' : ` (${list(to)})`}`
  const does = `ON DELETE ${text(first?.['on_delete'])} ON UPDATE ${text(first?.['on_update'])}`
  return `FOREIGN KEY (${list(parts.map(({ from }) => from))}) REFERENCES ${target} ${does}`
}

const actions: Readonly<Record<string, 'restrict' | 'cascade' | 'setNull'>> = {
  'NO ACTION': 'restrict',
  RESTRICT: 'restrict',
  CASCADE: 'cascade',
  'SET NULL': 'setNull',
}

/** `'G', 'PG'`; nothing where something else stands in the list. */
export function wordsOf(list: string): readonly string[] | undefined {
  const words = [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, word = '']) => word)
  const rest = list.replaceAll(/'(?:[^']|'')*'|[\s,]/g, '')
  return rest === '' && words.length > 0
    ? words.map((each) => each.replaceAll("''", "'"))
    : undefined
}

/** Its own statement says more of it than its columns. */
const isOrdered = (sql: string) => /["`\]\w]\s+(COLLATE\s+\w+(\s+DESC)?|DESC)\s*[,)]/i.test(sql)

/** Whole columns of a whole table; the key's own is left out. */
async function indexesOf(query: Query, table: string, made: Rows) {
  const found: {
    readonly name: string
    readonly isUnique: boolean
    readonly columns: readonly string[]
  }[] = []
  for (const each of await query(`PRAGMA index_list(${quoted(table)})`)) {
    if (each['origin'] === 'pk' || each['partial'] === 1) continue
    const parts = await query(`PRAGMA index_info(${quoted(text(each['name']))})`)
    if (parts.some(({ name }) => name === null)) continue
    if (made.some((row) => row['name'] === each['name'] && isOrdered(text(row['sql'])))) continue
    const columns = parts.map(({ name }) => text(name))
    found.push({ name: text(each['name']), isUnique: each['unique'] === 1, columns })
  }
  return found
}

async function valuesOf(query: Query, table: string, column: string): Promise<FoundValues> {
  const [place, from] = [quoted(column), quoted(table)]
  const [row = {}] = await query(
    `SELECT count(*) AS "rows", count(*) - count(${place}) AS nulls, group_concat(DISTINCT typeof(${place})) AS storage,
       max(CASE WHEN typeof(${place}) = 'integer' THEN abs(max(${place}, -9223372036854775807)) END) AS largest,
       max(${place} IN (9e999, -9e999)) AS infinite,
       min(CASE WHEN typeof(${place}) = 'text' THEN ${place} END) AS example,
       max(CASE WHEN typeof(${place}) = 'text' THEN length(${place}) END) AS longest,
       max(typeof(${place}) = 'text' AND trim(${place}, ${whiteSpace}) = '') AS blank,
       sum(${place} IS NOT NULL AND length(${place}) <> 36) AS others,
       sum(${place} IS NOT NULL AND ${place} NOT GLOB '????-??-??T??:??:??.???+00:00') AS foreigners
     FROM ${from}`,
  )
  const filled = Number(row['rows']) - Number(row['nulls'])
  return {
    rows: Number(row['rows']),
    hasNull: Number(row['nulls']) > 0,
    hasBlank: row['blank'] === 1,
    storage: text(row['storage'])
      .split(',')
      .filter((each) => each !== '' && each !== 'null'),
    largest: row['largest'] === null ? null : Number(row['largest']),
    longest: row['longest'] === null ? null : Number(row['longest']),
    example: row['example'] === null ? null : text(row['example']),
    areInstants: Number(row['foreigners']) === 0,
    areUuids: filled > 0 && Number(row['others']) === 0,
    odd: row['infinite'] === 1 ? 'Infinity' : null,
  }
}
