import type { Connection } from '../../../database/types.js'
import { conflict, HttpError, notFound } from '../../../errors.js'
import { isTurnLong, nextTurn } from '../../../event-loop.js'
import type { Access, Question, Row } from '../../../model/entity.js'
import type { Test } from '../../../model/sql-test.js'
import { ask, visibleRows } from '../../../policy/access.js'
import { answersTest } from '../../../policy/condition-sql.js'
import { noMasks } from '../../../policy/gates.js'
import { asSql, where } from '../../../policy/predicate.js'
import { identifier, raw, read, sql, table, write } from '../../../sql/sql.js'
import { readRows } from '../../read.js'
import { allColumns, rowReader } from '../../row-reader.js'
import { placed, together } from '../places.js'
import type { PlannedRecord, Target, WritePlan } from '../plan.js'
import { refusalOf } from '../steps.js'
import { byId, naming, refused } from './refusals.js'

type Operation = Question

/** Records that are there, read before anything is written. */
export async function targetOfMany(plan: WritePlan, operation: Operation): Promise<Target> {
  const filter = await filterOf(plan.access, operation, plan.records)
  const rows = await rowsToWrite(plan, operation, filter)
  return { filter, rows: async () => rows }
}

/** Returns the filter of records that the user sees and the policy admits; null: of all records. */
export async function filterOf(
  access: Access,
  operation: Operation,
  records: readonly PlannedRecord[] | null,
): Promise<Test> {
  const named = records === null ? [] : [{ id: { in: records.flatMap(({ id }) => id ?? []) } }]
  const allowed = await ask(access, operation)
  return answersTest(access.entity, [...named, await visibleRows(access), allowed])
}

/**
 * The rows to write, by their ids. 404 names those that the user does not see, 401 or 403 those that
 * the policy refuses, and features say what they have against others.
 */
async function rowsToWrite(
  plan: WritePlan,
  operation: Operation,
  filter: Test,
): Promise<ReadonlyMap<unknown, Row>> {
  const { access, records } = plan
  if (isTurnLong()) await nextTurn()
  const rows = await readRows(access.entity, filter)
  const found = new Map(rows.map((row) => [row['id'], row] as const))
  if (records.some(({ id }) => id === null || !found.has(id))) {
    throw await denied(plan, operation, found)
  }
  await requireNoRefusal(plan, found)
  return found
}

/**
 * Why some are not among those that the policy admits: one statement, for between two others may
 * make a record of an id, or change it. One that is admitted by now was changed meanwhile.
 */
async function denied(
  { access, records, placeOf }: WritePlan,
  operation: Operation,
  admitted: ReadonlyMap<unknown, Row>,
): Promise<Error> {
  const others = records.filter(({ id }) => id === null || !admitted.has(id))
  const seen = await seenNow(access, operation, others)
  const hidden = others.filter(({ id }) => id === null || !seen.has(id))
  if (hidden.length > 0) return naming(notFound(), hidden, placeOf)
  const denied = others.filter(({ id }) => seen.get(id) === false)
  if (denied.length > 0) return refused(access, operation, denied, placeOf)
  return naming(changed(), others, placeOf)
}

/** Reads which of the records the user sees, and whether the policy admits them. */
async function seenNow(
  access: Access,
  operation: Operation,
  records: readonly PlannedRecord[],
): Promise<ReadonlyMap<unknown, boolean>> {
  const { entity } = access
  const ids = { id: { in: records.flatMap(({ id }) => id ?? []) } }
  const visible = answersTest(entity, [ids, await visibleRows(access)])
  if (visible === false) return new Map()
  const isAllowed = asSql(access, answersTest(entity, [await ask(access, operation)])).sql
  const reader = rowReader(entity, { shown: [], masks: noMasks, needs: [], flags: null })
  const query = sql`select ${reader.select('t0')}, case when ${isAllowed} then 1 else 0 end
    from ${table(entity.table, 't0')}${where(visible, access)}`
  const found = byId(reader, await read(entity.database, query))
  return new Map([...found].map(([id, row]) => [id, row[reader.width] === 1]))
}

const changed = () => conflict('The record was changed meanwhile.')

/** Throws what features have against writing records that the policy admits. */
async function requireNoRefusal(
  { records, placeOf }: WritePlan,
  rows: ReadonlyMap<unknown, Row>,
): Promise<void> {
  const answers: HttpError[] = []
  for (const record of records) {
    if (isTurnLong()) await nextTurn()
    const row = rows.get(record.id)
    const refusal = row === undefined ? null : refusalOf(record, row)
    if (refusal === null) continue
    if (!(refusal instanceof HttpError)) throw refusal
    const { status, message, errors = { id: [message] } } = refusal
    const answer = new HttpError(status, message, errors)
    answers.push(placed(answer, record.at, placeOf) as HttpError)
  }
  if (answers.length > 0) throw together(answers)
}

/** Something is written of records only if nobody else changed them meanwhile. */
export class ChangedMeanwhile extends Error {
  constructor(
    readonly plan: WritePlan,
    readonly operation: Operation,
    readonly records: readonly PlannedRecord[],
  ) {
    super('changed meanwhile')
  }
}

/** Returns the answer about records that others changed, when the transaction is over. */
export async function answerToChange({ plan, operation, records }: ChangedMeanwhile) {
  try {
    await targetOfMany(plan, operation)
  } catch (error) {
    return error
  }
  return naming(changed(), records, plan.placeOf)
}

/**
 * Holds the records until the transaction ends, in the order of their keys, so that two requests never
 * wait for each other; as they are now. On SQLite nobody else writes.
 */
export async function holdRows(
  plan: WritePlan,
  operation: Operation,
  filter: Test,
  connection: Connection,
): Promise<ReadonlyMap<unknown, Row>> {
  const { access, records } = plan
  const { entity } = access
  const reader = rowReader(entity, allColumns(entity))
  const lock = operation === 'delete' ? 'update' : 'no key update'
  const held = raw(connection.dialect === 'postgresql' ? ` for ${lock} of t0` : '')
  const query = sql`select ${reader.select('t0')} from ${table(entity.table, 't0')}${where(filter, access)}
    order by ${identifier('t0', entity.id.name)}${held}`
  const found = new Map<unknown, Row>()
  for (const stored of await write(connection, query)) {
    if (isTurnLong()) await nextTurn()
    const row = reader.object(reader.decode(stored))
    found.set(row['id'], row)
  }
  const gone = records.filter(({ id }) => !found.has(id))
  if (gone.length > 0) throw new ChangedMeanwhile(plan, operation, gone)
  await requireNoRefusal(plan, found)
  return found
}
