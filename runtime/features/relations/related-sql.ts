import { sql } from 'kysely'
import { arrayTypes, type Encode, encodeList } from '../../model/columns.js'
import { conditionSql, type Sql } from '../../policy/condition-sql.js'
import type { Described } from '../../policy/parse-condition.js'
import { type Link, targetOf } from '../../model/entity.js'
import { type Prepared, prepare, slot } from '../../sql/statement-cache.js'
import { pointerKind, pointsBackInOrder, tableAs } from './relation-sql.js'
import { orderTerms, type SelectPlan, type SortTerm } from '../../operations/select.js'
import {
  createSelection,
  filterPart,
  firstOwnPart,
  selected,
  type Selection,
  type Want,
} from '../../operations/row-decoder.js'

/**
 * The related records of many parents in one statement, bounded per parent and in all. Own part:
 * the parents' ids as one list, the limit and offset per parent, the limit in all. Behind the
 * selection come the place of the parent in that list, unless rows tell their parent themselves, and
 * the pivot columns. Without terms the rows are in no order; with terms, those of one parent are in
 * theirs. Parts of terms follow.
 */
export function relatedPlan(
  link: Link,
  want: Want,
  filter: Described,
  terms: readonly SortTerm[],
): RelatedPlan {
  const { dialect } = link.source
  const selection = createSelection(targetOf(link), want)
  const pointer = ownPointer(link)
  const parentAt = pointer === null ? undefined : selection.positions.get(pointer)
  const query = { link, selection, filter, terms, isTold: parentAt !== undefined }
  const text = dialect === 'sqlite' ? sqliteQuery(query) : postgresQuery(query)
  return { prepared: prepare(dialect, 'read', text), selection, parentAt: parentAt ?? null }
}

export interface RelatedPlan extends SelectPlan {
  /** Where a row holds its parent's id; null: its place in the list is behind the selection. */
  readonly parentAt: number | null
}

/** The column of the related table that holds the parent's id, in the form of that id. */
function ownPointer(link: Link): string | null {
  const { relation, source } = link
  if ('pivot' in relation || relation.kind === 'belongsTo') return null
  return pointerKind(link) === source.id.kind ? relation.foreignKey : null
}

interface Query {
  readonly link: Link
  readonly selection: Selection
  readonly filter: Described
  readonly terms: readonly SortTerm[]
  /** Rows tell their parent: no place is needed. */
  readonly isTold: boolean
}

/**
 * How many related records each of many parents has: the place of the parent in the list, and the
 * number. Own part: the parents' ids.
 */
export function relatedCountPlan(link: Link, filter: Described): Prepared {
  const { dialect } = link.source
  const { from, where } = ofOneParent(link, filter, [])
  const ids = idList(link)
  const [place, list] =
    dialect === 'sqlite'
      ? [sql`k.key`, sql`json_each(${ids}) as k`]
      : [
          sql`(k.place - 1)::int4`,
          sql`unnest(${ids}::${arrayType(link)}) with ordinality as k(value, place)`,
        ]
  const query = sql`select ${place}, (select count(*) from ${from} where ${where}) from ${list}`
  return prepare(dialect, 'read', query)
}

const window = (): Sql => sql`limit ${slot(firstOwnPart, 1)} offset ${slot(firstOwnPart, 2)}`
const limitInAll = (): Sql => slot(firstOwnPart, 3)

/**
 * A window function would read every child of every parent; this reads as many as are shown. CROSS
 * JOIN keeps SQLite from turning the tables around. Whole rows are not sorted here: who reads them
 * has to put fifteen ids in order, SQLite would copy every column.
 */
function sqliteQuery({ link, selection, filter, terms, isTold }: Query): Sql {
  const target = tableAs({ table: targetOf(link).table, alias: 'c' })
  const pivot = pivotTable(link, 'p')
  const chosen = sqliteChoice(link, filter, terms)
  const rows =
    pivot === null
      ? sql`${target} on ${sql.id('c', 'rowid')} = i.value`
      : sql`${pivot.table} on ${sql.id('p', 'rowid')} = i.value
          cross join ${target} on ${sql.id('c', 'id')} = ${pivot.relatedId}`
  const place = isTold ? [] : [sql`k.key`]
  const columns = [...selected(selection, 'c'), ...place, ...pivotColumns(link, 'p')]
  const sorted = terms.length === 0 ? sql`` : sql` order by ${ordered(link, terms, 'c')}`
  return sql`select ${sql.join(columns)} from json_each(${idList(link)}) as k
    cross join json_each(${chosen}) as i
    cross join ${rows}${sorted} limit ${limitInAll()}`
}

