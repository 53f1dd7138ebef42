import type { Access, Scope } from '../../model/entity.js'
import { isRecord } from '../../model/get-own.js'
import type { SortKey } from '../../model/queries.js'
import type { SortTerm } from '../../model/sql-test.js'
import { isComposite, sqlOf } from '../../policy/condition-sql.js'
import { type Composite, operands } from '../../policy/condition.js'
import { maySeeSome, seenValue } from '../../policy/gates.js'
import { PolicyMistake } from '../../policy/policy-mistake.js'
import { columnTerm } from '../../query/filter.js'
import { raw } from '../../sql/sql.js'
import { columnsNamed } from './as-seen.js'
import { fileOf } from './declared.js'

/**
 * What a sorter answered, as a key of ORDER BY: `self('stock')`, or SQL. Null: this user may not sort
 * by it, as by a column behind a closed gate, or a value in it is undefined for them.
 */
export function sortTermOf(access: Access, sort: SortKey, said: unknown): SortTerm | null {
  if (said === null || said === undefined) return null
  if (!isRecord(said)) throw wrong(access, sort)
  return isComposite(said)
    ? termOfSql(access, sort, said)
    : termOfColumn(access, sort, String(said['column']))
}

function termOfColumn(access: Access, sort: SortKey, name: string): SortTerm | null {
  const column = access.entity.columns.get(name)
  if (column === undefined || column.storage.isJson) throw wrong(access, sort)
  return columnTerm(access, sort, column)
}

function termOfSql(access: Access, sort: SortKey, said: Composite): SortTerm | null {
  const { combines, texts = [], [operands]: parts } = said
  if (combines !== 'sql') throw wrong(access, sort)
  const columns = columnsNamed(parts)
  const written = (alias: string) => sqlOf(scopeAt(access, sort, alias), texts, parts)
  if (!columns.every((name) => maySeeSome(access, name)) || written('t0') === null) return null
  const value = (alias: string) =>
    columns.reduce(
      (shown, name) => seenValue(access, name, alias, shown),
      written(alias) ?? raw('null'),
    )
  const { key, descending } = sort
  return { key, descending, value, mayBeNull: true }
}

const scopeAt = ({ entity }: Access, { key }: SortKey, alias: string): Scope => ({
  entity,
  alias,
  file: fileOf(entity, 'sort', key),
  depth: 0,
})

const wrong = ({ entity }: Access, { key }: SortKey) =>
  new PolicyMistake(
    fileOf(entity, 'sort', key),
    `it answers neither self('…') of a column that has an order, nor sql`,
  )
