import type { Connection } from '../../database/types.js'
import { UnavailableError } from '../../database/unavailable.js'
import { invalid } from '../../errors.js'
import type { Input } from '../../input/validation.js'
import type { StoredKind } from '../../kinds/kind.js'
import { canonical } from '../../model/columns.js'
import type { HasEntity, Row, WriteOptions } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import { contextOf } from '../../operations/afterwards.js'
import { around, within } from '../../operations/extend-write.js'
import { throwRefusedPivots } from '../../operations/refused-by-database.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { forWrite } from '../../query/request-parts.js'
import { identifier, join, literal, raw, type Sql, sql, write } from '../../sql/sql.js'
import { unknownIds } from '../relations/named-ids.js'
import {
  chosenPivots,
  idTable,
  parentKeys,
  parentValue,
  pivotList,
  pivotRow,
} from '../relations/pivot-rows.js'
import { type PivotLink, pivotTable, pointerKind } from '../relations/relation-sql.js'
import { hold, lockAndAsk, oneAtATime } from './hold.js'
import { look, type PivotChange, readChange, type Seen } from './pivot-change.js'
import { newPivotValues } from './pivot-input.js'
import { type PivotOperation, requireGate, requirePivot } from './pivot-policy.js'

/** What is asked of one many-to-many relation of one record. */
export interface PivotWrite {
  readonly operation: PivotOperation
  readonly id: string
  /** The relation. */
  readonly key: string
  /** Ids, and pivot fields. */
  readonly body: Input
}

/** What attach, sync and detach end in. */
export type PivotOutcome =
  /** The pivot rows that were asked for, as JSON shows them. */
  | { readonly pivots: readonly Row[] }
  /** What a callback of the hooks returned, which did the work instead. */
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
  return around(access, { operation, idText: id, body }, async () => {
    const change = await readChange(operation, access, id, key, body)
    return changeAuthorized(change, repository)
  })
}

