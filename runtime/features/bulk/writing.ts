import { type Connection, ConstraintError, type RawRow } from '../../database/types.js'
import { type FieldErrors, forbidden, HttpError, notFound, unauthenticated } from '../../errors.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import { Budget } from '../../model/budget.js'
import { canonical } from '../../model/columns.js'
import { columnNamed } from '../../model/entity-columns.js'
import type { Access, Held, PlaceOf, Row, Within } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import type { AnyHooks } from '../../model/policy-and-hooks.js'
import type { Resource } from '../../model/resource.js'
import { afterwards, contextOf } from '../../operations/afterwards.js'
import { around, withMade } from '../../operations/extend-write.js'
import type { Values } from '../../operations/given-rows.js'
import { holdRecords } from '../../operations/held-row.js'
import { readResources, resourcesInTurns } from '../../operations/read.js'
import {
  allColumns,
  isDecidedByRow,
  type RowReader,
  rowReader,
} from '../../operations/row-reader.js'
import { stepsOf } from '../../operations/statement-steps.js'
import { toStore } from '../../operations/write-values.js'
import { explain, flagsOf } from '../../policy/access.js'
import { answerTest } from '../../policy/condition-sql.js'
import { masksOf, noMasks } from '../../policy/gates.js'
import { type Pieces, sendInPieces } from './pieces.js'
import { placed, together, withErrors } from './places.js'
import type { AskedRow, Many } from './rows.js'

/** Hooks of many records, as the kernel calls them. */
export interface BulkHooks extends AnyHooks {
  readonly afterBulk?: (context: object, rows: readonly Row[], operation: string) => unknown
}

/** A record with all that its statement needs. */
export interface ReadyRow extends AskedRow {
  readonly values: Row
  readonly columns: readonly string[]
  /** Those of the columns, as the database holds them. */
  readonly stored: Values
  /** What belongs in the transaction with it. */
  readonly parts: readonly Within[]
}

/** Inside what extensions put around the write of each record, and errors are of that record. */
export async function aroundAll<Done>(
  { access, rows, placeOf }: Many,
  work: () => Promise<Done>,
): Promise<Done> {
  if (access.extensions.every((each) => each.around === undefined)) return work()
  const views = new Map<unknown, unknown>()
  const viewOf = viewsOf(rows, placeOf)
  let run = work
  for (const row of rows.toReversed()) {
    const inner = run
    const own = async () => {
      await Promise.resolve() // Each begins on a stack of its own: there may be thousands.
      if (isTurnLong()) await nextTurn()
      try {
        const done = await inner()
        if (isTurnLong()) await nextTurn()
        return done
      } catch (error) {
        const whole = views.get(error) ?? error
        const view = viewOf(whole, row.at)
        views.set(view, whole)
        throw view
      }
    }
    run = () => around(row.access, row.asked, own)
  }
  try {
    return await run()
  } catch (error) {
    throw views.get(error) ?? error
  }
}

/** Says what an answer about many records has to do with one of them. */
function viewsOf(rows: readonly AskedRow[], placeOf: PlaceOf) {
  const places = new Map(rows.map(({ at }) => [placeOf(at, ''), at]))
  const known = new Map<HttpError, ReadonlyMap<number, FieldErrors>>()
  return (error: unknown, at: number): unknown => {
    if (!(error instanceof HttpError)) return error
    const byRow = known.get(error) ?? errorsByRow(error, places)
    known.set(error, byRow)
    const { status, message, headers } = error
    return new HttpError(status, message, byRow.get(at) ?? {}, headers)
  }
}

/** By record, from places such as `3.title` and `ids.3`: once, however many records there are. */
function errorsByRow(
  { errors = {} }: HttpError,
  places: ReadonlyMap<string, number>,
): ReadonlyMap<number, FieldErrors> {
  const byRow = new Map<number, FieldErrors>()
  for (const [name, texts] of Object.entries(errors)) {
    const [, before, field] = /^((?:ids\.)?\d+\.?)(.*)$/s.exec(name) ?? []
    const at = before === undefined ? undefined : places.get(before)
    if (at === undefined || field === undefined) continue
    const own = byRow.get(at) ?? {}
    own[field] = texts
    byRow.set(at, own)
  }
  return byRow
}

