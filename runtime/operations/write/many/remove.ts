import type { Connection } from '../../../database/types.js'
import { isTurnLong, nextTurn } from '../../../event-loop.js'
import type { Access } from '../../../model/entity.js'
import { existing } from '../../../policy/access.js'
import { answersTest } from '../../../policy/condition-sql.js'
import { noMasks } from '../../../policy/gates.js'
import { where } from '../../../policy/predicate.js'
import { identifier, sql, table, write } from '../../../sql/sql.js'
import { refusedDelete } from '../../refused-by-database.js'
import { allColumns, type RowReader, rowReader } from '../../row-reader.js'
import { needsRow } from '../answer.js'
import { beginAll, writeParts } from '../parts.js'
import type { ReadyRecord, Sender, Sending, Target, WritePlan } from '../plan.js'
import { removalFrom } from '../steps.js'
import { ChangedMeanwhile, filterOf, holdRows } from './existing.js'
import { byId } from './refusals.js'
import { holdOthersOfMany } from './repeated.js'
import { allOf } from './transaction.js'

/** Deletes records. */
export async function removeMany(
  plan: WritePlan,
  records: readonly ReadyRecord[],
  target: Target,
): Promise<Sending> {
  const { access } = plan
  const { entity } = access
  const before = await target.rows()
  const reader = rowReader(
    entity,
    needsRow(plan, 'afterDelete', records)
      ? allColumns(entity)
      : { shown: [], masks: noMasks, needs: [], flags: null },
  )
  const hasParts = records.some(({ parts }) => parts.length > 0)

  const send = async (connection: Connection, sender: Sender) => {
    await holdOthersOfMany(plan, records, connection, before)
    // Parts lock records in the order of the request: these are locked by then.
    await holdRows(plan, 'delete', target.filter, connection)
    await beginAll(records, connection)
    // A cascade may have deleted a record before its turn.
    const removed = new Map<ReadyRecord, readonly unknown[]>()
    // A part of one record needs a statement about that record alone.
    const steps = hasParts ? records.map((record) => [record]) : [records]
    for (const step of steps) {
      if (isTurnLong()) await nextTurn()
      const remove = (some: readonly ReadyRecord[]) =>
        removeRows({ access, reader }, connection, some)
      for (const [record, found] of allOf(await sender(connection, step, remove))) {
        if (found === null) continue
        removed.set(record, found)
        await writeParts(plan, record, connection, () => reader.object(found))
      }
    }
    const left = records.filter((record) => !removed.has(record))
    await requireGone(plan, left, connection)
    return removed
  }
  return {
    records,
    hook: 'afterDelete',
    send,
    meaning: (_, error) => refusedDelete(error),
    rowOf: ({ id }) => before.get(id) ?? {},
    resources: async () => [],
  }
}

/** Sends one statement; null: the record was gone already. */
async function removeRows(
  { access, reader }: { readonly access: Access; readonly reader: RowReader },
  connection: Connection,
  records: readonly ReadyRecord[],
): Promise<ReadonlyMap<ReadyRecord, readonly unknown[] | null>> {
  const [first] = records
  if (first === undefined) return new Map()
  const filter = await filterOf(access, 'delete', records)
  const query = sql`${removalFrom(first)}${where(filter, access)} returning ${reader.select('')}`
  const found = byId(reader, await write(connection, query))
  return new Map(records.map((record) => [record, found.get(record.id) ?? null]))
}

/** Others may have changed what the policy asks of the records that are still there. */
async function requireGone(
  plan: WritePlan,
  records: readonly ReadyRecord[],
  connection: Connection,
): Promise<void> {
  if (records.length === 0) return
  const { entity } = plan.access
  const ids = { id: { in: records.map(({ id }) => id) } }
  const filter = answersTest(entity, [ids, ...existing(entity.extensions, null)])
  const id = identifier('t0', entity.id.name)
  const query = sql`select ${id} from ${table(entity.table, 't0')}${where(filter, { entity })}`
  const left = new Set((await write(connection, query)).map(([key]) => String(key)))
  const there = records.filter((record) => left.has(String(record.id)))
  if (there.length > 0) throw new ChangedMeanwhile(plan, 'delete', there)
}
