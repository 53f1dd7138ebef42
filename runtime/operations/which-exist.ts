import type { Caller } from '../database/caller.js'
import type { Entity } from '../model/entity.js'
import { answersTest } from '../policy/condition-sql.js'
import { where } from '../policy/predicate.js'
import { join, read, sql, table } from '../sql/sql.js'

/** Checks whether records exist that the conditions admit: one statement, one answer for each. */
export async function whichExist(
  connection: Parameters<typeof read>[0],
  asked: readonly (readonly [Entity, readonly unknown[]])[],
  caller?: Caller,
): Promise<readonly boolean[]> {
  if (asked.length === 0) return []
  const tests = asked.map(([entity, conditions]) => {
    const filter = where(answersTest(entity, conditions), { entity })
    return sql`exists (select 1 from ${table(entity.table, 't0')}${filter})`
  })
  const [answers = []] = await read(connection, sql`select ${join(tests)}`, caller)
  return asked.map((_, at) => answers[at] === true || answers[at] === 1)
}
