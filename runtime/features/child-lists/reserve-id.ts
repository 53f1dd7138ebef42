import { sql } from 'kysely'
import type { Entity } from '../../model/entity.js'
import { noPart } from '../../policy/access.js'
import { type Prepared, prepare, run } from '../../sql/statement-cache.js'

/**
 * The key that the next record gets, taken before it is written: others get later ones. A record
 * that is not written after all leaves a gap, as a rolled back INSERT does.
 */
export async function reserveId(entity: Entity): Promise<number> {
  const { database, dialect, plans } = entity
  const plan = (name: string, make: () => Prepared) => plans.get(`reserve|${name}`, make)
  if (dialect === 'postgresql') {
    const [row] = await run(
      database,
      plan('next', () => nextValue(entity)),
      [],
    )
    return Number(row?.[0])
  }
  return database.transaction(async (connection) => {
    const [next] = await run(
      connection,
      plan('next', () => nextOfSequence(entity)),
      [noPart],
    )
    const [row] =
      next === undefined
        ? await run(
            connection,
            plan('first', () => firstOfSequence(entity)),
            [],
          )
        : [next]
    return Number(row?.[0])
  })
}

function nextValue({ table }: Entity): Prepared {
  const sequence = sql`pg_get_serial_sequence(${sql.lit(`"${table}"`)}, 'id')`
  return prepare('postgresql', 'write', sql`select nextval(${sequence})`)
}

function nextOfSequence({ table }: Entity): Prepared {
  const query = sql`update sqlite_sequence set seq = seq + 1 where name = ${sql.lit(table)}
    returning seq`
  return prepare('sqlite', 'write', query)
}

/** No record was ever written. */
function firstOfSequence({ table }: Entity): Prepared {
  const query = sql`insert into sqlite_sequence (name, seq)
    select ${sql.lit(table)}, coalesce(max(id), 0) + 1 from ${sql.table(table)} returning seq`
  return prepare('sqlite', 'write', query)
}