/** The columns of a row in their order, as the database holds them; at once where none is hashed. */
export async function encoded(
  access: Access,
  values: Row,
  columns: readonly string[],
): Promise<Values> {
  if (access.extensions.every(({ stored }) => stored === undefined)) {
    return columns.map((name) => {
      const column = columnNamed(access.entity, name)
      const value = canonical(column, getOwn(values, name))
      return value === null ? null : column.encode(value)
    })
  }
  const stored = await toStore(access, values, columns)
  return stored.map((value, at) =>
    value === null ? null : columnNamed(access.entity, columns[at] ?? '').encode(value),
  )
}

/**
 * Transactions that are done again after a deadlock. Rows point at others, which the database locks
 * after them, and who deletes those locks them before: it is seldom, and nothing is read for it the
 * first time. The second time they are locked first.
 */
const repeated = new WeakSet<Connection>()

/** Records that rows point at, or did. */
function aboveOf(
  { entity }: Access,
  rows: readonly ReadyRow[],
  before: ReadonlyMap<unknown, Row> | null,
): readonly Held[] {
  return [...(entity.relations?.targets ?? [])].flatMap(([column, target]) => {
    if (target === null) return []
    const found = rows.flatMap(({ id, values }) => [
      getOwn(values, column) ?? null,
      getOwn(before?.get(id) ?? {}, column) ?? null,
    ])
    const ids = [...new Set(found)].filter((id) => id !== null) as (number | string)[] // keys
    return ids.map((id) => ({ entity: target().definition, id, missing: notFound }))
  })
}

/**
 * Holds what the rows rely on, of all of them together: in the order of the request it would meet
 * those that lock the same records in another order.
 */
export async function holdOthers(
  { access, placeOf }: Many,
  rows: readonly ReadyRow[],
  connection: Connection,
  before: ReadonlyMap<unknown, Row> | null = null,
): Promise<void> {
  const holds = rows.flatMap(({ parts, at }) =>
    parts.flatMap((part) =>
      (part.holds ?? []).map((each) => {
        const missing = () => placed(each.missing(), at, placeOf) as HttpError
        return { ...each, missing }
      }),
    ),
  )
  const above = repeated.has(connection) ? aboveOf(access, rows, before) : []
  if (holds.length + above.length === 0) return
  const missing = await holdRecords([...above, ...holds], connection)
  const gone = holds.filter((each) => missing.includes(each))
  if (gone.length > 0) throw together(gone.map((each) => each.missing()))
}

/** Begins what belongs in the transaction with each of the rows. */
export async function beginAll(rows: readonly ReadyRow[], connection: Connection): Promise<void> {
  for (const part of rows.flatMap(({ parts }) => parts)) {
    if (isTurnLong()) await nextTurn()
    await part.begin?.(connection)
  }
}

type Send<Done> = (rows: readonly ReadyRow[]) => Promise<ReadonlyMap<ReadyRow, Done>>

/** Sends rows at once, or in pieces where that was refused. */
export type Sender = <Done>(
  connection: Connection,
  rows: readonly ReadyRow[],
  send: Send<Done>,
) => Promise<Pieces<ReadyRow, Done>>

const atOnce: Sender = async <Done>(
  connection: Connection,
  rows: readonly ReadyRow[],
  send: Send<Done>,
) => {
  const [first = [], ...others] = stepsOf(connection, rows)
  if (others.length === 0) return { done: await send(first), refused: [] }
  const done = new Map(await send(first))
  for (const step of others) {
    if (isTurnLong()) await nextTurn()
    for (const [row, written] of await send(step)) done.set(row, written)
  }
  return { done, refused: [] }
}

type Refused = Pieces<ReadyRow, unknown>['refused']

/** What a refusal of the database means to the caller. */
type Meaning = (row: ReadyRow, error: ConstraintError, all: Refused) => Promise<unknown>

/** Rows that the database refused, each alone: `answerTo` says what it means. */
export class RefusedRows extends Error {
  constructor(readonly refused: Refused) {
    super('refused')
  }
}

/** What was sent, if nothing of it was refused. */
export function allOf<Done>({ done, refused: some }: Pieces<ReadyRow, Done>) {
  if (some.length > 0) throw new RefusedRows(some)
  return done
}

/**
 * One transaction. What the database refuses of many rows it does not say of which, so it is sent
 * again, in pieces, and `refused` is what it said; then there is one answer about all that are
 * refused, when all is rolled back.
 */
