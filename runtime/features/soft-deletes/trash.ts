import type { Access, Entity, HasEntity, Within, WriteOptions } from '../../model/entity.js'
import type { Resource } from '../../model/resource.js'
import { denied } from '../../operations/denied.js'
import { readOwn, readRow } from '../../operations/read.js'
import { refusedDelete, refusedWrite } from '../../operations/refused-by-database.js'
import { allColumns, rowReader } from '../../operations/row-reader.js'
import {
  aroundOne,
  only,
  planOfOne,
  sendingOf,
  statementsOfOne,
  writeOne,
} from '../../operations/write/one.js'
import { checkRemoval, type Removal } from '../../operations/write/pipeline.js'
import type {
  ReadyRecord,
  Sending,
  Statements,
  Target,
  WritePlan,
} from '../../operations/write/plan.js'
import { assignmentsOf } from '../../operations/write/steps.js'
import { accessTo, newRequest } from '../../policy/access.js'
import { where } from '../../policy/predicate.js'
import { forWrite } from '../../query/request-parts.js'
import { join, type Sql, sql, table } from '../../sql/sql.js'
import { bringBack, heldStamp } from './cascade.js'
import { holdParentsOf } from './hold-parents.js'
import { looking } from './soft-deletes.js'
import { trashOf } from './trash-of.js'

const restoring: Removal = {
  operation: 'restore',
  before: 'beforeRestore',
  after: 'afterRestore',
}

const forceDeleting: Removal = {
  operation: 'forceDelete',
  before: 'beforeForceDelete',
  after: 'afterForceDelete',
}

/** Brings a record back; 404 where it is not in the trash, or not for this user. */
export function restoreRecord(
  { definition }: HasEntity,
  user: unknown,
  id: string,
  options?: WriteOptions,
): Promise<Resource> {
  const access = forWrite(accessTo(newRequest(user), definition), 'restore', options, 'update')
  const plan = planOfOne(looking(access, 'only'), { operation: 'restore', idText: id, body: {} })
  const statements = withRemoval((own, record, target) => {
    const set = assignmentsOf(record, { [trashOf(definition).absence]: null })
    return restoration(access, own, { record, set }, target)
  })
  return writeOne(Object.assign({}, plan, { statements }), (own) => checkRemoval(own, restoring))
}

/** Deletes a record for good, in the trash or not. */
export async function forceDeleteRecord(
  { definition }: HasEntity,
  user: unknown,
  id: string,
  options?: WriteOptions,
): Promise<void> {
  const access = forWrite(accessTo(newRequest(user), definition), 'forceDelete', options, 'delete')
  const write = { operation: 'forceDelete', idText: id, body: {} } as const
  const plan = planOfOne(looking(access, 'with'), write)
  const statements = withRemoval(finalRemoval)
  await aroundOne(Object.assign({}, plan, { statements }), (own) =>
    checkRemoval(own, forceDeleting),
  )
}

const withRemoval = (
  remove: (plan: WritePlan, record: ReadyRecord, target: Target) => Sending,
): Statements =>
  Object.assign({}, statementsOfOne, {
    remove: async (plan: WritePlan, records: readonly ReadyRecord[], target: Target) =>
      remove(plan, only(records), target),
  })

/** The record is no more in the trash; it is answered as it is seen outside of it. */
function restoration(
  outside: Access,
  plan: WritePlan,
  { record, set }: { readonly record: ReadyRecord; readonly set: readonly Sql[] },
  { filter }: Target,
): Sending {
  const { access, id } = record
  const { entity } = access
  const { absence, cascade } = trashOf(entity)
  const parents = holdParentsOf(access, filter)
  const children = cascade.length === 0 || id === null ? [] : [withThose(entity, id)]
  const parts = [...record.parts, ...(parents === null ? [] : [parents]), ...children]
  return sendingOfTrash(plan, Object.assign({}, record, { parts }), filter, {
    ...{ removal: restoring, statement: sql`update ${table(entity.table, 't0')} set ${join(set)}` },
    resources: async ([row]) => [await readOwn(outside, row?.[0])],
    meaning: async (_, error) => {
      const row = await readRow(entity, filter)
      return refusedWrite(entity, Object.assign({}, row, { [absence]: null }), id, error)
    },
  })
}

function finalRemoval(plan: WritePlan, record: ReadyRecord, { filter }: Target): Sending {
  return sendingOfTrash(plan, record, filter, {
    ...{ removal: forceDeleting, resources: async () => [] },
    statement: sql`delete from ${table(plan.access.entity.table, 't0')}`,
    meaning: (_, error) => refusedDelete(error),
  })
}

interface TrashStatement extends Pick<Sending, 'resources' | 'meaning'> {
  readonly removal: Removal
  /** Without its WHERE. */
  readonly statement: Sql
}

/**
 * The WHERE has the policy, as everywhere. After-hooks get the row as it is, or was before it was
 * deleted.
 */
function sendingOfTrash(
  plan: WritePlan,
  record: ReadyRecord,
  filter: Target['filter'],
  { removal: { after, operation }, statement, meaning, resources }: TrashStatement,
): Sending {
  const { access } = record
  const { entity } = access
  const reader = rowReader(entity, allColumns(entity))
  return sendingOf(plan, record, {
    ...{ hook: after, meaning, reading: { reader, resources } },
    statement: sql`${statement}${where(filter, access)} returning ${reader.select('')}`,
    unmet: () => denied(record, operation, filter),
  })
}

/**
 * Restores the records that went into the trash with it: its stamp is read before it is emptied.
 */
function withThose(entity: Entity, id: number | string): Within {
  let stamp: string | null = null
  return {
    begin: async (connection) => {
      stamp = await heldStamp(connection, entity, id)
    },
    write: (connection) => bringBack(connection, entity, id, stamp),
  }
}
