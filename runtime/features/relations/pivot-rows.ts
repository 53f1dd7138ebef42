import type { Connection } from '../../database/types.js'
import { selected } from '../../model/column-sql.js'
import { type Column, encodeList } from '../../model/columns.js'
import type { Row } from '../../model/entity.js'
import type { Test } from '../../model/sql-test.js'
import { WrongValueError } from '../../model/wrong-value.js'
import { asSql } from '../../policy/predicate.js'
import { identifier, join, raw, read, type Sql, sql, table } from '../../sql/sql.js'
import { targetOf } from './entries.js'
import { type PivotLink, pivotTable, pointerEncode, pointsAtValue } from './relation-sql.js'

/** Pivot rows of one parent. */
export interface PivotChoice {
  /** Ids of related records. */
  readonly ids: readonly unknown[]
  /** The pivots of the ids (default), of the others that the user sees, or both. */
  readonly side?: 'named' | 'others' | 'both'
  /** The filter of related records that the user sees, of the table called `t0`. */
  readonly visible?: Test
  /** PostgreSQL: held until the transaction ends. */
  readonly isHeld?: boolean
}

/** Reads pivot rows, as policies see them. */
export async function readPivots(
  connection: Connection,
  link: PivotLink,
  row: Row,
  choice: PivotChoice,
): Promise<Row[]> {
  const { relatedKey } = link.relation.pivot
  const isHeld = choice.isHeld === true && connection.dialect === 'postgresql'
  const query = sql`select ${pivotList(link, 'p')} from ${pivotTable(link, 'p')}
    where ${chosenPivots(link, row, choice)}
    order by ${identifier('p', relatedKey)}${raw(isHeld ? ' for update of p' : '')}`
  return (await read(connection, query)).map((stored) => pivotRow(link, row, stored))
}

/**
 * Lists the columns that `pivotRow` reads: the related key and the pivot fields, of a table with
 * this alias.
 */
export function pivotList(link: PivotLink, alias: string): Sql {
  const place = (name: string) => (alias === '' ? identifier(name) : identifier(alias, name))
  const { relatedKey } = link.relation.pivot
  const related = selected(targetOf(link).id, place(relatedKey))
  const fields = [...link.pivot.values()].map((column) => selected(column, place(column.name)))
  return join([related, ...fields])
}

/** The condition on the pivot table called `p`. */
export function chosenPivots(
  link: PivotLink,
  row: Row,
  { ids, side = 'named', visible = true }: PivotChoice,
): Sql {
  const ofParent = pointsAtValue(link, 'p', parentValue(link, row))
  const related = identifier('p', link.relation.pivot.relatedKey)
  const named = sql`${related} in (select k.value from ${idTable(link, ids)})`
  if (side === 'named') return sql`${ofParent} and ${named}`
  const seen = isVisible(link, visible, related)
  return side === 'both'
    ? sql`${ofParent} and (${named} or ${seen})`
    : sql`${ofParent} and not (${named}) and ${seen}`
}

export const parentValue = (link: PivotLink, row: Row): Sql =>
  sql`${pointerEncode(link)(row['id'])}`

function isVisible(link: PivotLink, visible: Test, relatedId: Sql): Sql {
  const entity = targetOf(link)
  const filter = asSql({ entity }, visible).sql
  if (typeof visible === 'boolean') return filter
  return sql`exists (select 1 from ${table(entity.table, 't0')}
    where ${identifier('t0', entity.id.name)} = ${relatedId} and ${filter})`
}

/** Ids as the table `k`. */
export function idTable(link: PivotLink, ids: readonly unknown[]): Sql {
  const { dialect } = link.source
  const related = targetOf(link).id
  const list = encodeList(related.encode, dialect)(ids)
  if (dialect === 'sqlite') return sql`json_each(${list}) as k`
  return sql`unnest(${list}::${raw(related.storage.type)}[]) as k(value)`
}

/** The keys of a pivot row that point at its parent. */
export function parentKeys({ relation, source }: PivotLink, row: Row): Row {
  const { foreignKey, morphType, foreignKind } = relation.pivot
  const key = foreignKind === undefined ? row['id'] : String(row['id'])
  return Object.assign(morphType === undefined ? {} : { [morphType]: source.key }, {
    [foreignKey]: key,
  })
}

/** A pivot row, as policies see it, of the related key and the pivot fields. */
export function pivotRow(link: PivotLink, row: Row, stored: readonly unknown[]): Row {
  const pivot = parentKeys(link, row)
  pivot[link.relation.pivot.relatedKey] = stored[0]
  let at = 1
  for (const column of link.pivot.values()) {
    pivot[column.name] = pivotValue(link, column, stored[at++], row['id'])
  }
  return pivot
}

/** A pivot field as it is read; `id`: of the record whose pivot row it is. */
export function pivotValue(
  { relation, shownPivot }: PivotLink,
  column: Column,
  stored: unknown,
  id: unknown,
): unknown {
  const { decode, name: field } = column
  if (stored === null || decode === null) return stored
  const value = decode(stored)
  if (value !== undefined) return value
  const isShown = shownPivot.includes(column)
  const place = { repository: relation.pivot.table, field, id, isShown }
  throw new WrongValueError(column, stored, place)
}
