import type { Connection } from '../database/types.js'
import type { Entity, Held, Row } from '../model/entity.js'
import { existing } from '../policy/access.js'
import { answersTest, answerTest } from '../policy/condition-sql.js'
import { where } from '../policy/predicate.js'
import { identifier, raw, read, sql, table } from '../sql/sql.js'
import { allColumns, rowReader } from './row-reader.js'

/** A row before the statement of a transaction, which nobody else changes until that is sent. */
export async function heldRow(
  entity: Entity,
  id: unknown,
  connection: Connection,
): Promise<Row | null> {
  const reader = rowReader(entity, allColumns(entity))
  const lock = raw(connection.dialect === 'postgresql' ? ' for no key update of t0' : '')
  const only = where(answerTest(entity, { id }), { entity })
  const query = sql`select ${reader.select('t0')} from ${table(entity.table, 't0')}${only}${lock}`
  const [found] = await read(connection, query)
  return found === undefined ? null : reader.object(reader.decode(found))
}

/**
 * Holds records until the transaction ends, one statement for each table: those in the order of
 * their names, and rows in that of their keys, as all do who lock many. Gives those that are not
 * there.
 */
export async function holdRecords(
  all: readonly Held[],
  connection: Connection,
): Promise<readonly Held[]> {
  const byTable = new Map<string, Held[]>()
  for (const held of all) {
    const some = byTable.get(held.entity.table) ?? []
    some.push(held)
    byTable.set(held.entity.table, some)
  }
  const there = new Set<string>()
  const keyOf = (name: string, id: unknown) => `${name} ${String(id)}`
  const lock = raw(connection.dialect === 'postgresql' ? ' for key share of t0' : '')
  for (const [name, some] of [...byTable].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const entity = some[0]?.entity
    if (entity === undefined) continue
    const ids = { id: { in: [...new Set(some.map(({ id }) => id))] } }
    const only = where(answersTest(entity, [ids, ...existing(entity.extensions, null)]), { entity })
    const key = identifier('t0', entity.id.name)
    const query = sql`select ${key} from ${table(name, 't0')}${only} order by ${key}${lock}`
    for (const [id] of await read(connection, query)) there.add(keyOf(name, id))
  }
  return all.filter(({ entity, id }) => !there.has(keyOf(entity.table, id)))
}
