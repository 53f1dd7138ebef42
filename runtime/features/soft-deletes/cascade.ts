import { type Connection, ConstraintError } from '../../database/types.js'
import { invalid } from '../../errors.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Entity } from '../../model/entity.js'
import { taken } from '../../operations/refused-by-database.js'
import { assignmentsOf, recordWithSteps } from '../../operations/write/steps.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { identifier, join, literal, raw, read, type Sql, sql, table, write } from '../../sql/sql.js'
import { type Link, linkOf, targetOf } from '../relations/entries.js'
import { pointerKind } from '../relations/relation-sql.js'
import { type Taking, takingOf } from './taking.js'
import { trashOf } from './trash-of.js'

/** The records that go into the trash with a record, and come back with it. */
interface Along {
  readonly connection: Connection
  /**
   * Since when: what was in the trash before has another instant. Never by way of a Date, which
   * would lose what PostgreSQL knows beyond milliseconds, and how a text of SQLite was written.
   */
  readonly instant: Sql
  readonly does: 'stamp' | 'restore'
  /** Some of what came back so far may have stayed: something else that took it along is in the trash. */
  readonly mayStay?: boolean
}

/** Ids, as a column of their kind holds them, or as one of text does. */
type Ids = (asText: boolean) => Sql

/** After a record was stamped: one statement for each relation, however many records. */
export async function takeAlong(
  connection: Connection,
  entity: Entity,
  id: number | string,
): Promise<void> {
  const instant = sql`(select ${stampOf(entity)} from ${only(entity, id)})`
  await below({ connection, instant, does: 'stamp' }, entity, theOne(entity, id))
}

/** Since when a record is in the trash, as text of the database; nobody changes it meanwhile. */
export async function heldStamp(
  connection: Connection,
  entity: Entity,
  id: number | string,
): Promise<string | null> {
  const lock = raw(connection.dialect === 'postgresql' ? ' for update' : '')
  const stamp = sql`cast(${stampOf(entity)} as text)`
  const [row] = await read(connection, sql`select ${stamp} from ${only(entity, id)}${lock}`)
  return typeof row?.[0] === 'string' ? row[0] : null
}

/**
 * What went at this instant comes back. What another record that is in the trash takes along stays,
 * as if it had gone with that one: then it comes back with it.
 */
export async function bringBack(
  connection: Connection,
  entity: Entity,
  id: number | string,
  stamp: string | null,
): Promise<void> {
  const along: Along = { connection, instant: sql`${stamp}`, does: 'restore' }
  await below(along, entity, theOne(entity, id))
}

const stampOf = (entity: Entity) => identifier(columnNamed(entity, trashOf(entity).absence).name)

const only = ({ id: key, table: name }: Entity, id: number | string): Sql =>
  sql`${identifier(name)} where ${identifier(key.name)} = ${key.encode(id)}`

const theOne =
  ({ id: key }: Entity, id: number | string): Ids =>
  (asText) =>
    asText ? sql`${String(id)}` : sql`${key.encode(id)}`

async function below(along: Along, entity: Entity, ids: Ids): Promise<void> {
  for (const key of trashOf(entity).cascade) {
    const link = linkOf(entity, key)
    if (link === undefined) throw new TypeError(`${entity.key} has no '${key}' to take along`)
    await children(along, link, ids)
  }
}

async function children(along: Along, link: Link, ids: Ids): Promise<void> {
  const { connection, instant, does } = along
  const child = targetOf(link)
  const absence = stampOf(child)
  const own = pointing(link, child, ids)
  const stamped = sql`${own} and ${absence} = ${instant}`
  const theirs = idsOf(child, stamped)
  const others = does === 'restore' ? othersThanOf(link, child) : []
  const mayStay = along.mayStay === true || others.length > 0
  const isBack = does === 'restore' && !mayStay
  // Their instant is what they are known by: it is there after the one, and gone after the other.
  if (isBack) await below(along, child, theirs)
  for (const each of others) await hold(connection, child, each, stamped)
  const then = does === 'stamp' ? instant : isBack ? raw('null') : sinceWhenParents(child)
  const set = sql`${absence} = ${then}`
  const operation = does === 'stamp' ? 'delete' : 'restore'
  const one = { id: null, write: { operation, idText: null, body: {} } } as const
  const more = assignmentsOf(recordWithSteps(accessTo(newRequest(null), child), one), {})
  const where = does === 'stamp' ? sql`${own} and ${absence} is null` : stamped
  if (does === 'stamp' && trashOf(child).cascade.length > 0) {
    await lockRows(connection, child, where)
  }
  const query = sql`update ${identifier(child.table)} set ${join([set, ...more])} where ${where}`
  await write(connection, query).catch((error: unknown) => {
    const isTaken = error instanceof ConstraintError && error.kind === 'unique'
    throw isTaken ? invalid(new Map([[link.key, [`One of the ${link.key} ${taken}.`]]])) : error
  })
  if (does === 'stamp') await below(along, child, theirs)
  // Whether they stay, those below them ask of them as they are now.
  if (does === 'restore' && mayStay) await below({ ...along, mayStay }, child, idsOf(child, own))
}

