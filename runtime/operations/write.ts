import type { Connection, RawRow } from '../database/types.js'
import { notFound } from '../errors.js'
import { type Access, ask, flagsOf, mayStore, noPart, visibleRows } from '../policy/access.js'
import {
  afterChildren,
  type Changed,
  type ChildChange,
  childChanges,
  type ChildList,
  readChildren,
  writeChildren,
} from '../features/child-lists/child-lists.js'
import { isDecidable } from '../policy/condition-memory.js'
import type { Row } from '../model/definition.js'
import { type Described, describeAll, everything } from '../policy/parse-condition.js'
import type { Entity } from '../model/entity.js'
import { readId } from '../model/ids.js'
import { clearPlan, isPivotLink } from '../features/pivots/pivot-sql.js'
import { run } from '../sql/statement-cache.js'
import { readRow, readWritten } from './read.js'
import { deleteRefused, refusal, refusedOutright, writeRefused } from './denied.js'
import { reserveId } from '../features/child-lists/reserve-id.js'
import type { Resource } from '../model/resource.js'
import { retried } from '../database/retry.js'
import type { SelectPlan } from './select.js'
import { decodeRow, partsOf, resourceOf, rowObject, type Want, wantKey } from './row-decoder.js'
import type { Input } from '../input/validation.js'
import { deletePlan, insertPlan, updatePlan } from './write-sql.js'
import { fillValues, merged, readInput, stamped, startingValues, storable } from './write-values.js'

/**
 * Makes a record: policy, validation, foreign keys, hooks, one INSERT; in one transaction with the
 * children it is given.
 */
export async function storeResource(
  access: Access,
  body: Input,
  lists: readonly ChildList[] = [],
): Promise<Resource> {
  const { entity } = access
  const { hooks } = entity.definition
  const context = { user: access.request.user }
  if (!(await mayStore(access))) throw refusedOutright(access, 'store')
  const input = await readInput(access, body, { gates: 'canStore', extent: 'whole', id: null })
  if ('error' in input) throw input.error
  const children = await readChildren(access, lists, 'canStore')
  const filled = await fillValues(access, startingValues(access, input.values))
  const merging = merged(filled, await hooks?.beforeStore?.(context, filled))
  const values = stamped(entity, merging, 'store')
  const isReserved = children.length > 0 && entity.id.kind !== 'uuid'
  if (isReserved) values['id'] = await reserveId(entity)
  const columns = insertColumns(entity, isReserved)
  const written = await write(access, {
    id: null,
    key: isReserved ? 'insert|id' : 'insert',
    plan: (want) => insertPlan(entity, want, columns),
    filter: everything,
    columns,
    values,
    readsRow: hooks?.afterStore !== undefined,
    children: await childChanges(children, values['id'] as number | string), // stamped or reserved
  })
  if (written === null) throw notFound()
  await hooks?.afterStore?.(context, written.row)
  await afterChildren(written.changed)
  return written.resource
}

/**
 * PUT (`whole`) or PATCH (`part`): who may is in the WHERE, so nothing can change between check and
 * write.
 */
export async function updateResource(
  access: Access,
  idText: string,
  body: Input,
  extent: 'whole' | 'part',
  lists: readonly ChildList[] = [],
): Promise<Resource> {
  const { entity } = access
  const { hooks } = entity.definition
  const context = { user: access.request.user }
  const { id, filter } = await writable(access, idText, 'update')
  const stored = () => readRow(entity, filter)
  const input = await readInput(access, body, { gates: 'canUpdate', extent, id, stored })
  if ('error' in input) throw (await refusalBefore(access, id, filter)) ?? input.error
  // Children are not looked at for who may not write.
  const refused = lists.length === 0 ? null : await refusalBefore(access, id, filter)
  if (refused !== null) throw refused
  const children = await readChildren(access, lists, 'canUpdate')
  let values = input.values
  if (hooks?.beforeUpdate !== undefined) {
    const row = await readRow(entity, filter)
    if (row === null) throw await refusal(access, id, 'update')
    values = merged(values, await hooks.beforeUpdate(context, row, values))
  }
  values = stamped(entity, await fillValues(access, values), 'update')
  const columns = [...entity.columns.keys()].filter((name) => Object.hasOwn(values, name))
  const { credentials } = entity.definition
  const hasNewPassword = credentials !== undefined && columns.includes('password')
  const written = await write(access, {
    id,
    key: `update|${columns.join()}|${filter.key}`,
    plan: (want) => updatePlan(entity, want, columns, filter),
    filter,
    columns,
    values,
    readsRow: hooks?.afterUpdate !== undefined,
    children: await childChanges(children, id),
    ...(hasNewPassword ? { after: (connection) => credentials.onNewPassword(connection, id) } : {}),
  })
  if (written === null) throw await refusal(access, id, 'update')
  await hooks?.afterUpdate?.(context, written.row)
  await afterChildren(written.changed)
  return written.resource
}

/** Who may not write is told so before anything that is wrong with the body. */
async function refusalBefore(
  access: Access,
  id: unknown,
  filter: Described,
): Promise<Error | null> {
  const row = await readRow(access.entity, filter)
  return row === null ? refusal(access, id, 'update') : null
}

