import { sql } from 'kysely'
import {
  arrayTypes,
  type Column,
  type ColumnKind,
  type Encode,
  encodeList,
} from '../../model/columns.js'
import { conditionSql, type Sql } from '../../policy/condition-sql.js'
import type { Described } from '../../policy/parse-condition.js'
import { type Entity, type Link, targetOf } from '../../model/entity.js'
import { prepare, type Prepared, slot } from '../../sql/statement-cache.js'
import { pointerKind, pointsBack, tableAs } from '../relations/relation-sql.js'
import type { ThroughPivot } from '../relations/relations.js'
import type { SelectPlan } from '../../operations/select.js'
import { createSelection, filterPart, selected } from '../../operations/row-decoder.js'

/** A many-to-many relation. */
export interface PivotLink extends Link {
  readonly relation: ThroughPivot
}

export function isPivotLink(link: Link): link is PivotLink {
  return 'pivot' in link.relation
}

/** Part of every statement on the table between: the parent's id, the related ids, then values. */
const ownPart = 1

/** What is held until the transaction ends; null: rows are only read. */
export type Lock = 'parent' | 'related' | null

/**
 * One attach, sync or detach per parent at a time; others may meanwhile point at the same records.
 * Rows are locked in the order of their ids, so that two requests never wait for each other.
 */
const locks = {
  parent: sql` for no key update of t0`,
  related: sql` order by ${sql.id('t0', 'id')} for key share of t0`,
}

/** The whole rows a condition admits. SQLite has one writer at a time and needs no locks. */
export function rowsPlan(entity: Entity, filter: Described, lock: Lock): SelectPlan {
  const { dialect } = entity
  const want = { shown: { key: '', names: [] }, needs: [...entity.columns.keys()], flags: null }
  const selection = createSelection(entity, want)
  const held = lock === null || dialect === 'sqlite' ? sql`` : locks[lock]
  const query = sql`select ${sql.join(selected(selection, 't0'))}
    from ${tableAs({ table: entity.table, alias: 't0' })}
    where ${conditionSql(dialect, filter.node, filterPart, 't0')}${held}`
  return { prepared: prepare(dialect, 'read', query), selection }
}

/** Which rows between: those of the ids, or the others, as far as the user sees the related ones. */
export type Side = 'named' | 'others' | 'both'

/** The rows between of one parent: `relatedKey`, then the pivot fields. */
export function pivotsPlan(
  link: PivotLink,
  visible: Described,
  side: Side,
  locked: boolean,
): Prepared {
  const { dialect } = link.source
  const { relatedKey } = link.relation.pivot
  const columns = [relatedKey, ...link.pivot.keys()].map((name) => sql.id('p', name))
  const held = locked && dialect === 'postgresql' ? sql` for update of p` : sql``
  const query = sql`select ${sql.join(columns)} from ${between(link)}
    where ${chosen(link, visible, side)} order by ${sql.id('p', relatedKey)}${held}`
  return prepare(dialect, 'read', query)
}

export function detachPlan(link: PivotLink, visible: Described, side: Side): Prepared {
  const query = sql`delete from ${between(link)} where ${chosen(link, visible, side)}`
  return prepare(link.source.dialect, 'write', query)
}

/** Every row between of one parent, whatever it points at. */
export function clearPlan(link: PivotLink): Prepared {
  const query = sql`delete from ${between(link)} where ${ofParent(link)}`
  return prepare(link.source.dialect, 'write', query)
}

/**
 * Adds the rows between that are missing, with the values of `columns`; rows that are there get
 * those of `updated`. Returns all of them: `relatedKey`, then the pivot fields.
 */
export function attachPlan(
  link: PivotLink,
  columns: readonly Column[],
  updated: readonly Column[],
): Prepared {
  const { dialect } = link.source
  const { table, foreignKey, relatedKey, morphType } = link.relation.pivot
  const key = [foreignKey, ...(morphType === undefined ? [] : [morphType]), relatedKey]
  const names = [...key, ...columns.map(({ name }) => name)]
  const values = [
    typed(link, slot(ownPart, 0, parentEncode(link)), pointerKind(link)),
    ...(morphType === undefined ? [] : [sql.lit(link.source.key)]),
    sql`k.value`,
    ...columns.map(({ encode, kind }, at) => typed(link, slot(ownPart, at + 2, encode), kind)),
  ]
  // The key is set to itself: otherwise rows that are there already would not be returned.
  const set = [relatedKey, ...updated.map(({ name }) => name)].map(
    (name) => sql`${sql.id(name)} = ${sql.id('excluded', name)}`,
  )
  const returned = [relatedKey, ...link.pivot.keys()].map((name) => sql.id(name))
  const query = sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.id(name)))})
    select ${sql.join(values)} from ${idTable(link)} where true order by k.value
    on conflict (${sql.join(key.map((name) => sql.id(name)))}) do update set ${sql.join(set)}
    returning ${sql.join(returned)}`
  return prepare(dialect, 'write', query)
}

function between({ relation }: PivotLink): Sql {
  return tableAs({ table: relation.pivot.table, alias: 'p' })
}

function ofParent(link: PivotLink): Sql {
  return pointsBack(link, 'p', slot(ownPart, 0, parentEncode(link)), 'list')
}

function chosen(link: PivotLink, visible: Described, side: Side): Sql {
  const related = sql.id('p', link.relation.pivot.relatedKey)
  const named = sql`${related} in (select k.value from ${idTable(link)})`
  const seen = isVisible(link, visible, related)
  if (side === 'both') return sql`${ofParent(link)} and (${named} or ${seen})`
  return side === 'named'
    ? sql`${ofParent(link)} and ${named}`
    : sql`${ofParent(link)} and not (${named}) and ${seen}`
}

function isVisible(link: PivotLink, { node }: Described, relatedId: Sql): Sql {
  if (node.op === 'true' || node.op === 'false') return sql.raw(node.op)
  const target = tableAs({ table: targetOf(link).table, alias: 't0' })
  const visible = conditionSql(link.source.dialect, node, filterPart, 't0')
  return sql`exists (select 1 from ${target} where ${sql.id('t0', 'id')} = ${relatedId}
    and ${visible})`
}

/** The ids of the request as the table `k`. */
function idTable(link: PivotLink): Sql {
  const { dialect } = link.source
  const { id } = targetOf(link)
  const list = slot(ownPart, 1, encodeList(id.encode, dialect))
  if (dialect === 'sqlite') return sql`json_each(${list}) as k`
  return sql`unnest(${list}::${sql.raw(arrayTypes[id.kind])}) as k(value)`
}

/** PostgreSQL must be told what kind a selected parameter is. */
function typed({ source }: PivotLink, value: Sql, kind: ColumnKind): Sql {
  if (source.dialect === 'sqlite') return value
  return sql`cast(${value} as ${sql.raw(arrayTypes[kind].slice(0, -2))})`
}

function parentEncode(link: PivotLink): Encode {
  return pointerKind(link) === 'text' ? String : link.source.id.encode
}
