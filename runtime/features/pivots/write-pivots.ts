import type { Connection } from '../../database/types.js'
import type { StoredKind } from '../../kinds/kind.js'
import { canonical } from '../../model/columns.js'
import type { Row } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { throwRefusedPivots } from '../../operations/refused-by-database.js'
import { identifier, join, literal, raw, type Sql, sql, write } from '../../sql/sql.js'
import { chosenPivots, idTable, parentValue, pivotList, pivotRow } from '../relations/pivot-rows.js'
import { type PivotLink, pivotTable, pointerKind } from '../relations/relation-sql.js'
import type { PivotChange, PivotGroup } from './pivot-change.js'
import { newPivotValues } from './pivot-input.js'

/** One statement to remove, and one to add for each group: of a request of its own there is one. */
export async function writePivots(
  change: PivotChange,
  row: Row,
  connection: Connection,
): Promise<Row[]> {
  const { operation, link, ids, groups, visible } = change
  if (operation !== 'attach') {
    const side = operation === 'detach' ? 'named' : 'others'
    const chosen = chosenPivots(link, row, { ids, side, visible })
    await write(connection, sql`delete from ${pivotTable(link, 'p')} where ${chosen}`)
  }
  if (operation === 'detach') return []
  const { relatedKey } = link.relation.pivot
  const pivots = new Map<unknown, Row>()
  for (const group of groups) {
    for (const stored of await write(connection, attachRows(link, group, row))) {
      const pivot = pivotRow(link, row, stored)
      pivots.set(pivot[relatedKey], shownPivot(link, pivot))
    }
  }
  return ids.flatMap((each): Row[] => {
    const pivot = pivots.get(each)
    return pivot === undefined ? [] : [pivot]
  })
}

/**
 * Adds the pivot rows that are missing, with the values of the body over the defaults; rows that
 * are there get those of the body. Returns all of them: the related key, then the pivot fields.
 */
function attachRows(link: PivotLink, { ids, values }: PivotGroup, row: Row): Sql {
  const { table, foreignKey, relatedKey, morphType } = link.relation.pivot
  const filled = newPivotValues(link.relation, values)
  const columns = [...link.pivot.values()].filter(({ name }) => Object.hasOwn(filled, name))
  const updated = columns.filter(({ name }) => Object.hasOwn(values, name))
  const key = [foreignKey, ...(morphType === undefined ? [] : [morphType]), relatedKey]
  const given = columns.map((column) => {
    const value = canonical(column, getOwn(filled, column.name))
    return typed(link, sql`${value === null ? null : column.encode(value)}`, column.storage)
  })
  const selected = [
    typed(link, parentValue(link, row), pointerKind(link)),
    ...(morphType === undefined ? [] : [literal(link.source.key)]),
    sql`k.value`,
    ...given,
  ]
  // The key is set to itself: otherwise rows that are there already would not be returned.
  const set = [relatedKey, ...updated.map(({ name }) => name)].map(
    (name) => sql`${identifier(name)} = ${identifier('excluded', name)}`,
  )
  const names = (list: readonly string[]) => join(list.map((name) => identifier(name)))
  return sql`insert into ${identifier(table)} (${names([...key, ...columns.map(({ name }) => name)])})
    select ${join(selected)} from ${idTable(link, ids)} where true order by k.value
    on conflict (${names(key)}) do update set ${join(set)}
    returning ${pivotList(link, '')}`
}

/** PostgreSQL must be given the type of a selected parameter. */
function typed({ source }: PivotLink, value: Sql, { type }: StoredKind): Sql {
  if (source.dialect === 'sqlite') return value
  return sql`cast(${value} as ${raw(type)})`
}

/** A pivot row as JSON: keys are text there, hidden fields are left out. */
function shownPivot({ relation, shownPivot: shown }: PivotLink, pivot: Row): Row {
  const { foreignKey, morphType, relatedKey } = relation.pivot
  return Object.assign(morphType === undefined ? {} : { [morphType]: pivot[morphType] }, {
    [foreignKey]: String(pivot[foreignKey]),
    [relatedKey]: String(pivot[relatedKey]),
    ...Object.fromEntries(shown.map(({ name }) => [name, pivot[name]])),
  })
}

export function throwRefused(
  { access, link, groups }: PivotChange,
  error: unknown,
): Promise<never> {
  const { database, dialect } = access.entity
  const { table } = link.relation.pivot
  const values: Row = Object.assign({}, ...groups.map((group) => group.values))
  return throwRefusedPivots({ database, dialect, table, columns: link.pivot }, values, error)
}
