import type { Connection, ConstraintError } from '../../database/types.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import type { Input } from '../../input/validation.js'
import { compareIds } from '../../model/compare-ids.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, HasEntity, Row } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import type { Resource } from '../../model/resource.js'
import { contextOf } from '../../operations/afterwards.js'
import { deniedOutright } from '../../operations/denied.js'
import { isPrepared, partsOf, prepare } from '../../operations/extend-write.js'
import { givenRows, valueAt } from '../../operations/given-rows.js'
import { throwRefusedWrite } from '../../operations/refused-by-database.js'
import { reserveKeys } from '../../operations/reserve-key.js'
import { columnsAfter, ofNewRow } from '../../operations/row-after.js'
import { fillValues, merged, stamped, startingValues } from '../../operations/write-values.js'
import { insertionOf } from '../../operations/write.js'
import { mayStore } from '../../policy/access.js'
import { answerTest } from '../../policy/condition-sql.js'
import { where } from '../../policy/predicate.js'
import { identifier, join, read, type Sql, sql, write } from '../../sql/sql.js'
import { readInputs, validateAll } from './input.js'
import { place } from './named-rows.js'
import { inList, placing } from './places.js'
import { accessToMany, type AskedRow, type Many, type ManyOptions, newRows } from './rows.js'
import {
  allOf,
  aroundAll,
  beginAll,
  byId,
  type Checked,
  encoded,
  holdOthers,
  isHooked,
  type ManyReader,
  type ReadyRow,
  readerOf,
  refused,
  sendAll,
  type Sender,
  type Sending,
  thrownBy,
} from './writing.js'

/** Makes records, all or none: in the order of their bodies. */
export async function storeMany(
  repository: HasEntity,
  user: unknown,
  bodies: readonly Input[],
  options: ManyOptions,
): Promise<readonly Resource[]> {
  const access = await accessToMany(repository, user, options)
  const rows = await newRows(access, bodies, options)
  const many: Many = { access, rows, placeOf: inList, isMinimal: options.isMinimal === true }
  return aroundAll(many, () => storeRows(many))
}

async function storeRows(many: Many): Promise<readonly Resource[]> {
  const checked = await checkedStore(many)
  const ready = await checked()
  const [resources = []] = await sendAll(many, [await ready()])
  return resources
}

/** Looks at all that is to be written. */
export async function checkedStore(many: Many): Promise<Checked> {
  const { access, rows } = many
  if (!(await mayStore(access))) throw deniedOutright(access, 'store')
  const inputs = await readInputs(many)
  return async () => {
    const needsKey = await prepareRows(many)
    const starting: Row[] = []
    for (const [at, row] of rows.entries()) {
      if (isTurnLong()) await nextTurn()
      starting.push(startingValues(row.access, inputs[at] ?? {}))
    }
    await validateAll(many, starting)
    return () => storing(many, starting, needsKey)
  }
}

async function storing(many: Many, starting: readonly Row[], needsKey: boolean): Promise<Sending> {
  const { access } = many
  const making = await makingOf(access, { count: many.rows.length, needsKey })
  const rows: ReadyRow[] = []
  for (const [at, row] of many.rows.entries()) {
    if (isTurnLong()) await nextTurn()
    rows.push(await readyRow(many, row, starting[at] ?? {}, making))
  }
  const needsRow = rows.some(({ parts }) => parts.some((part) => part.needsRow === true))
  const inserting = await insertingOf(many, making, needsRow || isHooked(access, 'afterStore'))
  return {
    ...{ rows, reading: inserting.reading, hook: 'afterStore', meaning: refusedOf(access) },
    send: (connection, sender) => insertAll(inserting, rows, connection, sender),
  }
}

/** What it means that the database refused a new row. */
export const refusedOf =
  ({ entity }: Access) =>
  ({ values }: ReadyRow, error: ConstraintError): Promise<unknown> =>
    thrownBy(() => throwRefusedWrite(entity, values, null, error))

/** What extensions read of other records; whether new ones must have their keys before they are written. */
export async function prepareRows({ rows, placeOf }: Many): Promise<boolean> {
  let needsKey = false
  for (const row of rows) {
    if (!isPrepared(row.access)) continue
    if (isTurnLong()) await nextTurn()
    const isKeyed = await placing(row.at, placeOf, () => prepare(row.access, row.asked))
    needsKey ||= isKeyed
  }
  return needsKey
}

/** How new rows come about: which columns they have, and from where their keys. */
export interface Making {
  readonly hasKey: boolean
  readonly columns: readonly string[]
  /** The next of the keys that were taken for them; null: they have others. */
  readonly nextKey: () => number | string | null
  readonly context: ReturnType<typeof contextOf>
}

