import type { Database } from '../../database/types.js'
import { raw, read, type Sql, sql, write } from '../../sql/sql.js'

/**
 * How far a replica must be before somebody reads from it: past what they wrote last. The table
 * `read_positions` has it for each user, and under '' for what everybody must find, also written by
 * those who have no token. It is in the primary, so it holds whichever server takes the next request.
 *
 * A position beyond the end of the log is of another database: of a dump that was loaded into this
 * one.
 */
export const everybody = ''

/** `user` of a request, as the table has it. */
export function readerOf(user: unknown): string {
  const id: unknown = user === null || user === undefined ? null : Reflect.get(Object(user), 'id')
  return id === null || id === undefined ? everybody : String(id)
}

/** The position that the reader must find, in bytes of the log; NULL: any. */
const positionOf = (
  reader: Sql | string,
): Sql => sql`SELECT max(position::pg_lsn) - '0/0' FROM read_positions
  WHERE reader IN (${reader}, '') AND position::pg_lsn <= pg_current_wal_insert_lsn()`

/** The position for the user `u` of a token, in its statement. */
export const positionOfUser: Sql = sql`(${positionOf(raw('CAST(u.id AS text)'))})`

export async function positionFor(database: Database, reader: string): Promise<unknown> {
  const [row] = await read(database, positionOf(reader))
  return row?.[0]
}

/**
 * After a write is committed: what it wrote ends before here. Nobody waits for this row on the
 * disk: after a crash there is no reader any more who knows what was written just before.
 */
export async function notePosition(database: Database, reader: string): Promise<void> {
  const known = sql`read_positions.position::pg_lsn`
  const isLater = sql`${known} BETWEEN excluded.position::pg_lsn AND pg_current_wal_insert_lsn()`
  await write(
    database,
    sql`WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
      INSERT INTO read_positions (reader, position)
      SELECT ${reader}, pg_current_wal_insert_lsn()::text FROM quick
      ON CONFLICT (reader) DO UPDATE SET position =
        CASE WHEN ${isLater} THEN read_positions.position ELSE excluded.position END`,
  )
}
