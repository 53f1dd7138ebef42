import { type Connection, ConstraintError } from '../../database/types.js'
import { invalid } from '../../errors.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Entity } from '../../model/entity.js'
import { taken } from '../../operations/refused-by-database.js'
import { identifier, join, literal, raw, read, type Sql, sql, write } from '../../sql/sql.js'
import { type Link, linkOf, targetOf } from '../relations/entries.js'
import { pointerKind } from '../relations/relation-sql.js'

/** What a record takes along into the trash, and what comes back with it. */
interface Along {
  readonly connection: Connection
  /**
   * Since when: what was in the trash before has another instant. Never by way of a Date, which
   * would lose what PostgreSQL knows beyond milliseconds, and how a text of SQLite was written.
   */
  readonly instant: Sql
  readonly does: 'stamp' | 'restore'
}

/** What the kernel knows of a repository that keeps a trash. */
export interface Trash {
  /** The column by which records are in it. */
  readonly absence: string
  /** Relations whose records go along. */
  readonly cascade: readonly string[]
  /** After that many days `prune` deletes what is in it for good. */
  readonly keepDays?: number | undefined
}

export function trashOf(entity: Entity): Trash {
  const found = findTrash(entity)
  if (found === null) throw new TypeError(`${entity.key} keeps nothing in a trash`)
  return found
}

/** Null: what is deleted there is gone. */
export const findTrash = ({ extensions }: Entity): Trash | null =>
  (extensions.find((each) => 'absence' in each) as Trash | undefined) ?? null

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

/** What went at this instant comes back. */
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
  const key = identifier(child.id.name)
  const theirs: Ids = (asText) => {
    const shown = asText ? sql`cast(${key} as text)` : key
    return sql`select ${shown} from ${identifier(child.table)} where ${stamped}`
  }
  // Their instant is what they are known by: it is there after the one, and gone after the other.
  if (does === 'restore') await below(along, child, theirs)
  const set = does === 'stamp' ? sql`${absence} = ${instant}` : sql`${absence} = null`
  const more = child.extensions.flatMap((each) => each.assignments?.([], [], child) ?? [])
  const where = does === 'stamp' ? sql`${own} and ${absence} is null` : stamped
  const query = sql`update ${identifier(child.table)} set ${join([set, ...more])} where ${where}`
  await write(connection, query).catch((error: unknown) => {
    const isTaken = error instanceof ConstraintError && error.kind === 'unique'
    throw isTaken ? invalid(new Map([[link.key, [`One of the ${link.key} ${taken}.`]]])) : error
  })
  if (does === 'stamp') await below(along, child, theirs)
}

/** The records of a relation that point at these. */
function pointing(link: Link, child: Entity, ids: Ids): Sql {
  const { relation, source } = link
  if ('pivot' in relation || relation.kind === 'belongsTo') {
    throw new TypeError(`'${link.key}' of ${source.key} are not its own to take along`)
  }
  const { foreignKey, morphType } = relation
  const column = identifier(columnNamed(child, foreignKey).name)
  const type =
    morphType === null
      ? raw('')
      : sql` and ${identifier(columnNamed(child, morphType).name)} = ${literal(source.key)}`
  return sql`${column} in (${ids(pointerKind(link) !== source.id.storage)})${type}`
}