/**
 * The rows of one parent (`k.value`) that are shown: of the related table, or of the one between. A
 * list and not a subquery behind IN, which SQLite tries on each row of a table that was small when
 * it last counted.
 */
function sqliteChoice(link: Link, filter: Described, terms: readonly SortTerm[]): Sql {
  const { from, where, order } = ofOneParent(link, filter, terms)
  const row = sql.id('pivot' in link.relation ? 'q' : 't0', 'rowid')
  return sql`(select json_group_array(value) from (
      select ${row} as value from ${from} where ${where} order by ${order} ${window()}))`
}

function postgresQuery({ link, selection, filter, terms, isTold }: Query): Sql {
  const { from, where, order } = ofOneParent(link, filter, terms, 'related')
  const keys = terms.length === 0 ? [] : orderTerms(targetOf(link), terms, 't0')
  const inner = [...selected(selection, 't0'), ...pivotColumns(link, 'q')]
  const named = [
    ...inner.map((column, at) => sql`${column} as ${sql.id(`v${at}`)}`),
    ...keys.map(({ value }, at) => sql`${value} as ${sql.id(`s${at}`)}`),
  ]
  const outer = inner.map((_, at) => sql.id('c', `v${at}`))
  if (!isTold) outer.splice(selection.width, 0, sql`(k.place - 1)::int4`)
  const again = keys.map(({ direction }, at) => sql`${sql.id('c', `s${at}`)} ${direction}`)
  const sorted = keys.length === 0 ? sql`` : sql` order by ${sql.join(again)}`
  return sql`select ${sql.join(outer)}
    from unnest(${idList(link)}::${arrayType(link)}) with ordinality as k(value, place)
    cross join lateral (
      select ${sql.join(named)} from ${from} where ${where} order by ${order} ${window()}
    ) as c${sorted} limit ${limitInAll()}`
}

function arrayType(link: Link): Sql {
  return sql.raw(arrayTypes[pointerKind(link)])
}

/**
 * The related records of `k.value` as `t0`, through `q` where there is a table between. Its key
 * orders as theirs does, and its index serves that order; the related table is joined only when
 * something is read or asked of it.
 */
function ofOneParent(
  link: Link,
  filter: Described,
  terms: readonly SortTerm[],
  reads?: 'related',
): { readonly from: Sql; readonly where: Sql; readonly order: Sql } {
  const target = tableAs({ table: targetOf(link).table, alias: 't0' })
  const visible = conditionSql(link.source.dialect, filter.node, filterPart, 't0')
  const isFiltered = filter.node.op !== 'true'
  const pivot = pivotTable(link, 'q')
  const alias = pivot === null ? 't0' : 'q'
  const own = pointsBackInOrder(link, alias, sql`k.value`)
  const where = isFiltered ? sql`${own.where} and ${visible}` : own.where
  const isSorted = terms.length > 0
  const key = pivot === null ? sql.id('t0', 'id') : pivot.relatedId
  const order = sql`${own.order}, ${isSorted ? ordered(link, terms, 't0') : sql`${key} desc`}`
  if (pivot === null) return { from: target, where, order }
  const isJoined = isFiltered || isSorted || reads === 'related'
  const joined = sql`${pivot.table} join ${target} on ${sql.id('t0', 'id')} = ${pivot.relatedId}`
  return { from: isJoined ? joined : pivot.table, where, order }
}

function ordered(link: Link, terms: readonly SortTerm[], alias: string): Sql {
  const keys = orderTerms(targetOf(link), terms, alias)
  return sql.join(keys.map(({ value, direction }) => sql`${value} ${direction}`))
}

function pivotTable(link: Link, alias: string): { table: Sql; relatedId: Sql } | null {
  if (!('pivot' in link.relation)) return null
  const { table, relatedKey } = link.relation.pivot
  return { table: tableAs({ table, alias }), relatedId: sql.id(alias, relatedKey) }
}

function pivotColumns(link: Link, alias: string): Sql[] {
  return link.shownPivot.map(({ name }) => sql.id(alias, name))
}

function idList(link: Link): Sql {
  const encode: Encode = pointerKind(link) === 'text' ? String : (id) => id as number // or a uuid
  return slot(firstOwnPart, 0, encodeList(encode, link.source.dialect))
}