export async function inTransaction<Done>(
  many: Many,
  work: (connection: Connection, sender: Sender, refused: ConstraintError | null) => Promise<Done>,
  meaning: Meaning,
): Promise<Done> {
  const { database } = many.access.entity
  const run = (sender: Sender, cause: ConstraintError | null) => {
    let isAgain = false
    return database.transaction((connection) => {
      if (isAgain) repeated.add(connection)
      isAgain = true
      return work(connection, sender, cause)
    })
  }
  return atOnceOrInPieces(run).catch(async (error: unknown) => {
    throw await answerTo(many, error, meaning)
  })
}

/** Runs what sends rows; again, in pieces, where the database refused some. Each is undone when it fails. */
export async function atOnceOrInPieces<Done>(
  run: (sender: Sender, refused: ConstraintError | null) => Promise<Done>,
): Promise<Done> {
  let cause: ConstraintError
  try {
    return await run(atOnce, null)
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error
    cause = error
  }
  return run(sendInPieces, cause)
}

/** What it means that rows were refused, when all is rolled back; any other error as it was. */
export async function answerTo(
  { placeOf }: Many,
  error: unknown,
  meaning: Meaning,
): Promise<unknown> {
  if (!(error instanceof RefusedRows)) return error
  const answers: HttpError[] = []
  for (const [row, cause] of error.refused) {
    const answer = placed(await meaning(row, cause, error.refused), row.at, placeOf)
    if (!(answer instanceof HttpError)) return answer
    answers.push(answer)
  }
  return together(answers)
}

/** Rows that are ready: how they are sent in a transaction, and what follows. */
export interface Sending {
  readonly rows: readonly ReadyRow[]
  readonly reading: ManyReader
  readonly hook: 'afterStore' | 'afterUpdate'
  readonly send: (
    connection: Connection,
    sender: Sender,
    refused: ConstraintError | null,
  ) => Promise<ReadonlyMap<ReadyRow, readonly unknown[]>>
  readonly meaning: Meaning
}

/** Rows that their rules admit: the hook `validate` of each is asked, and then the other hooks. */
export type Checked = () => Promise<() => Promise<Sending>>

/** Sends all of them in one transaction, in this order; the records of each. */
export async function sendAll(
  many: Many,
  all: readonly Sending[],
): Promise<readonly (readonly Resource[])[]> {
  const send = async (connection: Connection, sender: Sender, cause: ConstraintError | null) => {
    const sent: ReadonlyMap<ReadyRow, readonly unknown[]>[] = []
    for (const each of all) sent.push(await each.send(connection, sender, cause))
    return sent
  }
  const written = await inTransaction(many, send, (row, error, refusedOnes) => {
    const own = all.find(({ rows }) => rows.includes(row))
    return own === undefined ? Promise.resolve(error) : own.meaning(row, error, refusedOnes)
  })
  if (isTurnLong()) await nextTurn()
  const decoded = all.map(({ rows }, at) => rows.map((row) => written[at]?.get(row) ?? []))
  for (const [at, { rows, hook, reading }] of all.entries()) {
    if (isTurnLong()) await nextTurn()
    const after: WrittenRow[] = []
    for (const [index, { parts }] of rows.entries()) {
      if (isTurnLong()) await nextTurn()
      after.push({ parts, row: reading.reader.object(decoded[at]?.[index] ?? []) })
    }
    await afterAll(many, hook, after)
  }
  return Promise.all(all.map((each, at) => shownOf(many, each, decoded[at] ?? [])))
}

/** The records of rows that were written, with those that were made with them. */
async function shownOf(
  { access, isMinimal }: Many,
  { rows, reading }: Sending,
  decoded: readonly (readonly unknown[])[],
): Promise<readonly Resource[]> {
  if (isTurnLong()) await nextTurn()
  const resources = await reading.resources(decoded)
  if (isMinimal) return resources
  for (const [at, resource] of resources.entries()) {
    if (isTurnLong()) await nextTurn()
    const row = rows[at]
    if (row !== undefined && row.access !== access) await withMade(row.access, resource)
  }
  return resources
}

/** 403 naming records; 401 where there is no user. */
export function refused(
  access: Access,
  question: 'store' | 'update' | 'delete',
  rows: readonly AskedRow[],
  placeOf: PlaceOf,
): HttpError {
  explain(access, question, 'denied')
  return access.request.user === null ? unauthenticated() : naming(forbidden(), rows, placeOf)
}

