import type { Connection } from '../../database/types.js'
import { notFound } from '../../errors.js'
import type { Input } from '../../input/validation.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Question, Row, Write } from '../../model/entity.js'
import { readId } from '../../model/ids.js'
import type { Resource } from '../../model/resource.js'
import { ask, visibleWithId } from '../../policy/access.js'
import { noMasks } from '../../policy/gates.js'
import { where } from '../../policy/predicate.js'
import {
  type Compiled,
  identifier,
  join,
  sendCompiled,
  Sql,
  sql,
  table,
  write as send,
} from '../../sql/sql.js'
import { withHeaders } from '../answer-headers.js'
import { denied, deniedOutright } from '../denied.js'
import { heldRow } from '../held-row.js'
import { readRow } from '../read.js'
import { refusedDelete, refusedWrite } from '../refused-by-database.js'
import { holdingAfter, ofChangedRow } from '../row-after.js'
import { allColumns, rowReader } from '../row-reader.js'
import { type WrittenReader, writtenReader } from './answer.js'
import { idleAssignment } from './columns.js'
import { insertOne } from './insert-one.js'
import { beginAll, holdOthers, writeParts } from './parts.js'
import {
  checkDelete,
  checkPatch,
  checkPut,
  checkStore,
  type Check,
  writeRecords,
} from './pipeline.js'
import { alone } from './places.js'
import type { ReadyRecord, Sender, Sending, Statements, Target, WritePlan } from './plan.js'
import { admitted, around, noSteps, removalFrom, withSteps } from './steps.js'

/** Makes a record: one INSERT. */
export const storeResource = (access: Access, body: Input): Promise<Resource> =>
  writeOne(planOfOne(access, { operation: 'store', idText: null, body }), checkStore)

/** PUT (`whole`) or PATCH (`part`): who may is in the WHERE, so no check can be outrun. */
export const updateResource = (
  access: Access,
  idText: string,
  body: Input,
  extent: 'whole' | 'part',
): Promise<Resource> =>
  writeOne(
    planOfOne(access, { operation: 'update', idText, body }),
    extent === 'whole' ? checkPut : checkPatch,
  )

export async function deleteResource(access: Access, idText: string): Promise<void> {
  const plan = planOfOne(access, { operation: 'delete', idText, body: {} })
  await aroundOne(plan, checkDelete)
}

/** Writes it, inside what features put around it. */
export async function writeOne(plan: WritePlan, check: Check): Promise<Resource> {
  const [resource] = await aroundOne(plan, check)
  if (resource === undefined) throw notFound() // A hook that followed may have deleted it.
  return withHeaders(plan.access, resource)
}

/** The plan of a write that is about one record. */
export function planOfOne(access: Access, write: Write): WritePlan {
  const id = write.idText === null ? null : readId(access.entity.id, write.idText)
  const records = [{ at: 0, id, write, access, steps: noSteps }]
  const strict = access.entity.settings.strictBodies
  const statements = statementsOfOne
  const how = { placeOf: alone, isAlong: false, isMinimal: false }
  return withSteps({ access, records, strict, statements, ...how })
}

/** Writes a record without an answer, inside what features put around it. */
export const aroundOne = (plan: WritePlan, check: Check): Promise<readonly Resource[]> =>
  around(plan.records, () => writeRecords(plan, check))

/** The record of a write that is about one. */
export function only<Item>([item]: readonly Item[]): Item {
  if (item === undefined) throw new TypeError('a write of no record')
  return item
}