export async function makingOf(
  access: Access,
  { count, needsKey }: { readonly count: number; readonly needsKey: boolean },
): Promise<Making> {
  const { entity } = access
  const isCounted = entity.id.storage.key?.makes === null
  const isGiven = getOwn(entity.rules, 'id') !== undefined
  const hasKey = needsKey || !isCounted || isGiven
  const isReserved = needsKey && isCounted && !isGiven
  const keys = isReserved ? (await reserveKeys(entity, count)).toReversed() : []
  return {
    hasKey,
    columns: insertionOf(entity, hasKey).columns,
    nextKey: () => keys.pop() ?? null,
    context: contextOf(access),
  }
}

/** Asks the hooks of one that `validate` found nothing wrong with. */
export async function readyRow(
  { access, placeOf }: Many,
  row: AskedRow,
  starting: Row,
  { hasKey, columns, nextKey, context }: Making,
): Promise<ReadyRow> {
  const { hooks } = access.entity
  const values = await placing(row.at, placeOf, async () => {
    const filled = await fillValues(access, starting, 'store')
    const returned = await hooks?.beforeStore?.(context, filled)
    return stamped(access, merged(filled, returned), row.asked)
  })
  const key = nextKey()
  if (key !== null) values['id'] = key
  // Stamped, reserved or given.
  const id = hasKey ? ((values['id'] ?? null) as number | string | null) : null
  const parts = await placing(row.at, placeOf, () =>
    partsOf(row.access, { operation: 'store', id, values }),
  )
  const stored = await encoded(access, values, columns)
  return { ...row, id, values, columns, stored, parts }
}

/** How rows are inserted, and read again; made before the transaction, for policies are asked. */
export interface Inserting {
  readonly many: Many
  readonly reading: ManyReader
  readonly statement: Insertion
  readonly hasKey: boolean
}

/** @param isWhole Hooks, or what belongs in the transaction, want all columns. */
export async function insertingOf(
  many: Many,
  { hasKey }: Pick<Making, 'hasKey'>,
  isWhole: boolean,
): Promise<Inserting> {
  const reading = await readerOf(many, isWhole)
  return { many, reading, statement: await insertion(many.access, hasKey), hasKey }
}

/** Inserts them, with what belongs to each. */
export async function insertAll(
  inserting: Inserting,
  rows: readonly ReadyRow[],
  connection: Connection,
  sender: Sender,
): Promise<ReadonlyMap<ReadyRow, readonly unknown[]>> {
  const { many, reading } = inserting
  const { access, placeOf } = many
  await holdOthers(many, rows, connection)
  await beginAll(rows, connection)
  // Told when all were tried.
  const denied = new Set<ReadyRow>()
  const insert = (some: readonly ReadyRow[]) => insertRows(inserting, denied, connection, some)
  const pieces = await sender<readonly unknown[]>(connection, rows, insert)
  if (denied.size > 0) {
    const some = rows.filter((row) => denied.has(row))
    throw refused(access, 'store', some, placeOf)
  }
  const sent = allOf(pieces)
  for (const row of rows) {
    if (row.parts.length === 0) continue
    if (isTurnLong()) await nextTurn()
    const written = reading.reader.object(sent.get(row) ?? [])
    for (const part of row.parts) {
      await placing(row.at, placeOf, () => part.write(connection, written, null))
    }
  }
  return sent
}

/** How rows are written, if the policy admits them: what stands before and behind them. */
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
  { many: { access }, reading: { reader }, statement, hasKey }: Inserting,
  denied: Set<ReadyRow>,
  connection: Connection,
  rows: readonly ReadyRow[],
): Promise<ReadonlyMap<ReadyRow, readonly unknown[]>> {
  const { entity } = access
  const { insert, columns, admitted } = statement
  const source = statement.source(
    givenRows(
      entity,
      rows.map(({ stored }) => stored),
    ),
  )
  const at = identifier('n', place)
  const query = sql`${insert} select ${columns} from ${source}${admitted} order by ${at}
    returning ${reader.select('')}`
  const found = byId(reader, await write(connection, query))
  if (found.size < rows.length) {
    const admittedOnes = await read(connection, sql`select ${at} from ${source}${admitted}`)
    // JSON counts from 0, and PostgreSQL from 1.
    const first = entity.dialect === 'sqlite' ? 0 : 1
    const may = new Set(admittedOnes.map(([key]) => Number(key) - first))
    for (const [index, row] of rows.entries()) if (!may.has(index)) denied.add(row)
    return new Map()
  }
  // Keys are counted in the order in which rows are written, and answered in any.
  const inOrder = hasKey && rows.every(({ id }) => id !== null) ? null : ascending(found)
  const pairs = rows.map(
    (row, index) => [row, (inOrder === null ? found.get(row.id) : inOrder[index]) ?? []] as const,
  )
  return new Map(pairs)
}

const ascending = (found: ReadonlyMap<unknown, unknown[]>): readonly (readonly unknown[])[] =>
  [...found].toSorted(([one], [other]) => compareIds(one, other)).map(([, row]) => row)
