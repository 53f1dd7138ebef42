import type { Blueprint, Database } from '../../blueprint/types.js'
import { readNames, type Renamed } from '../schema/datamodel.js'
import { readObjects, type SqlObject } from '../sql/sql-objects.js'
import type { Renames } from './renames.js'

/** A column that holds URI keys as values: which kind of record its neighbour points at. */
export interface MorphColumn {
  readonly table: string
  readonly column: string
}

export function morphColumns({ entities, pivots }: Blueprint): readonly MorphColumn[] {
  const types = entities.flatMap(({ table, columns }) =>
    columns.flatMap(({ name, role }) => (role === 'morphType' ? [{ table, column: name }] : [])),
  )
  const sides = pivots.flatMap(({ table, sides: both }) =>
    both.flatMap(({ morphType }) => (morphType === null ? [] : [{ table, column: morphType }])),
  )
  return [...types, ...sides]
}

/** Scripts that build a database from nothing: with the names before the renames, and after them. */
export interface Scripts {
  readonly before: string
  readonly after: string
  /**
   * The migrations so far, of a database that is older than svc. Other names are its own, and are
   * renamed with their columns.
   */
  readonly past?: string | undefined
}

/**
 * Renames that keep every row, and the names that Prisma expects of indexes and constraints. SQLite has no name for
 * constraints and cannot rename an index.
 */
export function renameSql(
  database: Database,
  { made, datamodel }: Renames,
  morphs: readonly MorphColumn[],
  { before, after, past }: Scripts,
): string {
  const now = new Map(readObjects(after).map((object) => [keyOf(object), object]))
  const pairs = readObjects(before).flatMap((object) => {
    const other = now.get(keyOf(made.reduce(renamed, object)))
    if (other === undefined || other.name === object.name || !isMade(object, past)) return []
    return [[object, other] as const]
  })
  const names = readNames(datamodel)
  const statements = [
    ...made.flatMap(({ table, column, from }) => {
      if (column === null)
        return from === table ? [] : [`ALTER TABLE "${from}" RENAME TO "${table}";`]
      return [`ALTER TABLE "${table}" RENAME COLUMN "${column.from}" TO "${column.to}";`]
    }),
    ...inOrder(pairs).flatMap(([object, other]) => renameObject(database, object, other)),
    ...made.flatMap(({ key }) =>
      key === undefined
        ? []
        : morphs
            .filter(({ table, column }) => names.get(table)?.has(column) === true)
            .map(({ table, column }) => typeSql(table, column, key)),
    ),
  ]
  return `-- Renamed, with every row\n${statements.join('\n')}\n`
}

type Pair = readonly [SqlObject, SqlObject]

/** A name is free before another object takes it. */
function inOrder(pairs: readonly Pair[]): readonly Pair[] {
  const rest = [...pairs]
  const ordered: Pair[] = []
  while (rest.length > 0) {
    const next = rest.findIndex(([, now]) => !rest.some(([old]) => old.name === now.name))
    ordered.push(...rest.splice(Math.max(next, 0), 1))
  }
  return ordered
}

function isMade({ kind, name, table }: SqlObject, past: string | undefined): boolean {
  if (past === undefined) return true
  const isSerial = kind === 'sequence' && past.includes(`CREATE TABLE "${table}" (\n`)
  return isSerial || past.includes(`"${name}"`) || past.split(/\W+/).includes(name)
}

const keyOf = ({ kind, table, columns, form }: SqlObject) =>
  JSON.stringify([kind, table, columns, kind === 'index' ? form : null])

/** Returns the object with the names after one rename. */
function renamed(object: SqlObject, { table, column, from }: Renamed): SqlObject {
  if (column === null) return object.table === from ? { ...object, table } : object
  if (object.table !== table) return object
  const columns = object.columns.map((name) => (name === column.from ? column.to : name))
  return { ...object, columns }
}

function renameObject(database: Database, old: SqlObject, now: SqlObject): readonly string[] {
  if (database === 'sqlite') {
    return old.kind === 'index' ? [`DROP INDEX "${old.name}";`, `${now.sql};`] : []
  }
  if (old.kind === 'index') return [`ALTER INDEX "${old.name}" RENAME TO "${now.name}";`]
  if (old.kind === 'sequence') return [`ALTER SEQUENCE "${old.name}" RENAME TO "${now.name}";`]
  return [`ALTER TABLE "${now.table}" RENAME CONSTRAINT "${old.name}" TO "${now.name}";`]
}

const typeSql = (
  table: string,
  column: string,
  { from, to }: { readonly from: string; readonly to: string },
) => `UPDATE "${table}" SET "${column}" = '${to}' WHERE "${column}" = '${from}';`