const idsOf = (child: Entity, which: Sql): Ids => {
  const key = identifier(child.id.name)
  return (asText) => {
    const shown = asText ? sql`cast(${key} as text)` : key
    return sql`select ${shown} from ${identifier(child.table)} where ${which}`
  }
}

/** Lists the other relations that put the child into the trash. */
function othersThanOf(link: Link, child: Entity): readonly Taking[] {
  const { foreignKey, morphType } = ownRelation(link)
  return takingOf(child).filter(
    ({ parent, column, type }) =>
      parent !== link.source || column !== foreignKey || type !== morphType,
  )
}

/** Nobody puts them into the trash meanwhile. On SQLite nobody does anyway. */
async function hold(connection: Connection, child: Entity, by: Taking, which: Sql): Promise<void> {
  if (connection.dialect !== 'postgresql') return
  const { parent } = by
  const key = identifier('p', parent.id.name)
  const held = sql`select ${pointerTo(child, by)} from ${identifier(child.table)} where ${which}`
  const query = sql`select 1 from ${table(parent.table, 'p')} where ${key} in (${held})
    order by ${key} for key share`
  await read(connection, query)
}

/**
 * Nobody makes or restores a record below these rows until the transaction ends. The UPDATE alone
 * does not conflict with the `for key share` of those who do. On SQLite nobody else writes.
 */
async function lockRows(connection: Connection, entity: Entity, condition: Sql): Promise<void> {
  if (connection.dialect !== 'postgresql') return
  const key = identifier(entity.id.name)
  const query = sql`select 1 from ${identifier(entity.table)} where ${condition}
    order by ${key} for update`
  await read(connection, query)
}

/** Since when one of those that take each row along is in the trash; NULL: none is. */
function sinceWhenParents(child: Entity): Sql {
  const all = takingOf(child).map((by) => {
    const { parent } = by
    const stamp = identifier('p', columnNamed(parent, trashOf(parent).absence).name)
    const is = sql`${identifier('p', parent.id.name)} = ${pointerTo(child, by)}`
    return sql`(select ${stamp} from ${table(parent.table, 'p')} where ${is})`
  })
  return all.length === 1 ? join(all) : sql`coalesce(${join(all)})`
}

/** The id of the one that takes a row along; NULL: another one does. */
function pointerTo(child: Entity, { parent, column, type, isText }: Taking): Sql {
  const pointer = columnOf(child, column)
  if (type === null) return pointer
  const isCast = isText && child.dialect === 'postgresql'
  const id = isCast ? sql`cast(${pointer} as ${raw(parent.id.storage.type)})` : pointer
  return sql`case when ${columnOf(child, type)} = ${literal(parent.key)} then ${id} end`
}

const columnOf = (child: Entity, field: string) =>
  identifier(child.table, columnNamed(child, field).name)

/** The records of a relation that point at these. */
function pointing(link: Link, child: Entity, ids: Ids): Sql {
  const { source } = link
  const { foreignKey, morphType } = ownRelation(link)
  const column = identifier(columnNamed(child, foreignKey).name)
  const type =
    morphType === null
      ? raw('')
      : sql` and ${identifier(columnNamed(child, morphType).name)} = ${literal(source.key)}`
  return sql`${column} in (${ids(pointerKind(link) !== source.id.storage)})${type}`
}

/** By which its records point at those that take them along. */
function ownRelation({ relation, source, key }: Link) {
  if ('pivot' in relation || relation.kind === 'belongsTo') {
    throw new TypeError(`'${key}' of ${source.key} are not its own to take along`)
  }
  return relation
}
