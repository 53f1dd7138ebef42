import { type RawBuilder, sql } from 'kysely'
import { type Column, columnOf } from '../../model/columns.js'
import { columnNamed, type Link, targetOf } from '../../model/entity.js'

type Sql = RawBuilder<unknown>

interface Table {
  readonly table: string
  readonly alias: string
}

/** `"posts" as "t1"` */
export function tableAs({ table, alias }: Table): Sql {
  return sql`${sql.table(table)} as ${sql.id(alias)}`
}

/**
 * The related table beside the one called `source`: what to select from, and what joins the two.
 */
export function linked(
  link: Link,
  source: string,
  target: Table,
  pivot: string,
): { readonly tables: Sql; readonly on: Sql } {
  const { relation } = link
  if (relation.kind === 'belongsTo') {
    const on = sql`${sql.id(target.alias, 'id')} = ${sql.id(source, relation.foreignKey)}`
    return { tables: tableAs(target), on }
  }
  if (!('pivot' in relation)) {
    const on = pointsBack(link, target.alias, sql.id(source, 'id'), 'column')
    return { tables: tableAs(target), on }
  }
  const between = tableAs({ table: relation.pivot.table, alias: pivot })
  const related = sql`${sql.id(target.alias, 'id')} = ${sql.id(pivot, relation.pivot.relatedKey)}`
  return {
    tables: sql`${between} join ${tableAs(target)} on ${related}`,
    on: pointsBack(link, pivot, sql.id(source, 'id'), 'column'),
  }
}

/**
 * The rows of `alias` (the related table, or the one between) that point at the record whose id is
 * `id`. A text column that points at integer ids (a morph over both kinds) needs the id as text; a
 * list is sent as text already.
 */
export function pointsBack(link: Link, alias: string, id: Sql, from: 'column' | 'list'): Sql {
  const { foreignKey, morphType } = pointer(link)
  const asText = from === 'column' && pointerKind(link) === 'text' && link.source.id.kind !== 'text'
  const value = asText ? sql`cast(${id} as text)` : id
  const same = sql`${sql.id(alias, foreignKey)} = ${value}`
  if (morphType === null) return same
  return sql`${same} and ${sql.id(alias, morphType)} = ${sql.lit(link.source.key)}`
}

/**
 * The same for `id` of a list, as a range, and what orders by it first. With `=`, the column would
 * be constant to a planner, and an index on the key alone would look as good as the one that begins
 * with this column: it then reads the whole table for a record that nothing points at.
 */
export function pointsBackInOrder(
  link: Link,
  alias: string,
  id: Sql,
): { readonly where: Sql; readonly order: Sql } {
  const { foreignKey, morphType } = pointer(link)
  const column = sql.id(alias, foreignKey)
  const range = sql`${column} >= ${id} and ${column} <= ${id}`
  const where =
    morphType === null
      ? range
      : sql`${range} and ${sql.id(alias, morphType)} = ${sql.lit(link.source.key)}`
  return { where, order: sql`${column} desc` }
}

/** How the column that points back is stored: the list of ids is sent as that. */
export function pointerKind(link: Link): 'integer' | 'uuid' | 'text' {
  const { relation, source } = link
  if ('pivot' in relation) return relation.pivot.foreignKind ?? idKind(source.id.kind)
  if (relation.kind === 'belongsTo') return idKind(targetOf(link).id.kind)
  return idKind(columnNamed(targetOf(link), relation.foreignKey).kind)
}

/** A column of the table between as conditions name it: its fields, and the keys it joins with. */
export function pivotColumn(link: Link, name: string): Column | undefined {
  const { relation, source } = link
  const field = link.pivot.get(name)
  if (field !== undefined || !('pivot' in relation)) return field
  const { foreignKey, relatedKey, morphType } = relation.pivot
  if (name === foreignKey) return columnOf(name, pointerKind(link), source.database)
  if (name === relatedKey) return columnOf(name, idKind(targetOf(link).id.kind), source.database)
  return name === morphType ? columnOf(name, 'text', source.database) : undefined
}

function idKind(kind: string): 'integer' | 'uuid' | 'text' {
  return kind === 'integer' || kind === 'uuid' ? kind : 'text'
}

function pointer({ relation }: Link): { foreignKey: string; morphType: string | null } {
  if (!('pivot' in relation)) {
    return { foreignKey: relation.foreignKey, morphType: morphTypeOf(relation) }
  }
  return { foreignKey: relation.pivot.foreignKey, morphType: relation.pivot.morphType ?? null }
}

function morphTypeOf(relation: Exclude<Link['relation'], { pivot: unknown }>): string | null {
  return relation.kind === 'belongsTo' ? null : relation.morphType
}