/** The same answer about these records. */
export function naming(error: HttpError, rows: readonly AskedRow[], placeOf: PlaceOf): HttpError {
  const errors = rows.map(({ at }): [string, string[]] => [placeOf(at, 'id'), [error.message]])
  return withErrors(error, Object.fromEntries(errors))
}

/** How rows that were written are read and answered. */
export interface ManyReader {
  readonly reader: RowReader
  /** Of decoded rows. */
  resources(rows: readonly (readonly unknown[])[]): Promise<readonly Resource[]>
}

/** @param isWhole Hooks want all columns. */
export async function readerOf({ access, isMinimal }: Many, isWhole: boolean): Promise<ManyReader> {
  const { entity } = access
  const needs = isWhole ? allColumns(entity).needs : []
  if (isMinimal) {
    const reader = rowReader(entity, { shown: [], masks: noMasks, needs, flags: null })
    return { reader, resources: (rows) => resourcesInTurns(reader, rows) }
  }
  const flags = await flagsOf(access, 'asked', '')
  const { shown } = access
  const masks = masksOf(access, '', shown)
  const isDecided = isDecidedByRow(flags, masks)
  const answer = isDecided ? { shown, masks, flags } : { shown: [], masks: noMasks, flags: null }
  const reader = rowReader(entity, { needs, ...answer })
  return {
    reader,
    resources: async (rows) =>
      isDecided
        ? resourcesInTurns(reader, rows)
        : readAgain(
            access,
            rows.map(([id]) => id),
          ),
  }
}

/** Records whatever the policy shows: their flags need the database. One statement. */
async function readAgain(access: Access, ids: readonly unknown[]): Promise<readonly Resource[]> {
  const { entity } = access
  const { maxRelated } = entity.settings
  // They are written: too large an answer is another one.
  const budget = new Budget({ maxRelated, maxResponse: Infinity })
  const found = await readResources({
    access,
    included: null,
    query: {},
    filter: answerTest(entity, { id: { in: ids } }),
    flags: await flagsOf(access, 'asked'),
    budget,
    most: ids.length,
  })
  const byId = new Map(found.map((resource) => [resource.id, resource]))
  return ids.flatMap((id) => byId.get(String(id)) ?? [])
}

export const isHooked = (access: Access, hook: 'afterStore' | 'afterUpdate' | 'afterDelete') => {
  const hooks: BulkHooks = access.entity.hooks ?? {}
  return hooks[hook] !== undefined || hooks.afterBulk !== undefined
}

type AfterHook = 'afterStore' | 'afterUpdate' | 'afterDelete'

interface WrittenRow {
  readonly parts: readonly Within[]
  readonly row: Row
}

/** What follows the commit: the hook of each row, what belongs to it, and the hook of all. */
export async function afterAll(
  many: Many,
  hook: AfterHook,
  written: readonly WrittenRow[],
): Promise<void> {
  await afterEach(many, hook, written)
  const { access } = many
  const { entity } = access
  const hooks: BulkHooks = entity.hooks ?? {}
  if (hooks.afterBulk === undefined) return
  const context = contextOf(access)
  const operation = hook.slice('after'.length).toLowerCase()
  const rows = written.map(({ row }) => row)
  await afterwards(entity, 'afterBulk', () => hooks.afterBulk?.(context, rows, operation))
}

/** The same without the hook of all. */
export async function afterEach(
  { access }: Many,
  hook: AfterHook,
  written: readonly WrittenRow[],
): Promise<void> {
  const { entity } = access
  const context = contextOf(access)
  const call = entity.hooks?.[hook]
  for (const { parts, row } of written) {
    if (isTurnLong()) await nextTurn()
    if (call !== undefined) await afterwards(entity, hook, () => call(context, row))
    for (const part of parts) await part.after?.()
  }
}

/** Runs what throws in every case, and gives what it throws. */
export async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new TypeError('nothing was thrown')
}

/** Rows that were written by the id that the database answers. */
export const byId = (reader: RowReader, raws: readonly RawRow[]) =>
  new Map(
    raws.map((raw) => {
      const row = reader.decode(raw)
      return [row[0], row] as const
    }),
  )
