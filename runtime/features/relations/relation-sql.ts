import type { Encode, StoredKind } from '../../kinds/kind.js'
import { storedKind } from '../../kinds/kinds.js'
import { type Column, columnOf, type StorageKind } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Entity } from '../../model/entity.js'
import { identifier, literal, raw, type Sql, sql, table } from '../../sql/sql.js'
import { type Link, targetOf, type ThroughPivot } from './entries.js'

/** A many-to-many relation. */
export interface PivotLink extends Link {
  readonly relation: ThroughPivot
}

export function isPivotLink(link: Link): link is PivotLink {
  return 'pivot' in link.relation
}

/** The related table `target` beside the table `source`: what to select from, and the join. */
export function joinTo(
  link: Link,
  source: string,
  target: string,
  pivot: string,
): { readonly tables: Sql; readonly on: Sql } {
  const {
    relation,
    source: { id: sourceId },
  } = link
  const { table: named, id: theirs } = targetOf(link)
  const related = table(named, target)
  if (relation.kind === 'belongsTo') {
    const on = relation.on?.(source, target)
    const { name } = columnNamed(link.source, relation.foreignKey)
    const byId = sql`${identifier(target, theirs.name)} = ${identifier(source, name)}`
    return { tables: related, on: on ?? byId }
  }
  if (!isPivotLink(link))
    return { tables: related, on: pointsAt(link, target, identifier(source, sourceId.name)) }
  const { relatedKey } = link.relation.pivot
  return {
    tables: sql`${pivotTable(link, pivot)} join ${related} on ${identifier(target, theirs.name)} = ${identifier(pivot, relatedKey)}`,
    on: pointsAt(link, pivot, identifier(source, sourceId.name)),
  }
}

/** A join that does not look at the source: its `key` is `among` those of `tables`. */
export interface Keys {
  readonly key: Sql
  readonly among: Sql
  readonly tables: Sql
  readonly where: Sql
}

/**
 * The same as keys, `key in (select among from tables where …)`. Null: they are of two kinds, or of
 * several repositories.
 */
export function keysTo(link: Link, source: string, target: string, pivot: string): Keys | null {
  const { relation } = link
  const { tables } = joinTo(link, source, target, pivot)
  if (relation.kind === 'belongsTo') {
    if (relation.on !== undefined) return null
    const key = identifier(source, columnNamed(link.source, relation.foreignKey).name)
    const among = identifier(target, targetOf(link).id.name)
    return { key, among, tables, where: sql`${among} is not null` }
  }
  if (pointerKind(link) !== link.source.id.storage) return null
  const alias = isPivotLink(link) ? pivot : target
  const among = identifier(alias, pointer(link).foreignKey)
  const where = sql`${among} is not null${ofMorphType(link, alias)}`
  return { key: identifier(source, link.source.id.name), among, tables, where }
}

export const pivotTable = ({ relation }: PivotLink, alias: string): Sql =>
  table(relation.pivot.table, alias)

/**
 * The rows of `alias` (the related table, or the pivot table) that point at the record whose id is
 * in the column `id`. A text column that points at integer ids (a morph over both kinds) needs the
 * id as text.
 */
function pointsAt(link: Link, alias: string, id: Sql): Sql {
  const asText = pointerKind(link) !== link.source.id.storage
  return pointsAtValue(link, alias, asText ? sql`cast(${id} as text)` : id)
}

/** Points at a value that `pointerEncode` made. */
export function pointsAtValue(link: Link, alias: string, value: Sql): Sql {
  return sql`${identifier(alias, pointer(link).foreignKey)} = ${value}${ofMorphType(link, alias)}`
}

/**
 * The same for a value of a list, as a range, and what orders by it first. With `=`, the column
 * would be constant to a planner, and an index on the key alone would look as good as the one that
 * begins with this column: it then reads the whole table for a record that nothing points at.
 */
export function pointsInOrder(
  link: Link,
  alias: string,
  value: Sql,
): { readonly where: Sql; readonly order: Sql } {
  const column = identifier(alias, pointer(link).foreignKey)
  const range = sql`${column} >= ${value} and ${column} <= ${value}`
  return { where: sql`${range}${ofMorphType(link, alias)}`, order: sql`${column} desc` }
}

function ofMorphType(link: Link, alias: string): Sql {
  const { morphType } = pointer(link)
  if (morphType === null) return raw('')
  return sql` and ${identifier(alias, morphType)} = ${literal(link.source.key)}`
}

/** Returns the storage of the column that points back: ids are sent as that. */
export function pointerKind(link: Link): StoredKind {
  const { relation, source } = link
  if ('pivot' in relation) {
    const { foreignKind } = relation.pivot
    return foreignKind === undefined ? source.id.storage : storedKind(foreignKind)
  }
  const target = targetOf(link)
  return relation.kind === 'belongsTo'
    ? target.id.storage
    : columnNamed(target, relation.foreignKey).storage
}

/** Ids of the source as the column that points back holds them. */
export const pointerEncode = (link: Link): Encode =>
  pointerKind(link) === link.source.id.storage ? link.source.id.encode : String

/** A column of the pivot table as conditions name it: its fields, and the keys it joins with. */
export function pivotColumn(link: Link, name: string): Column | undefined {
  const { source } = link
  const field = link.pivot.get(name)
  if (field !== undefined || !isPivotLink(link)) return field
  const { foreignKey, relatedKey, morphType } = link.relation.pivot
  if (name === foreignKey) return keyColumn(name, pointerKind(link), source)
  if (name === relatedKey) return keyColumn(name, targetOf(link).id.storage, source)
  return name === morphType ? columnOf(name, 'text', source.database) : undefined
}

// Keys have no digits to say.
const keyColumn = (name: string, { name: kind }: StoredKind, { database }: Entity): Column =>
  columnOf(name, kind as StorageKind, database)

function pointer(link: Link): { foreignKey: string; morphType: string | null } {
  const { relation } = link
  if ('pivot' in relation) {
    const { foreignKey, morphType = null } = relation.pivot
    return { foreignKey, morphType }
  }
  const { foreignKey, morphType } = { morphType: null, ...relation }
  const owner = relation.kind === 'belongsTo' ? link.source : targetOf(link)
  return { foreignKey: columnNamed(owner, foreignKey).name, morphType }
}
