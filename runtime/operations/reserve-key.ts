import type { RawRow } from '../database/types.js'
import type { Entity } from '../model/entity.js'
import { readId } from '../model/ids.js'
import { identifier, literal, sql, write } from '../sql/sql.js'

/**
 * The key that the next record gets, taken before it is written: others get later ones. A record
 * that is not written after all leaves a gap, as a rolled back INSERT does.
 */
export async function reserveKey(entity: Entity): Promise<number | string> {
  const { database, dialect } = entity
  const named = literal(entity.table)
  if (dialect === 'postgresql') {
    const sequence = sql`pg_get_serial_sequence(quote_ident(${named}), ${entity.id.name})`
    const [row] = await write(database, sql`select nextval(${sequence})::text`)
    return keyOf(entity, row)
  }
  return database.transaction(async (connection) => {
    const next = sql`update sqlite_sequence set seq = seq + 1 where name = ${named} returning cast(seq as text)`
    // Where no record was ever written, the sequence is not there.
    const first = sql`insert into sqlite_sequence (name, seq)
      select ${named}, coalesce(max(${identifier(entity.id.name)}), 0) + 1 from ${identifier(entity.table)} returning cast(seq as text)`
    const [row] = await write(connection, next)
    return keyOf(entity, row ?? (await write(connection, first))[0])
  })
}

/** As rows hold it: all digits of the number. */
function keyOf({ key, id }: Entity, row: RawRow | undefined): number | string {
  const found = readId(id, String(row?.[0]))
  if (found === null) throw new Error(`the next key of '${key}' is none: ${String(row?.[0])}`)
  return found
}
