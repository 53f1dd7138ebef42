import type { Connection } from '../../database/types.js'
import { identifier, raw, read, type Sql, sql, write } from '../../sql/sql.js'

/** Rows that were inserted, changed or deleted, by table; null: this database does not count them. */
export type Affected = Readonly<Record<string, number>> | null

/**
 * Counts what a transaction does from here on, whoever does it: the server, hooks, triggers, and the
 * database itself where one row takes others along. To be asked once, which ends it; so does the end
 * of the transaction.
 */
export async function countAffected(
  connection: Connection,
  tables: readonly string[],
): Promise<() => Promise<Affected>> {
  const count = connection.dialect === 'sqlite' ? countedByTriggers : countedByDatabase
  return count(connection, tables)
}

/** Counts of each table; null: nobody counts. */
type Counts = ReadonlyMap<string, number> | null

const ended = { insert: 'INSERT', update: 'UPDATE', delete: 'DELETE' } as const

/** SQLite counts all tables together, so each gets triggers, of this connection and transaction. */
async function countedByTriggers(connection: Connection, tables: readonly string[]) {
  const send = (query: Sql) => write(connection, query)
  await send(sql`CREATE TEMP TABLE svc_affected (at INTEGER PRIMARY KEY, written INTEGER NOT NULL)`)
  for (const [at, table] of tables.entries()) {
    const number = raw(String(at))
    await send(sql`INSERT INTO temp.svc_affected VALUES (${number}, 0)`)
    for (const [name, operation] of Object.entries(ended)) {
      const trigger = identifier(`svc_affected_${at}_${name}`)
      await send(sql`CREATE TEMP TRIGGER ${trigger} AFTER ${raw(operation)} ON main.${identifier(table)}
        BEGIN UPDATE svc_affected SET written = written + 1 WHERE at = ${number}; END`)
    }
  }
  return async () => {
    const rows = await read(connection, sql`SELECT at, written FROM temp.svc_affected ORDER BY at`)
    await stopTriggers(connection, tables)
    return countsOf(rows.map(([at, written]) => [tables[Number(at)] ?? '', Number(written)]))
  }
}

/** Drops the triggers: those of a committed transaction would be there for the next one. */
async function stopTriggers(connection: Connection, tables: readonly string[]): Promise<void> {
  for (const at of tables.keys()) {
    for (const name of Object.keys(ended)) {
      await write(connection, sql`DROP TRIGGER temp.${identifier(`svc_affected_${at}_${name}`)}`)
    }
  }
  await write(connection, sql`DROP TABLE temp.svc_affected`)
}

/**
 * PostgreSQL counts for each table what a transaction has done so far, and for a moment what the ones
 * before it on the same connection did: the difference is what this one does. It counts what was
 * undone in parts as well, which is no more done.
 */
async function countedByDatabase(connection: Connection, tables: readonly string[]) {
  const undone = new Map<string, number>()
  const now = async (): Promise<Counts> => {
    const rows = await read(
      connection,
      sql`SELECT relname, n_tup_ins + n_tup_upd + n_tup_del, current_setting('track_counts')
        FROM pg_stat_xact_user_tables WHERE schemaname = current_schema()`,
    )
    const isCounting = rows.every(([, , setting]) => setting === 'on')
    const counts = new Map(rows.map(([table, written]) => [String(table), Number(written)]))
    return isCounting ? counts : null
  }
  const before = await now()
  if (before === null) return async () => null
  const since = (begin: Counts, end: Counts) =>
    tables.map((table) => [table, (end?.get(table) ?? 0) - (begin?.get(table) ?? 0)] as const)
  connection.onPart = async () => {
    const begin = await now()
    const alreadyUndone = new Map(undone)
    return async () => {
      // Parts of this one that were undone are counted with it.
      for (const [table, written] of since(begin, await now())) {
        undone.set(table, (alreadyUndone.get(table) ?? 0) + written)
      }
    }
  }
  return async () => {
    const after = await now()
    if (after === null) return null
    return countsOf(
      since(before, after).map(([table, written]) => [table, written - (undone.get(table) ?? 0)]),
    )
  }
}

/** Keeps the counts of tables in which something was done. */
const countsOf = (counts: readonly (readonly [string, number])[]): Affected =>
  Object.fromEntries(counts.filter(([, written]) => written > 0))
