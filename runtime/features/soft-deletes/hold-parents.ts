import type { Connection } from '../../database/types.js'
import { invalid, notFound } from '../../errors.js'
import { sentence, worded } from '../../input/messages.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Entity, Held, Row, ValuedRecord, Within } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import type { Test } from '../../model/sql-test.js'
import { holdRecords } from '../../operations/held-row.js'
import { notThere } from '../../operations/refused-by-database.js'
import { where } from '../../policy/predicate.js'
import { identifier, join, read, sql, table } from '../../sql/sql.js'
import { type Taking, takingOf } from './taking.js'

/**
 * Holds the records that a new or moved record is written below and that take it along. One of them
 * may have gone into the trash since the request looked at it. Without the hold, the new record
 * would be left behind, and would be deleted for good with the other one. What goes into the trash
 * waits for those that hold it (`holdForTrash`), and takes along what they wrote.
 */
export function holdParents({ access, write, values }: ValuedRecord): Within | null {
  if (write.operation !== 'store' && write.operation !== 'update') return null
  const taking = takingOf(access.entity)
  const holds = taking.length === 0 ? [] : heldOf(access, taking, values)
  return holds.length === 0 ? null : { holds, write: async () => {} }
}

/**
 * Holds the records that a record is brought back below: it stays where one of them is in the trash.
 * The filter finds the record as the user may restore it. A record that the user may not restore is
 * not read, so the answer about it does not depend on what is above it.
 */
export function holdParentsOf(access: Access, filter: Test): Within | null {
  const { entity } = access
  const taking = takingOf(entity)
  if (taking.length === 0) return null
  const fields = [...new Set(taking.flatMap(({ column, type }) => [column, type ?? column]))]
  const names = fields.map((field) => identifier('t0', columnNamed(entity, field).name))
  const query = sql`select ${join(names)} from ${table(entity.table, 't0')}${where(filter, access)}`
  return {
    begin: async (connection) => {
      const [row] = await read(connection, query)
      if (row === undefined) return
      const values = Object.fromEntries(fields.map((field, at) => [field, row[at]]))
      const [missing] = await holdRecords(heldOf(access, taking, values), connection)
      if (missing !== undefined) throw missing.missing()
    },
    write: async () => {},
  }
}

/** Nobody makes a record below this one until the transaction ends. On SQLite nobody does anyway. */
export async function holdForTrash(
  { id: key, table: name }: Entity,
  id: number | string,
  connection: Connection,
): Promise<void> {
  if (connection.dialect !== 'postgresql') return
  const is = sql`${identifier(key.name)} = ${key.encode(id)}`
  await read(connection, sql`select 1 from ${identifier(name)} where ${is} for update`)
}

const pointsAt = ({ parent, column, type }: Taking, values: Row): boolean =>
  values[column] !== undefined &&
  values[column] !== null &&
  (type === null || values[type] === parent.key)

function heldOf(access: Access, taking: readonly Taking[], values: Row): readonly Held[] {
  const isBelow = (column: string) => Object.hasOwn(access.parent?.columns ?? {}, column)
  return taking.flatMap((each): Held[] => {
    if (!pointsAt(each, values)) return []
    const { parent, column } = each
    // A column for ids of several kinds holds text.
    const id = readId(parent.id, String(values[column]))
    if (id === null) return []
    const missing = () => {
      if (isBelow(column)) return notFound()
      const text = sentence(column, worded(notThere, 'exists'), access.entity.key)
      return invalid(new Map([[column, [text]]]))
    }
    return [{ entity: parent, id, missing }]
  })
}
