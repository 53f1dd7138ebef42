import { storedName } from '../../blueprint/names/names.js'
import type { Blueprint, Entity, Kept } from '../../blueprint/types.js'
import { storedAs } from '../../kinds/kinds.js'
import type { Keeper } from '../../migrations/keepers/kept.js'
import { shortened } from '../../migrations/keepers/morph-marks.js'
import type { SchemaFile } from '../../migrations/schema/schema-file.js'
import { markedColumns } from '../../migrations/schema/schema-marks.js'
import { statementsOf } from '../../migrations/sql/own-statements.js'
import { searchTables, vectorColumn, vectorColumns, fullTextFact } from './check.js'
import { anyFullTextMark, fullTextMark, readFullTextMark } from './keeper/marks.js'
import type { SearchIndex } from './keeper/search-index.js'
import { postgresIndex } from './keeper/sql-postgres.js'
import { sqliteIndex } from './keeper/sql-sqlite.js'

/** Every word of some columns, by an index that the database keeps whoever writes. */
export const fullTextKeeper: Keeper = {
  columnsIn: (schema) =>
    indexesIn(schema).flatMap(({ table, column, vectors = [], index }) =>
      column === undefined
        ? []
        : [column, ...vectors].map((name) => ({ table, name, indexName: index })),
    ),
  between: withSearchIndexes,
  outside: searchOutside,
  wroteIn,
}

/** Rows of SQLite are known by their number, unless it is no key: such a number may change. */
export const isByKey = ({ isExisting, id }: Entity, { database }: Pick<Blueprint, 'database'>) =>
  database === 'sqlite' && (isExisting === true || storedAs({ kind: id }).key?.makes !== null)

export function searchKept(entity: Entity, blueprint: Blueprint): Kept | null {
  const said = fullTextFact.in(blueprint, entity)
  if (said === null) return null
  const { table, columns } = entity
  const stored = (name: string) => {
    const column = columns.find((each) => each.name === name)
    return column === undefined ? name : storedName(column)
  }
  const [first = '', ...others] = said.columns
  const isSqlite = blueprint.database === 'sqlite'
  const index = isSqlite ? searchTables(table)[0] : shortened(`${table}_${vectorColumn}_idx`)
  const vectors = isSqlite ? [] : vectorColumns(said.columns)
  const mark = fullTextMark({
    ...{ others: others.map(stored), language: said.language, index, vectors },
    column: isSqlite ? undefined : vectorColumn,
    key: isByKey(entity, blueprint) ? stored('id') : undefined,
  })
  const vector = (name: string) => ({ name, type: 'tsvector' })
  const indexed = { ...vector(vectorColumn), index: { name: index, type: 'Gin' } } as const
  return {
    marks: { [first]: mark },
    columns: isSqlite ? [] : [indexed, ...vectors.map(vector)],
  }
}

/** Drops indexes before the rest, and creates them behind it: their columns may change between. */
function withSearchIndexes(
  sql: string,
  before: readonly SchemaFile[],
  after: readonly SchemaFile[],
): string {
  const isSqlite = [...before, ...after].some(({ content }) =>
    /^\s*provider\s*=\s*"sqlite"/m.test(content),
  )
  const { drop, create, isTouched } = isSqlite ? sqliteIndex : postgresIndex
  const [old, now] = [indexesIn(before), indexesIn(after)]
  const has = (list: readonly SearchIndex[], one: SearchIndex) =>
    list.some((each) => JSON.stringify(each) === JSON.stringify(one))
  const isMadeAnew = (index: SearchIndex) => isTouched(sql, index)
  return [
    ...old
      .filter((each) => !has(now, each) || isMadeAnew(each))
      .map((each) => `-- DropSearch\n${drop(each)}`),
    ...(sql === '' ? [] : [sql]),
    ...now
      .filter((each) => !has(old, each) || isMadeAnew(each))
      .map((each) => `-- CreateSearch\n${create(each)}`),
  ].join('\n')
}

function searchOutside(sql: string): string {
  const [drops, creates] = [new Set(sql.match(anyDrop)), new Set(sql.match(anyCreate))]
  if (drops.size === 0 && creates.size === 0) return sql
  const rest = sql.replaceAll(anyDrop, '').replaceAll(anyCreate, '').trim()
  return [...drops, ...(rest === '' ? [] : [`${rest}\n`]), ...creates].join('\n')
}

/** A developer may write what looks like ours, and right below it: only what stands in a block of ours, and is of its index, is that. */
function wroteIn(migration: string): readonly string[] {
  const sql = `${migration.replaceAll('\r\n', '\n')}\n`
  return [...(sql.match(anyDrop) ?? []), ...(sql.match(anyCreate) ?? [])].flatMap((block) => {
    const [first = '', ...others] = statementsOf(block)
    const [, made, dropped] = ofSqlite.exec(first) ?? []
    const index = made ?? dropped
    if (index === undefined) {
      const onColumn = others.filter((each) => each.endsWith(` USING GIN ("${vectorColumn}")`))
      return [first, ...onColumn.slice(0, 1)]
    }
    const names = ['', '_keys', '_insert', '_update', '_delete'].map((end) => `"${index}${end}"`)
    const isOurs = (statement: string) => names.includes(/"[^"]+"/.exec(statement)?.[0] ?? '')
    return [first, ...others.filter(isOurs)]
  })
}

const ofSqlite = /^(?:CREATE VIRTUAL TABLE "([^"]+)"|DROP TRIGGER IF EXISTS "([^"]+)_insert")/

/** No line of them is empty. */
const anyDrop = /^-- DropSearch\n(?:.+\n)+/gm
const anyCreate = /^-- CreateSearch\n(?:.+\n)+/gm

const indexesIn = (schema: readonly SchemaFile[]): readonly SearchIndex[] =>
  markedColumns(schema, anyFullTextMark).map(({ table, column, mark }) => {
    const { others, ...said } = readFullTextMark(mark)
    return { ...said, table, columns: [column, ...others] }
  })
