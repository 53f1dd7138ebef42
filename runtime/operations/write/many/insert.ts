import type { Connection } from '../../../database/types.js'
import { compareIds } from '../../../model/compare-ids.js'
import { columnNamed } from '../../../model/entity-columns.js'
import type { Access } from '../../../model/entity.js'
import { answerTest } from '../../../policy/condition-sql.js'
import { where } from '../../../policy/predicate.js'
import { identifier, join, read, type Sql, sql, write } from '../../../sql/sql.js'
import { givenRows, valueAt } from '../../given-rows.js'
import { refusedWrite } from '../../refused-by-database.js'
import { columnsAfter, ofNewRow } from '../../row-after.js'
import { needsRow, readerOf, type WrittenReader } from '../answer.js'
import { insertionOf } from '../columns.js'
import { beginAll, writeParts } from '../parts.js'
import type { ReadyRecord, Sender, Sending, Sent, WritePlan } from '../plan.js'
import { place } from './named-rows.js'
import { byId, refused } from './refusals.js'
import { holdOthersOfMany } from './repeated.js'
import { allOf } from './transaction.js'

/** Inserts records, one statement for all of them. */
export async function insertMany(
  plan: WritePlan,
  records: readonly ReadyRecord[],
  hasKey: boolean,
): Promise<Sending> {
  const inserting = await insertingOf(plan, hasKey, needsRow(plan, 'afterStore', records))
  const { reader, resources } = inserting.reading
  return {
    records,
    hook: 'afterStore',
    send: (connection, sender) => insertAll(inserting, records, connection, sender),
    meaning: ({ values }, error) => refusedWrite(plan.access.entity, values, null, error),
    rowOf: (_, decoded) => reader.object(decoded),
    resources,
  }
}

/**
 * The statement of an INSERT and its reader. It is made before the transaction, because it asks
 * policies.
 */
export interface Inserting {
  readonly plan: WritePlan
  readonly reading: WrittenReader
  readonly statement: Insertion
  readonly hasKey: boolean
}

/** @param isWhole Whether hooks, or what belongs in the transaction, want all columns. */
export async function insertingOf(
  plan: WritePlan,
  hasKey: boolean,
  isWhole: boolean,
): Promise<Inserting> {
  const reading = await readerOf(plan, isWhole)
  return { plan, reading, statement: await insertion(plan.access, hasKey), hasKey }
}

/** Inserts them, with what belongs to each. */
export async function insertAll(
  inserting: Inserting,
  records: readonly ReadyRecord[],
  connection: Connection,
  sender: Sender,
): Promise<Sent> {
  const { plan, reading } = inserting
  await holdOthersOfMany(plan, records, connection, null)
  await beginAll(records, connection)
  // Told when all were tried.
  const denied = new Set<ReadyRecord>()
  const insert = (some: readonly ReadyRecord[]) => insertRows(inserting, denied, connection, some)
  const pieces = await sender<readonly unknown[]>(connection, records, insert)
  if (denied.size > 0) {
    const some = records.filter((record) => denied.has(record))
    throw refused(plan.access, 'store', some, plan.placeOf)
  }
  const sent = allOf(pieces)
  for (const record of records) {
    await writeParts(plan, record, connection, () => reading.reader.object(sent.get(record) ?? []))
  }
  return sent
}

/** The parts of an INSERT that writes the records that the policy admits. */
interface Insertion {
  readonly insert: Sql
  readonly columns: Sql
  readonly source: (given: Sql) => Sql
  readonly admitted: Sql
}

async function insertion(access: Access, hasKey: boolean): Promise<Insertion> {
  const { entity } = access
  const { columns, insert } = insertionOf(entity, hasKey)
  const rule = await ofNewRow(access)
  const values = new Map(columns.map((name, at) => [name, valueAt(at)]))
  const made = columnsAfter(entity, values, null)
  return {
    insert,
    columns: join(columns.map((name) => identifier('n', columnNamed(entity, name).name))),
    source: (given) => sql`(select ${made}, r.key as ${identifier(place)} from ${given}) as n`,
    admitted: rule === null ? sql`` : where(answerTest(entity, rule, 'n'), { entity }),
  }
}

async function insertRows(
  { plan: { access }, reading: { reader }, statement, hasKey }: Inserting,
  denied: Set<ReadyRecord>,
  connection: Connection,
  records: readonly ReadyRecord[],
): Promise<Sent> {
  const { entity } = access
  const { insert, columns, admitted } = statement
  const given = givenRows(
    entity,
    records.map(({ stored }) => stored),
  )
  const source = statement.source(given)
  const at = identifier('n', place)
  const query = sql`${insert} select ${columns} from ${source}${admitted} order by ${at}
    returning ${reader.select('')}`
  const found = byId(reader, await write(connection, query))
  if (found.size < records.length) {
    const admittedOnes = await read(connection, sql`select ${at} from ${source}${admitted}`)
    // JSON counts from 0, and PostgreSQL from 1.
    const first = entity.dialect === 'sqlite' ? 0 : 1
    const may = new Set(admittedOnes.map(([key]) => Number(key) - first))
    for (const [index, record] of records.entries()) if (!may.has(index)) denied.add(record)
    return new Map()
  }
  // Keys are counted in the order in which rows are written, and answered in any.
  const inOrder = hasKey && records.every(({ id }) => id !== null) ? null : ascending(found)
  const pairs = records.map(
    (record, index) =>
      [record, (inOrder === null ? found.get(record.id) : inOrder[index]) ?? []] as const,
  )
  return new Map(pairs)
}

const ascending = (found: ReadonlyMap<unknown, unknown[]>): readonly (readonly unknown[])[] =>
  [...found].toSorted(([one], [other]) => compareIds(one, other)).map(([, row]) => row)
