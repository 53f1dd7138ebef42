import type { Entity } from '../model/entity.js'
import { readId } from '../model/ids.js'
import { identifier, literal, raw, sql, write } from '../sql/sql.js'

/**
 * The keys that the next records get, each later than the one before, taken before they are written:
 * others get later ones. A record that is not written after all leaves a gap, as a rolled back INSERT
 * does.
 */
export async function reserveKeys(
  entity: Entity,
  count: number,
): Promise<readonly (number | string)[]> {
  const { database, dialect } = entity
  const named = literal(entity.table)
  const many = raw(String(count))
  if (dialect === 'postgresql') {
    const sequence = sql`pg_get_serial_sequence(quote_ident(${named}), ${entity.id.name})`
    const next = sql`select nextval(${sequence})::text from generate_series(1, ${many})`
    return (await write(database, next)).map(([key]) => keyOf(entity, key))
  }
  const last = await database.transaction(async (connection) => {
    const next = sql`update sqlite_sequence set seq = seq + ${many} where name = ${named} returning cast(seq as text)`
    // The sequence does not exist before the first record was written.
    const first = sql`insert into sqlite_sequence (name, seq)
      select ${named}, coalesce(max(${identifier(entity.id.name)}), 0) + ${many} from ${identifier(entity.table)} returning cast(seq as text)`
    const [row] = await write(connection, next)
    return (row ?? (await write(connection, first))[0])?.[0]
  })
  const before = BigInt(String(last)) - BigInt(count)
  return Array.from({ length: count }, (_, at) => keyOf(entity, before + BigInt(at + 1)))
}

/** As rows hold it: all digits of the number. */
function keyOf({ key, id }: Entity, value: unknown): number | string {
  const found = readId(id, String(value))
  if (found === null) throw new Error(`the next key of '${key}' is none: ${String(value)}`)
  return found
}