/** The SQL of one record: nothing is read, and no transaction begun, that its write can do without. */
export const statementsOfOne: Statements = {
  target,
  insert: async (plan, records, hasKey) => {
    const record = only(records)
    const { access, values } = record
    const { entity } = access
    return sendingOf(plan, record, {
      hook: 'afterStore',
      ...(await insertOne(plan, record, hasKey)),
      meaning: (_, error) => refusedWrite(entity, values, null, error),
      unmet: async () => deniedOutright(access, 'store', 'denied'),
    })
  },
  update: async (plan, records, { filter }) => {
    const record = only(records)
    const { access, id, values, columns, stored, more } = record
    const { entity } = access
    const rule = await ofChangedRow(access, columns)
    const reading = await writtenReader(plan, 'afterUpdate', records)
    const after = new Map(columns.map((name, at) => [name, stored[at] ?? null]))
    const holding = holdingAfter(entity, filter, rule, after)
    const set = [...after].map(([k, v]) => sql`${identifier(columnNamed(entity, k).name)} = ${v}`)
    if (set.length === 0) set.push(idleAssignment(entity))
    return sendingOf(plan, record, {
      hook: 'afterUpdate',
      reading,
      statement: sql`update ${table(entity.table, 't0')} set ${join([...set, ...more])}${where(holding, access)}
        returning ${reading.reader.select('')}`,
      meaning: (_, error) => refusedWrite(entity, values, id, error),
      unmet: () => denied(record, 'update', holding),
    })
  },
  remove: async (plan, records, { filter, rows }) => {
    const record = only(records)
    const { access, id, parts } = record
    const { entity } = access
    const isWhole = parts.some((part) => part.needsRow === true)
    const reader = rowReader(entity, isWhole ? allColumns(entity) : noColumns)
    const isHooked = entity.hooks?.beforeDelete ?? entity.hooks?.afterDelete
    const before = isHooked === undefined ? null : (await rows()).get(id)
    const sending = sendingOf(plan, record, {
      hook: 'afterDelete',
      reading: { reader, resources: async () => [] },
      statement: sql`${removalFrom(record)}${where(filter, access)} returning ${reader.select('')}`,
      meaning: (_, error) => refusedDelete(error),
      unmet: () => denied(record, 'delete', filter),
    })
    return Object.assign(sending, { rowOf: () => before ?? {} })
  },
  transaction: async ({ access: { entity } }, sendings) => {
    const sending = only(sendings)
    const record = only(sending.records)
    const send = (connection: Connection) => sending.send(connection, sender, null)
    try {
      const isAlone = record.parts.length === 0
      return [await (isAlone ? send(entity.database) : entity.database.transaction(send))]
    } catch (error) {
      throw error instanceof NotWritten
        ? await error.why()
        : await sending.meaning(record, error, [])
    }
  },
}

const noColumns = { shown: [], masks: noMasks, needs: [], flags: null }

/** The record to write: visible, and the policy agrees. */
async function target({ records }: WritePlan, operation: Question): Promise<Target> {
  const record = only(records)
  const { access, id } = record
  if (id === null) throw notFound()
  const allowed = await ask(access, operation)
  const filter = await visibleWithId(access, id, allowed, ...admitted(record))
  if (filter === false) {
    // Nobody has to look at the record.
    if (access.request.user === null) throw deniedOutright(access, operation)
    throw await denied(record, operation, false)
  }
  let rows: ReadonlyMap<unknown, Row> | null = null
  return {
    filter,
    rows: async () => {
      if (rows !== null) return rows
      const row = await readRow(access.entity, filter)
      if (row === null) throw await denied(record, operation, filter)
      rows = new Map([[id, row]])
      return rows
    },
  }
}

/** The statement met no record; `why` says it when the transaction is over. */
class NotWritten extends Error {
  constructor(readonly why: () => Promise<Error>) {
    super('no record was written')
  }
}

interface OneStatement extends Pick<Sending, 'hook' | 'meaning'> {
  readonly statement: Sql | Compiled
  readonly reading: WrittenReader
  /** Why there is no record that the statement could write. */
  readonly unmet: () => Promise<Error>
}

/** Sends one record, with what belongs in its transaction. */
export function sendingOf(
  plan: WritePlan,
  record: ReadyRecord,
  { hook, statement, reading: { reader, resources }, meaning, unmet }: OneStatement,
): Sending {
  const { id, parts, access } = record
  const records = [record]
  const needsBefore = hook === 'afterUpdate' && parts.some((part) => part.needsBefore === true)
  const begin = async (connection: Connection): Promise<Row | null> => {
    await holdOthers(plan, records, connection)
    const before = needsBefore ? await heldRow(access.entity, id, connection) : null
    await beginAll(records, connection)
    return before
  }
  return {
    records,
    hook,
    meaning,
    resources,
    send: async (connection) => {
      const before = parts.length === 0 ? null : await begin(connection)
      const [raw] = await (statement instanceof Sql
        ? send(connection, statement)
        : sendCompiled(connection, statement))
      if (raw === undefined) throw new NotWritten(unmet)
      const row = reader.decode(raw)
      await writeParts(plan, record, connection, () => reader.object(row), before)
      return new Map([[record, row]])
    },
    rowOf: (_, decoded) => reader.object(decoded),
  }
}

/** A record alone is sent as it is. */
const sender: Sender = async (_connection, records, sendThem) => ({
  done: await sendThem(records),
  refused: [],
})
