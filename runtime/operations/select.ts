import { sql } from 'kysely'
import type { Column } from '../model/columns.js'
import { conditionSql, numeric, type Sql } from '../policy/condition-sql.js'
import type { Described } from '../policy/parse-condition.js'
import type { Entity, Link } from '../model/entity.js'
import { targetOf } from '../model/entity.js'
import { type Prepared, prepare, slot } from '../sql/statement-cache.js'
import { linked, tableAs } from '../features/relations/relation-sql.js'
import {
  createSelection,
  filterPart,
  firstOwnPart,
  selected,
  type Selection,
  type Want,
} from './row-decoder.js'

/** A statement and how its rows are read. */
export interface SelectPlan {
  readonly prepared: Prepared
  readonly selection: Selection
}

/** One key of ORDER BY. */
export interface SortTerm {
  readonly key: string
  readonly column: Column
  readonly descending: boolean
  /** A column of a belongsTo relation: of the rows the user may see; others sort as NULL. */
  readonly through: { readonly link: Link; readonly show: Described } | null
}

const alias = 't0'

/** The structure of an order, for keys of plans. */
export function termsKey(terms: readonly SortTerm[]): string {
  return terms
    .map(
      ({ key, descending, through }) =>
        `${descending ? '-' : ''}${key}(${through?.show.key ?? ''})`,
    )
    .join()
}

/** What an order brings along: one part per term through a relation. */
export function throughParts(terms: readonly SortTerm[]): readonly Described[] {
  return terms.flatMap(({ through }) => (through === null ? [] : [through.show]))
}

function fromWhere(entity: Entity, filter: Described): Sql {
  const from = sql`from ${tableAs({ table: entity.table, alias })}`
  if (filter.node.op === 'true') return from
  return sql`${from} where ${conditionSql(entity.dialect, filter.node, filterPart, alias)}`
}

/** The records a condition admits, in no order: for conditions on ids. */
export function selectPlan(entity: Entity, want: Want, filter: Described): SelectPlan {
  const selection = createSelection(entity, want)
  const query = sql`select ${sql.join(selected(selection, alias))} ${fromWhere(entity, filter)}`
  return { prepared: prepare(entity.dialect, 'read', query), selection }
}

/**
 * One page of the records a condition admits. Own part: limit, offset; then one per sort term
 * through a relation.
 */
export function pagePlan(
  entity: Entity,
  want: Want,
  filter: Described,
  terms: readonly SortTerm[],
): SelectPlan {
  const selection = createSelection(entity, want)
  const [limit, offset] = [slot(firstOwnPart, 0), slot(firstOwnPart, 1)]
  const order = orderTerms(entity, terms, alias).map(
    ({ value, direction }) => sql`${value} ${direction}`,
  )
  const query = sql`select ${sql.join(selected(selection, alias))} ${fromWhere(entity, filter)}
    order by ${sql.join(order)} limit ${limit} offset ${offset}`
  return { prepared: prepare(entity.dialect, 'read', query), selection }
}

export function countPlan(entity: Entity, filter: Described): Prepared {
  return prepare(entity.dialect, 'read', sql`select count(*) ${fromWhere(entity, filter)}`)
}

/** One key of ORDER BY: what is compared, and which way. */
interface OrderTerm {
  readonly value: Sql
  readonly direction: Sql
}

/**
 * How the rows of `table` are ordered: the terms, then the key, newest first, so that every order
 * is total. The parts of terms through a relation follow the statement's own.
 */
export function orderTerms(
  entity: Entity,
  terms: readonly SortTerm[],
  table: string,
): readonly OrderTerm[] {
  let part = firstOwnPart
  const ordered = terms.map((term) => {
    if (term.through !== null) part++
    return orderTerm(entity, term, table, part)
  })
  const isTotal = terms.some(({ through, column }) => through === null && column.name === 'id')
  if (isTotal) return ordered
  return [...ordered, { value: sql.id(table, 'id'), direction: sql`desc` }]
}

function orderTerm(
  entity: Entity,
  { column, descending, through }: SortTerm,
  table: string,
  part: number,
): OrderTerm {
  const { dialect } = entity
  const way = descending ? sql`desc` : sql`asc`
  // NULL is the smallest value on SQLite and the largest on PostgreSQL; an index serves only the
  // order left unsaid.
  const nullsFirst = dialect === 'sqlite' ? !descending : descending
  const isLast = nullsFirst && (column.nullable || through !== null)
  const value =
    through === null
      ? numeric(dialect, column, sql.id(table, column.name))
      : throughRelation(entity, column, through, table, part)
  return { value, direction: isLast ? sql`${way} nulls last` : way }
}

function throughRelation(
  { dialect }: Entity,
  column: Column,
  { link, show }: NonNullable<SortTerm['through']>,
  table: string,
  part: number,
): Sql {
  const target = { table: targetOf(link).table, alias: 's' }
  const { tables, on } = linked(link, table, target, 'p')
  const visible = conditionSql(dialect, show.node, part, target.alias)
  const value = numeric(dialect, column, sql.id(target.alias, column.name))
  return sql`(select ${value} from ${tables} where ${on} and ${visible})`
}
