import type { Connection } from '../../../database/types.js'
import { notFound } from '../../../errors.js'
import type { Held, Row } from '../../../model/entity.js'
import { getOwn } from '../../../model/get-own.js'
import { holdOthers } from '../parts.js'
import type { ReadyRecord, WritePlan } from '../plan.js'

/**
 * Transactions that are done again after a deadlock. Rows point at others, which the database locks
 * after them, and who deletes those locks them before: it is seldom, and nothing is read for it the
 * first time. The second time they are locked first.
 */
const repeated = new WeakSet<Connection>()

/** Says that the transaction is done again. */
export const repeats = (connection: Connection): void => void repeated.add(connection)

/** Holds what the records rely on; of a transaction that is done again also what they point at. */
export const holdOthersOfMany = (
  plan: WritePlan,
  records: readonly ReadyRecord[],
  connection: Connection,
  before: ReadonlyMap<unknown, Row> | null,
): Promise<void> => {
  const above = repeated.has(connection) ? aboveOf(plan, records, before) : []
  return holdOthers(plan, records, connection, above)
}

/** Records that these point at, or did. */
function aboveOf(
  { access: { entity } }: WritePlan,
  records: readonly ReadyRecord[],
  before: ReadonlyMap<unknown, Row> | null,
): readonly Held[] {
  return [...(entity.relations?.targets ?? [])].flatMap(([column, target]) => {
    if (target === null) return []
    const found = records.flatMap(({ id, values }) => [
      getOwn(values, column) ?? null,
      getOwn(before?.get(id) ?? {}, column) ?? null,
    ])
    const ids = [...new Set(found)].filter((id) => id !== null) as (number | string)[] // keys
    return ids.map((id) => ({ entity: target().definition, id, missing: notFound }))
  })
}