export async function deleteResource(access: Access, idText: string): Promise<void> {
  const { entity } = access
  const { hooks } = entity.definition
  const context = { user: access.request.user }
  const { id, filter } = await writable(access, idText, 'delete')
  const isHooked = hooks?.beforeDelete !== undefined || hooks?.afterDelete !== undefined
  const row = isHooked ? await readRow(entity, filter) : {}
  if (row === null) throw await refusal(access, id, 'delete')
  await hooks?.beforeDelete?.(context, row)
  const isDeleted = await remove(entity, id, filter).catch(deleteRefused)
  if (!isDeleted) throw await refusal(access, id, 'delete')
  await hooks?.afterDelete?.(context, row)
}

/**
 * Deletes the row, and the rows of morph pivots that point at it: no foreign key can do that for
 * the database.
 */
async function remove(entity: Entity, id: unknown, filter: Described): Promise<boolean> {
  const plan = entity.plans.get(`delete|${filter.key}`, () => deletePlan(entity, filter))
  const links = [...entity.links.values()].filter(isPivotLink)
  const morphs = links.filter(({ relation }) => relation.pivot.morphType !== undefined)
  if (morphs.length === 0) return (await run(entity.database, plan, [filter])).length > 0
  return entity.database.transaction(async (connection) => {
    if ((await run(connection, plan, [filter])).length === 0) return false
    for (const link of morphs) {
      const clear = entity.plans.get(`clear|${link.key}`, () => clearPlan(link))
      await run(connection, clear, [noPart, { key: '', values: [id] }])
    }
    return true
  })
}

/**
 * The record a write is about: visible, and the policy agrees. What can be refused without the
 * database is.
 */
async function writable(
  access: Access,
  idText: string,
  question: 'update' | 'delete',
): Promise<{ readonly id: number | string; readonly filter: Described }> {
  const { entity, request } = access
  const id = readId(entity.id, idText)
  if (id === null) throw notFound()
  const allowed = await ask(access, question)
  const filter = describeAll(entity, [{ id }, await visibleRows(access), allowed])
  if (filter.key !== 'false') return { id, filter }
  throw request.user === null
    ? refusedOutright(access, question)
    : await refusal(access, id, question)
}

/**
 * Every column but a key the database counts up: one INSERT per repository, whatever the body
 * holds.
 */
function insertColumns({ columns, id }: Entity, isReserved: boolean): string[] {
  return [...columns.keys()].filter((name) => name !== 'id' || isReserved || id.kind === 'uuid')
}

interface Writing {
  /** Null: of a new row. */
  readonly id: number | string | null
  readonly key: string
  readonly plan: (want: Want) => SelectPlan
  readonly filter: Described
  readonly columns: readonly string[]
  readonly values: Row
  /** A hook gets the whole row that was written. */
  readonly readsRow: boolean
  /** Written in the same transaction; none: no transaction is needed. */
  readonly children: readonly ChildChange[]
  /** Belongs to the write: in one transaction with it, and only where a row was written. */
  readonly after?: (connection: Connection) => Promise<void>
}

interface Written {
  readonly row: Row
  readonly resource: Resource
  readonly changed: readonly Changed[]
}

/** Sends a write that returns its row; null when no row was the one meant. */
async function write(access: Access, writing: Writing): Promise<Written | null> {
  const { entity } = access
  const { key, plan: makePlan, filter, columns, values, readsRow } = writing
  const flags = await flagsOf(access, 'asked')
  const isDecided = [flags.show, flags.update, flags.delete].every(({ node }) => isDecidable(node))
  const needs = readsRow ? [...entity.columns.keys()] : []
  const want = { shown: access.shown, needs, flags: isDecided ? flags : null }
  const { prepared, selection } = entity.plans.get(`${key}|${wantKey(want)}`, () => makePlan(want))
  const own = { key: '', values: await storable(entity, values, columns) }
  const parts = [...partsOf(filter, want.flags), own]
  const send = (connection: Connection) => run(connection, prepared, parts)
  const { raw, changed } = await sendWith(writing, entity, send).catch((error: unknown) =>
    writeRefused(entity, values, writing.id, error),
  )
  if (raw === undefined) return null
  const row = decodeRow(selection, raw)
  const resource = isDecided
    ? resourceOf(selection, row, parts, flags.store, [])
    : await readWritten(access, row[0])
  return { row: rowObject(selection, row), resource, changed }
}

/** Alone, or in one transaction with the children and what belongs to it. */
async function sendWith(
  { children, after }: Writing,
  { database }: Entity,
  send: (connection: Connection) => Promise<readonly RawRow[]>,
): Promise<{ readonly raw: RawRow | undefined; readonly changed: readonly Changed[] }> {
  if (children.length === 0 && after === undefined) {
    const [raw] = await send(database)
    return { raw, changed: [] }
  }
  return retried(() =>
    database.transaction(async (connection) => {
      const [raw] = await send(connection)
      if (raw === undefined) return { raw, changed: [] }
      await after?.(connection)
      return { raw, changed: await writeChildren(children, connection) }
    }),
  )
}
