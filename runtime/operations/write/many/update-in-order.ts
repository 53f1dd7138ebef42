import type { Connection, RawRow } from '../../../database/types.js'
import type { Access } from '../../../model/entity.js'
import {
  compile,
  identifier,
  join,
  raw,
  read,
  type Sql,
  sql,
  table,
  write,
} from '../../../sql/sql.js'
import type { RowReader } from '../../row-reader.js'

/** An UPDATE of rows called `t0`, by records in a table called `v`. */
export interface Change {
  readonly set: Sql
  /** Their id is `"0"`, and what they set `"1"` and so on. */
  readonly given: Sql
  readonly width: number
  /** The WHERE. */
  readonly only: Sql
}

interface Changing extends Change {
  readonly access: Access
  readonly reader: RowReader
}

/** Returns true if a trigger can contain the assignments: it takes no parameters. */
export const isPlain = (more: readonly Sql[]): boolean =>
  more.every((each) => compile(each, 'sqlite').parameters.length === 0)

/**
 * Changes one row after the other, in the order of the records: a unique value is free by the time
 * that another row takes it. A fixed number of statements.
 */
export const updateInOrder = (
  changing: Changing,
  connection: Connection,
): Promise<readonly RawRow[]> =>
  connection.dialect === 'sqlite' ? byTrigger(changing, connection) : byLoop(changing, connection)

/** An UPDATE of SQLite goes by rowid, whatever it is given: a trigger goes by what is inserted. */
async function byTrigger(
  { access: { entity }, reader, set, given, width, only }: Changing,
  connection: Connection,
): Promise<readonly RawRow[]> {
  const at = Array.from({ length: width }, (_, place) => String(place))
  const key = identifier(entity.table, entity.id.name)
  const record = join(at.map((name) => raw(`new."${name}" AS "${name}"`)))
  const send = (query: Sql) => write(connection, query)
  await send(sql`CREATE TEMP TABLE svc_records (${join(at.map((name) => identifier(name)))})`)
  await send(sql`CREATE TEMP TRIGGER svc_each_record AFTER INSERT ON svc_records BEGIN
    UPDATE ${identifier(entity.table)} SET ${set} FROM (SELECT ${record}) AS v WHERE ${key} = v."0"; END`)
  // SQLite goes through the table before CROSS JOIN first, in its order.
  const columns = join(at.map((name) => identifier('v', name)))
  await send(sql`INSERT INTO temp.svc_records SELECT ${columns} FROM (${given}) AS v
    CROSS JOIN ${table(entity.table, 't0')}${only}`)
  const changed = await read(
    connection,
    sql`SELECT ${reader.select('t0')} FROM ${table(entity.table, 't0')}
      WHERE ${identifier('t0', entity.id.name)} IN (SELECT "0" FROM temp.svc_records)`,
  )
  await send(sql`DROP TABLE temp.svc_records`)
  return changed
}

/**
 * PostgreSQL changes rows as the plan finds them: in a loop over the records that are admitted, which
 * are sorted. A plan that begins with the table after all is refused, and sent in pieces.
 */
async function byLoop(
  { access: { entity }, reader, set, given, only }: Changing,
  connection: Connection,
): Promise<readonly RawRow[]> {
  const name = table(entity.table, 't0')
  const place = identifier('v', '#')
  const sorted = sql`select s.*, row_number() over () as "#" from (${given} order by r.key) as s`
  const admitted = sql`select v.* from (${sorted}) as v cross join ${name}${only} order by ${place}`
  await setOthers(connection, 'off')
  const changed = await write(
    connection,
    sql`with v as materialized (${admitted})
      update ${name} set ${set} from v where ${identifier('t0', entity.id.name)} = v."0"
      returning ${reader.select('')}`,
  )
  await setOthers(connection, 'on')
  return changed
}

/** Other ways to join, for this transaction. */
const setOthers = (connection: Connection, setting: 'on' | 'off') =>
  read(
    connection,
    sql`select set_config('enable_hashjoin', ${setting}, true),
      set_config('enable_mergejoin', ${setting}, true), set_config('enable_seqscan', ${setting}, true)`,
  )
