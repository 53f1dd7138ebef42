import type { Connection } from '../../database/types.js'
import { UnavailableError } from '../../database/unavailable.js'
import type { Input } from '../../input/validation.js'
import type { HasEntity, PlannedRecord, Row, WriteOptions } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { readId } from '../../model/ids.js'
import { contextOf } from '../../operations/afterwards.js'
import { beginAll, holdOthers, writeParts } from '../../operations/write/parts.js'
import { alone } from '../../operations/write/places.js'
import { around, partsOf, recordWithSteps } from '../../operations/write/steps.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { forWrite } from '../../query/request-parts.js'
import { authorize } from './authorize.js'
import { hold, lockAndAsk, oneAtATime } from './hold.js'
import { look, type PivotChange, readChange, type Seen } from './pivot-change.js'
import type { PivotOperation } from './pivot-policy.js'
import { throwRefused, writePivots } from './write-pivots.js'

/** A write to one many-to-many relation of one record. */
export interface PivotWrite {
  readonly operation: PivotOperation
  readonly id: string
  /** The relation. */
  readonly key: string
  /** Ids, and pivot fields. */
  readonly body: Input
}

/** The result of attach, sync or detach. */
export type PivotOutcome =
  /** The pivot rows that were asked for, as JSON shows them. */
  | { readonly pivots: readonly Row[] }
  /** The value that a callback of the hooks returned: it did the work instead. */
  | { readonly replaced: unknown }

/**
 * `attach` adds related records of a many-to-many relation, or changes the pivot fields of those
 * that are there; `sync` the same, and takes away all others the user may see; `detach` takes away.
 * The body holds the ids (or one id) under the relation's key, and pivot fields.
 *
 * Everything is authorized before anything is written. Policies are asked outside the transaction,
 * so that they may use the database as they like: one that waited for a second connection inside it
 * would keep the first from everybody. Inside, all rows are read again and held; if one of them has
 * changed, nothing is written and all is asked anew. After three times they are asked once inside,
 * while nobody can change the rows.
 */
export async function changePivots(
  repository: HasEntity,
  user: unknown,
  { operation, id, key, body }: PivotWrite,
  options?: WriteOptions,
): Promise<PivotOutcome> {
  const known = accessTo(newRequest(user), repository.definition)
  const access = forWrite(known, operation, options)
  const record = recordWithSteps(access, {
    id: readId(access.entity.id, id),
    write: { operation, idText: id, body },
  })
  return around([record], async () => {
    const change = await readChange(operation, access, id, key, body)
    return changeAuthorized({ record, ...change }, repository)
  })
}

/** A change, and what features do in it. */
interface PlannedChange extends PivotChange {
  /** The parent. */
  readonly record: PlannedRecord
}

async function changeAuthorized(
  change: PlannedChange,
  repository: HasEntity,
): Promise<PivotOutcome> {
  const replacement = callbackOf(change)
  if (replacement !== undefined) {
    const seen = await look(change, change.access.entity.database, 'read')
    await authorize(change, seen)
    return { replaced: await replacement(requestOf(change, seen), repository, seen.row) }
  }
  for (let tries = 1; tries <= mostTries; tries++) {
    const pivots = await (tries === lockedTry ? askLocked(change) : askFirst(change))
    if (pivots !== null) return { pivots }
  }
  throw new UnavailableError(keptChanging)
}

const lockedTry = 4
const mostTries = 30

export const keptChanging =
  'The records kept changing while policies were asked about them; and a policy did not answer in ' +
  'time while they were locked: does it write, or ask another service?'

/** Null: something changed while the policies were asked. */
async function askFirst(change: PlannedChange): Promise<Row[] | null> {
  const seen = await look(change, change.access.entity.database, 'read')
  await authorize(change, seen)
  return writeAgreed(change, (connection) => hold(change, connection, seen))
}

/** Null: the policies took too long, for nobody else changes the rows meanwhile. */
async function askLocked(change: PlannedChange): Promise<Row[] | null> {
  const { database } = change.access.entity
  const ask = (locked: Seen) => authorize(change, locked)
  return oneAtATime(database, () =>
    writeAgreed(change, (connection) => lockAndAsk(change, connection, ask)),
  )
}

/** @param agreed What the policies agreed to, as it is inside the transaction. */
async function writeAgreed(
  change: PlannedChange,
  agreed: (connection: Connection) => Promise<Seen | null>,
): Promise<Row[] | null> {
  const parts = await partsOf(Object.assign({ values: {} }, change.record))
  const record = Object.assign({ parts }, change.record)
  const plan = { placeOf: alone, records: [record] }
  const sent = change.access.entity.database.transaction(async (connection) => {
    await holdOthers(plan, [record], connection)
    await beginAll([record], connection)
    const held = await agreed(connection)
    if (held === null) return null
    const written = await writePivots(change, held.row, connection)
    await writeParts(plan, record, connection, () => held.row)
    return written
  })
  const pivots = await sent.catch((error: unknown) => throwRefused(change, error))
  if (pivots !== null) for (const part of parts) await part.after?.()
  return pivots
}

function callbackOf({ operation, access, link }: PivotChange) {
  if (operation === 'sync') return undefined
  const { hooks } = access.entity
  const callbacks = operation === 'attach' ? hooks?.attachCallback : hooks?.detachCallback
  const callback = getOwn(callbacks, link.key)
  return typeof callback === 'object' ? callback.__invoke.bind(callback) : callback
}

function requestOf({ access, link, ids, groups }: PivotChange, { related }: Seen) {
  const [{ values = {} } = {}] = groups
  const rows = ids.map((each) => related.get(each))
  return Object.assign(contextOf(access), { relation: link.key, ids, related: rows, values })
}
