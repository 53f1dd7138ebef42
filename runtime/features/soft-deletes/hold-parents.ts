import type { Connection } from '../../database/types.js'
import { invalid, notFound } from '../../errors.js'
import { sentence, worded } from '../../input/messages.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Change, Entity, Held, Row, Within } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import { holdRecords } from '../../operations/held-row.js'
import { notThere } from '../../operations/refused-by-database.js'
import { identifier, join, read, sql } from '../../sql/sql.js'
import { type Taking, takingOf } from './taking.js'

/**
 * A record that is made, moved or brought back below one that takes it along. The other may have
 * gone into the trash since it was looked at, and then this one would be left behind, to go for good
 * with it: so it is held first. What goes waits for those that hold it (`holdForTrash`), and takes
 * along what they wrote.
 */
export function holdParents(access: Access, { operation, id, values }: Change): Within | null {
  const taking = takingOf(access.entity)
  if (taking.length === 0) return null
  if (operation === 'restore' && id !== null) return holdingThoseOf(access, taking, id)
  if (operation !== 'store' && operation !== 'update') return null
  const holds = heldOf(access, taking, values)
  return holds.length === 0 ? null : { holds, write: async () => {} }
}

/** What its row points at: nobody changes that while it is in the trash. */
const holdingThoseOf = (
  access: Access,
  taking: readonly Taking[],
  id: number | string,
): Within => ({
  begin: async (connection) => {
    const { entity } = access
    const fields = [...new Set(taking.flatMap(({ column, type }) => [column, type ?? column]))]
    const names = fields.map((field) => identifier(columnNamed(entity, field).name))
    const is = sql`${identifier(entity.id.name)} = ${entity.id.encode(id)}`
    const query = sql`select ${join(names)} from ${identifier(entity.table)} where ${is}`
    const [row = []] = await read(connection, query)
    const values = Object.fromEntries(fields.map((field, at) => [field, row[at]]))
    const [gone] = await holdRecords(heldOf(access, taking, values), connection)
    if (gone !== undefined) throw gone.missing()
  },
  write: async () => {},
})

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