async function changeAuthorized(change: PivotChange, repository: HasEntity): Promise<PivotOutcome> {
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

const keptChanging =
  'The records kept changing while policies were asked about them; and a policy did not answer in ' +
  'time while they were locked: does it write, or ask another service?'

/** Null: something changed while the policies were asked. */
async function askFirst(change: PivotChange): Promise<Row[] | null> {
  const seen = await look(change, change.access.entity.database, 'read')
  await authorize(change, seen)
  return writeAgreed(change, seen, (connection) => hold(change, connection, seen))
}

/** Null: the policies took too long, for nobody else changes the rows meanwhile. */
async function askLocked(change: PivotChange): Promise<Row[] | null> {
  const { database } = change.access.entity
  const seen = await look(change, database, 'read')
  const ask = (locked: Seen) => authorize(change, locked)
  return oneAtATime(database, () =>
    writeAgreed(change, seen, (connection) => lockAndAsk(change, connection, ask)),
  )
}

/** @param agreed What the policies agreed to, as it is inside the transaction. */
async function writeAgreed(
  change: PivotChange,
  { row }: Seen,
  agreed: (connection: Connection) => Promise<Seen | null>,
): Promise<Row[] | null> {
  const { access, operation } = change
  const id = row['id'] as number | string // keys of rows are what `readId` reads
  const joined = await within(access, { operation, id, values: {} })
  const sent = access.entity.database.transaction(async (connection) => {
    await joined?.begin?.(connection)
    const held = await agreed(connection)
    if (held === null) return null
    const written = await writePivots(change, held.row, connection)
    await joined?.write(connection, held.row)
    return written
  })
  const pivots = await sent.catch((error: unknown) => throwRefused(change, error))
  if (pivots !== null) await joined?.after?.()
  return pivots
}

function throwRefused({ access, link, values }: PivotChange, error: unknown): Promise<never> {
  const { database, dialect } = access.entity
  const { table } = link.relation.pivot
  return throwRefusedPivots({ database, dialect, table, columns: link.pivot }, values, error)
}

/** Policy first, then what is wrong with the body, then the gates, which are asked about values. */
async function authorize(change: PivotChange, seen: Seen): Promise<void> {
  const { operation, access, link, ids, impossible, errors } = change
  if (operation === 'sync') {
    await requirePivot(access, 'sync', link.key, [seen.row, ids])
  } else {
    for (const each of ids) {
      const related = seen.related.get(each)
      if (related === undefined) continue
      await requirePivot(access, operation, link.key, [seen.row, related])
    }
  }
  const unknown = [...ids.filter((each) => !seen.related.has(each)), ...impossible]
  const all = new Map(errors)
  if (unknown.length > 0) all.set(link.key, [unknownIds(link.key, unknown)])
  if (all.size > 0) throw invalid(all)
  if (operation !== 'detach') {
    await requireGate(access, operation, link.key, writtenPivots(change, seen), seen.row)
  }
  await requireGate(access, 'detach', link.key, seen.removed, seen.row)
}

/**
 * The pivots of the body as rows, for gates: new ones with the values given over the defaults,
 * those that change as they are and as they would be.
 */
function writtenPivots({ link, ids, values }: PivotChange, { row, present }: Seen): Row[] {
  const { relatedKey } = link.relation.pivot
  const filled = newPivotValues(link.relation, values)
  const before = new Map(present.map((pivot) => [pivot[relatedKey], pivot]))
  return ids.flatMap((each) => {
    const pivot = before.get(each)
    const isChanged = Object.keys(values).length > 0
    if (pivot !== undefined) return isChanged ? [pivot, Object.assign({}, pivot, values)] : [pivot]
    return [Object.assign(parentKeys(link, row), { [relatedKey]: each }, filled)]
  })
}

function callbackOf({ operation, access, link }: PivotChange) {
  if (operation === 'sync') return undefined
  const { hooks } = access.entity
  const callbacks = operation === 'attach' ? hooks?.attachCallback : hooks?.detachCallback
  const callback = getOwn(callbacks, link.key)
  return typeof callback === 'object' ? callback.__invoke.bind(callback) : callback
}

function requestOf({ access, link, ids, values }: PivotChange, { related }: Seen) {
  const rows = ids.map((each) => related.get(each))
  return Object.assign(contextOf(access), { relation: link.key, ids, related: rows, values })
}

/** One statement for each of: removing, adding. */
async function writePivots(change: PivotChange, row: Row, connection: Connection): Promise<Row[]> {
  const { operation, link, ids, visible } = change
  if (operation !== 'attach') {
    const side = operation === 'detach' ? 'named' : 'others'
    const chosen = chosenPivots(link, row, { ids, side, visible })
    await write(connection, sql`delete from ${pivotTable(link, 'p')} where ${chosen}`)
  }
  if (operation === 'detach') return []
  const { relatedKey } = link.relation.pivot
  const written = await write(connection, attachRows(change, row))
  const pivots = new Map(
    written.map((stored) => {
      const pivot = pivotRow(link, row, stored)
      return [pivot[relatedKey], shownPivot(link, pivot)]
    }),
  )
  return ids.flatMap((each): Row[] => {
    const pivot = pivots.get(each)
    return pivot === undefined ? [] : [pivot]
  })
}

/**
 * Adds the pivot rows that are missing, with the values of the body over the defaults; rows that
 * are there get those of the body. Returns all of them: the related key, then the pivot fields.
 */
function attachRows({ link, ids, values }: PivotChange, row: Row): Sql {
  const { table, foreignKey, relatedKey, morphType } = link.relation.pivot
  const filled = newPivotValues(link.relation, values)
  const columns = [...link.pivot.values()].filter(({ name }) => Object.hasOwn(filled, name))
  const updated = columns.filter(({ name }) => Object.hasOwn(values, name))
  const key = [foreignKey, ...(morphType === undefined ? [] : [morphType]), relatedKey]
  const given = columns.map((column) => {
    const value = canonical(column, getOwn(filled, column.name))
    return typed(link, sql`${value === null ? null : column.encode(value)}`, column.storage)
  })
  const selected = [
    typed(link, parentValue(link, row), pointerKind(link)),
    ...(morphType === undefined ? [] : [literal(link.source.key)]),
    sql`k.value`,
    ...given,
  ]
  // The key is set to itself: otherwise rows that are there already would not be returned.
  const set = [relatedKey, ...updated.map(({ name }) => name)].map(
    (name) => sql`${identifier(name)} = ${identifier('excluded', name)}`,
  )
  const names = (list: readonly string[]) => join(list.map((name) => identifier(name)))
  return sql`insert into ${identifier(table)} (${names([...key, ...columns.map(({ name }) => name)])})
    select ${join(selected)} from ${idTable(link, ids)} where true order by k.value
    on conflict (${names(key)}) do update set ${join(set)}
    returning ${pivotList(link, '')}`
}

/** PostgreSQL must be given the type of a selected parameter. */
function typed({ source }: PivotLink, value: Sql, { type }: StoredKind): Sql {
  if (source.dialect === 'sqlite') return value
  return sql`cast(${value} as ${raw(type)})`
}

/** A pivot row as JSON: keys are text there, hidden fields are left out. */
function shownPivot({ relation, shownPivot: shown }: PivotLink, pivot: Row): Row {
  const { foreignKey, morphType, relatedKey } = relation.pivot
  return Object.assign(morphType === undefined ? {} : { [morphType]: pivot[morphType] }, {
    [foreignKey]: String(pivot[foreignKey]),
    [relatedKey]: String(pivot[relatedKey]),
    ...Object.fromEntries(shown.map(({ name }) => [name, pivot[name]])),
  })
}
