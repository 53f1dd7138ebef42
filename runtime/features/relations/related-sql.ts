import { encodeList } from '../../model/columns.js'
import type { SortTerm, Test } from '../../model/sql-test.js'
import { asSql } from '../../policy/predicate.js'
import { orderBy, orderKeys } from '../../query/filter.js'
import { identifier, join, raw, type Sql, sql, table } from '../../sql/sql.js'
import { countedColumns } from './counted-columns.js'
import { type Link, targetOf } from './entries.js'
import {
  isPivotLink,
  pivotTable,
  pointerEncode,
  pointerKind,
  pointsInOrder,
} from './relation-sql.js'

export interface RelatedRows {
  readonly link: Link
  /** Ids of the parents. */
  readonly ids: readonly unknown[]
  /** Columns to select of the related table called `t0`. */
  readonly select: Sql
  /** The filter of related records, of the same table. */
  readonly filter: Test
  readonly terms: readonly SortTerm[]
  /** Rows hold their parent's id themselves: no place is needed. */
  readonly hasParent: boolean
  /** Per parent. */
  readonly limit: number
  readonly offset: number
  readonly limitInAll: number
}

/**
 * The related records of many parents in one statement, bounded per parent and in all. Behind what
 * is selected come the place of the parent in the list, unless rows hold their parent, and the
 * pivot columns. Without terms the rows are in no order; with terms, those of one parent are in
 * theirs.
 */
export function relatedRows(rows: RelatedRows): Sql {
  return rows.link.source.dialect === 'sqlite' ? sqliteRows(rows) : postgresRows(rows)
}

/** Counts the related records of many parents: the place of the parent, and the number. */
export function relatedCounts(link: Link, ids: readonly unknown[], filter: Test): Sql {
  const { from, where } = ofOneParent(link, filter, [])
  const count = sql`(select count(*) from ${from} where ${where})`
  return link.source.dialect === 'sqlite'
    ? sql`select k.key, ${count} from json_each(${idList(link, ids)}) as k`
    : sql`select (k.place - 1)::int4, ${count} from ${idTable(link, ids)}`
}

const window = ({ limit, offset }: RelatedRows): Sql => sql`limit ${limit} offset ${offset}`

/**
 * A window function would read every child of every parent; this reads as many as are shown. CROSS
 * JOIN keeps SQLite from turning the tables around. Whole rows are not sorted here: who reads them
 * has to put fifteen ids in order, SQLite would copy every column. The rows of one parent are a
 * list and not a subquery behind IN, which SQLite tries on each row of a table that was small when
 * it last counted.
 */
function sqliteRows(rows: RelatedRows): Sql {
  const { link, ids, select, filter, terms, hasParent, limitInAll } = rows
  const { table: named, id: theirs } = targetOf(link)
  const target = table(named, 't0')
  const { from, where, order } = ofOneParent(link, filter, terms)
  const rowid = identifier(isPivotLink(link) ? 'q' : 't0', 'rowid')
  const chosen = sql`(select json_group_array(value) from (
      select ${rowid} as value from ${from} where ${where} order by ${order} ${window(rows)}))`
  const found = isPivotLink(link)
    ? sql`${pivotTable(link, 'p')} on ${identifier('p', 'rowid')} = i.value
        cross join ${target} on ${identifier('t0', theirs.name)} = ${identifier('p', link.relation.pivot.relatedKey)}`
    : sql`${target} on ${identifier('t0', 'rowid')} = i.value`
  const place = hasParent ? [] : [sql`k.key`]
  const columns = join([select, ...place, ...pivotColumns(link, 'p')])
  const keys = orderKeys({ entity: targetOf(link) }, terms, 't0')
  const sorted = terms.length === 0 ? raw('') : sql` order by ${orderBy(keys)}`
  return sql`select ${columns} from json_each(${idList(link, ids)}) as k
    cross join json_each(${chosen}) as i
    cross join ${found}${sorted} limit ${limitInAll}`
}

function postgresRows(rows: RelatedRows): Sql {
  const { link, ids, select, filter, terms, hasParent, limitInAll } = rows
  const { from, where, order } = ofOneParent(link, filter, terms, 'reads')
  const keys = terms.length === 0 ? [] : orderKeys({ entity: targetOf(link) }, terms, 't0')
  const named = keys.map(({ value }, at) => sql`${value} as ${identifier(`s${at}`)}`)
  const place = hasParent ? [] : [sql`(k.place - 1)::int4`]
  const inner = join([select, ...place, ...pivotColumns(link, 'q'), ...named])
  const again = keys.map(({ direction }, at) => sql`${identifier(`s${at}`)} ${direction}`)
  const sorted = keys.length === 0 ? raw('') : sql` order by ${join(again)}`
  // Keys of the order come last, where they are not read.
  return sql`select c.* from ${idTable(link, ids)}
    cross join lateral (
      select ${inner} from ${from} where ${where} order by ${order} ${window(rows)}
    ) as c${sorted} limit ${limitInAll}`
}

/**
 * The related records of `k.value` as `t0`, through `q` where there is a pivot table. Its key
 * orders as theirs does, and its index serves that order; the related table is joined only when
 * something is read or asked of it.
 */
function ofOneParent(
  link: Link,
  filter: Test,
  terms: readonly SortTerm[],
  reads?: 'reads',
): { readonly from: Sql; readonly where: Sql; readonly order: Sql } {
  const entity = targetOf(link)
  const target = table(entity.table, 't0')
  const isPivot = isPivotLink(link)
  const pointing = pointsInOrder(link, isPivot ? 'q' : 't0', sql`k.value`)
  const where =
    filter === true ? pointing.where : sql`${pointing.where} and ${asSql({ entity }, filter).sql}`
  const id = identifier('t0', entity.id.name)
  const key = isPivot ? identifier('q', link.relation.pivot.relatedKey) : id
  const isSorted = terms.length > 0
  const keys = isSorted ? orderBy(orderKeys({ entity }, terms, 't0')) : sql`${key} desc`
  const order = sql`${pointing.order}, ${keys}`
  if (!isPivot) return { from: target, where, order }
  const pivot = pivotTable(link, 'q')
  const isJoined = filter !== true || isSorted || reads !== undefined
  const joined = sql`${pivot} join ${target} on ${id} = ${key}`
  return { from: isJoined ? joined : pivot, where, order }
}

const pivotColumns = ({ source, shownPivot }: Link, alias: string): Sql[] =>
  countedColumns(source, shownPivot, alias)

const idList = (link: Link, ids: readonly unknown[]) =>
  encodeList(pointerEncode(link), link.source.dialect)(ids)

const idTable = (link: Link, ids: readonly unknown[]): Sql => {
  const type = raw(pointerKind(link).type)
  return sql`unnest(${idList(link, ids)}::${type}[]) with ordinality as k(value, place)`
}
