import { storedName } from '../../../blueprint/names/names.js'
import type { Blueprint } from '../../../blueprint/types.js'
import type { Index, Table } from '../../../migrations/schema/tables.js'
import type { Advice } from '../../../plan/advice/advice.js'
import type { TableFacts } from './table-facts.js'

/** Indexes that the migrations make, and somebody took away. */
export function missingIndexes(
  { entities }: Blueprint,
  planned: readonly Table[],
  facts: readonly TableFacts[],
): readonly Advice[] {
  return planned.flatMap((table) => {
    const found = facts.find((each) => each.table === table.name)
    // A table that is not there is a migration that is not applied.
    if (found === undefined || found.indexes.length + (found.rows ?? 0) === 0) return []
    const isExisting = entities.some(
      (each) => each.table === table.name && each.isExisting === true,
    )
    return usefulIndexes(table, isExisting)
      .filter((index) => !found.indexes.some((each) => serves(each, index)))
      .map(({ kind, columns }) => ({
        rule: 'missing-index',
        at: `${table.name}.${columns.join('+')}`,
        message: kind === 'unique' ? doubled : slow,
        fix: 'create it again, as the migrations do',
      }))
  })
}

const slow = 'has no index in this database, and lists are sorted or filtered by it'
const doubled = 'has no unique index in this database, so two records may have the same'

/** By the names that the database has; of a table that was there before, what its columns say. */
function usefulIndexes({ columns, indexes }: Table, isExisting: boolean): readonly Index[] {
  const names = new Map(columns.map((column) => [column.name, storedName(column)]))
  const alone = (kind: Index['kind'], is: 'unique' | 'indexed'): readonly Index[] =>
    columns.filter((column) => column[is]).map(({ name }) => ({ kind, columns: [name] }))
  // SQLite has no index for the key that is the number of the row.
  const made = indexes.filter(({ kind, columns: key }) => kind !== 'id' || key.length > 1)
  const all = [
    ...made,
    ...alone('unique', 'unique'),
    ...(isExisting ? alone('index', 'indexed') : []),
  ]
  return all.map((index) => {
    return { ...index, columns: index.columns.map((name) => names.get(name) ?? name) }
  })
}

/** An index serves those that it begins with; a unique one those values and no more. */
function serves(found: TableFacts['indexes'][number], { kind, columns, isDescending }: Index) {
  const isPrefix = columns.every((name, at) => found.columns[at] === name)
  if (isDescending === true) return isPrefix && found.isDescending
  const isWhole = found.columns.length === columns.length
  return kind === 'index' ? isPrefix : found.isUnique && isPrefix && isWhole
}
