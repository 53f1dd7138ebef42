import { isTurnLongFor, nextTurn } from '../../event-loop.js'
import type { Question, Row } from '../../model/entity.js'
import { getOwn } from '../../model/get-own.js'
import type { Resource } from '../../model/resource.js'
import { mayStore } from '../../policy/access.js'
import { contextOf } from '../afterwards.js'
import { deniedOutright } from '../denied.js'
import { reserveKeys } from '../reserve-key.js'
import { accessesOfRows } from '../row-gates.js'
import { resourcesOf } from './answer.js'
import { insertionOf } from './columns.js'
import { readInputs, throwInputProblems, validateAll } from './inputs.js'
import { afterEach, hookOf } from './parts.js'
import { placing } from './places.js'
import type {
  AfterHook,
  PlannedRecord,
  ReadyRecord,
  SavedOperation,
  Sending,
  WritePlan,
} from './plan.js'
import { partsOf, readOthers, readsOthers, withoutSql } from './steps.js'
import { encodedValues, fillValues, merged, stamped, startingValues } from './values.js'

/**
 * A write of one record or of many, in its phases, and the steps of features in each:
 *
 *     check     the policy, the rows that are there, the bodies   requires, takes, check
 *     validate  the hook `validate`                               readOthers
 *     prepare   the other hooks, the values to store              values, within
 *     send      one transaction, by the statements of the plan    removal
 *     answer    hooks that follow, and the records as they are    made
 *
 * Each phase is done for all records before the next one begins, so that one answer tells all that
 * is wrong. Several plans of one request (an upsert) take the phases together.
 */
export type Check = (plan: WritePlan) => Promise<Validate>
export type Validate = () => Promise<Prepare>
export type Prepare = () => Promise<Sending>

/** Writes the records of a plan; answers them in its order. */
export async function writeRecords(plan: WritePlan, check: Check): Promise<readonly Resource[]> {
  const validate = await check(plan)
  const prepared = await validate()
  const [resources = []] = await sendAll(plan, [await prepared()])
  return resources
}

/** Policy, validation, foreign keys, hooks, INSERT. */
export const checkStore: Check = async (plan) => {
  const { access, records } = plan
  if (!(await mayStore(access))) throw deniedOutright(access, 'store')
  const { inputs, problems } = await readInputs(plan, 'whole')
  throwInputProblems(plan, problems)
  await access.request.assumption?.confirm()
  return async () => {
    const needsKey = await readOthersOfAll(plan)
    const starting: Row[] = []
    for (const [at, record] of records.entries()) {
      if (isTurnLongFor(records)) await nextTurn()
      starting.push(startingValues(record.access, inputs[at] ?? {}))
    }
    await validateAll(plan, starting, null)
    return () => preparedStore(plan, starting, needsKey)
  }
}

async function preparedStore(
  plan: WritePlan,
  starting: readonly Row[],
  needsKey: boolean,
): Promise<Sending> {
  const keys = await keysOf(plan, plan.records.length, needsKey)
  const ready: ReadyRecord[] = []
  for (const [at, record] of plan.records.entries()) {
    if (isTurnLongFor(plan.records)) await nextTurn()
    ready.push(await newRecord(plan, record, starting[at] ?? {}, keys))
  }
  return plan.statements.insert(plan, ready, keys.areKnown)
}

/** Keys of new records. */
export interface Keys {
  /** True: the server knows the keys before the records are written. */
  readonly areKnown: boolean
  /** The next of those that were reserved; null: the records have others. */
  readonly next: () => number | string | null
}

export async function keysOf(
  { access: { entity } }: WritePlan,
  count: number,
  needsKey: boolean,
): Promise<Keys> {
  const isCounted = entity.id.storage.key?.makes === null
  const isGiven = getOwn(entity.rules, 'id') !== undefined
  const isReserved = needsKey && isCounted && !isGiven
  const keys = isReserved ? (await reserveKeys(entity, count)).toReversed() : noKeys
  return { areKnown: needsKey || !isCounted || isGiven, next: () => keys.pop() ?? null }
}

const noKeys: (number | string)[] = []

/** Asks the hooks of a new record that `validate` found nothing wrong with. */
export async function newRecord(
  { access, placeOf }: WritePlan,
  record: PlannedRecord,
  starting: Row,
  keys: Keys,
): Promise<ReadyRecord> {
  const { entity } = access
  const { at } = record
  const values = await placing(at, placeOf, async () => {
    const filled = await fillValues(access, starting, 'store')
    const returned = await entity.hooks?.beforeStore?.(contextOf(access), filled)
    return stamped(record, merged(filled, returned))
  })
  const key = keys.next()
  if (key !== null) values['id'] = key
  // Stamped, reserved or given.
  const id = keys.areKnown ? ((values['id'] ?? null) as number | string | null) : null
  const valued = Object.assign({}, record, { id, values })
  const parts = await placing(at, placeOf, () => partsOf(valued))
  const { columns } = insertionOf(entity, keys.areKnown)
  const stored = await encodedValues(access, values, columns)
  return Object.assign(valued, { columns, stored, parts, more: [] })
}

/** PATCH (`part`): what each body has. */
export const checkPatch: Check = (plan) => checkUpdate(plan, 'part')

/** PUT (`whole`): every field. */
export const checkPut: Check = (plan) => checkUpdate(plan, 'whole')

async function checkUpdate(asked: WritePlan, extent: 'whole' | 'part'): Promise<Validate> {
  const accesses = await accessesOfRows(asked.records, extent)
  const records = asked.records.map((record, at) => {
    const access = accesses[at] ?? record.access
    return access === record.access ? record : Object.assign({}, record, { access })
  })
  const plan: WritePlan = Object.assign({}, asked, { records })
  const target = await plan.statements.target(plan, 'update')
  const { inputs, problems } = await readInputs(plan, extent, target)
  // Authorization errors win over validation errors, and come before rows of others are looked at.
  if (problems.length > 0 || records.some(readsOthers)) await target.rows()
  throwInputProblems(plan, problems)
  return async () => {
    await readOthersOfAll(plan)
    const { beforeUpdate, validate } = plan.access.entity.hooks ?? {}
    if (validate !== undefined) await validateAll(plan, inputs, await target.rows())
    const rows = beforeUpdate === undefined ? null : await target.rows()
    return async () =>
      plan.statements.update(plan, await changedRecords(plan, inputs, rows), target)
  }
}

/**
 * Asks the hooks of records that change.
 * @param rows The records as they are; null: no hook asks for them.
 */
export async function changedRecords(
  { access, records, placeOf }: WritePlan,
  inputs: readonly Row[],
  rows: ReadonlyMap<unknown, Row> | null,
): Promise<readonly ReadyRecord[]> {
  const { entity } = access
  const hook = rows === null ? undefined : entity.hooks?.beforeUpdate?.bind(entity.hooks)
  const ready: ReadyRecord[] = []
  for (const [index, record] of records.entries()) {
    if (isTurnLongFor(records)) await nextTurn()
    const { at, id } = record
    const written = await placing(at, placeOf, async () => {
      const filled = await fillValues(access, inputs[index] ?? {}, 'update')
      const returned = await hook?.(contextOf(access), { ...rows?.get(id) }, filled)
      return stamped(record, merged(filled, returned))
    })
    const { values, more } = withoutSql(entity, written)
    const columns = [...entity.columns.keys()].filter((each) => Object.hasOwn(values, each))
    const valued = Object.assign({}, record, { values })
    const parts = await placing(at, placeOf, () => partsOf(valued))
    const stored = await encodedValues(access, values, columns)
    ready.push(Object.assign(valued, { columns, stored, parts, more }))
  }
  return ready
}

/** An operation on records that are there: its question of the policy, and its hooks. */
export interface Removal {
  readonly operation: Question
  readonly before: string
  readonly after: AfterHook
}

/** Policy, hooks, DELETE, or what a feature puts in its place. */
export const checkDelete: Check = (plan) =>
  checkRemoval(plan, { operation: 'delete', before: 'beforeDelete', after: 'afterDelete' })

/** Policy, hooks, and what the statements of the plan do to the records in place of DELETE. */
export async function checkRemoval(
  plan: WritePlan,
  { operation, before, after }: Removal,
): Promise<Validate> {
  const { access, records, placeOf } = plan
  const target = await plan.statements.target(plan, operation)
  return async () => async () => {
    const hook = hookOf(access.entity, before)
    const isHooked = [hook, hookOf(access.entity, after), plan.afterAll].some(
      (each) => each !== undefined,
    )
    const isAsked = isHooked || records.some(readsOthers)
    const rows = isAsked ? await target.rows() : noRows
    const ready: ReadyRecord[] = []
    for (const record of records) {
      if (isTurnLongFor(records)) await nextTurn()
      const { at, id } = record
      const parts = await placing(at, placeOf, async () => {
        if (readsOthers(record)) await readOthers(record)
        await hook?.(contextOf(access), rows.get(id) ?? { id })
        return partsOf(Object.assign({}, record, nothingToStore))
      })
      ready.push(Object.assign({}, record, nothingToStore, { parts }))
    }
    return plan.statements.remove(plan, ready, target)
  }
}

const noRows: ReadonlyMap<unknown, Row> = new Map()

const nothingToStore = { values: {}, columns: [], stored: [], more: [] }

/** Lets features read other records. Returns true if new records need their keys before they are written. */
export async function readOthersOfAll({ records, placeOf }: WritePlan): Promise<boolean> {
  let needsKey = false
  for (const record of records) {
    if (!readsOthers(record)) continue
    if (isTurnLongFor(records)) await nextTurn()
    if (await placing(record.at, placeOf, () => readOthers(record))) needsKey = true
  }
  return needsKey
}

/** Sends all in one transaction, in this order; answers the records of each, when hooks were called. */
export async function sendAll(
  plan: WritePlan,
  sendings: readonly Sending[],
): Promise<readonly (readonly Resource[])[]> {
  const sent = await plan.statements.transaction(plan, sendings)
  if (isTurnLongFor(plan.records)) await nextTurn()
  const decoded = sendings.map(({ records }, index) =>
    records.map((record) => sent[index]?.get(record) ?? []),
  )
  for (const [index, sending] of sendings.entries()) {
    await callHooks(plan, sending, decoded[index] ?? [])
  }
  const answers: (readonly Resource[])[] = []
  for (const [index, sending] of sendings.entries()) {
    answers.push(await resourcesOf(plan, sending, decoded[index] ?? []))
  }
  return answers
}

/** Calls the hooks that follow the commit. */
async function callHooks(
  plan: WritePlan,
  { records, hook, rowOf }: Sending,
  decoded: readonly (readonly unknown[])[],
): Promise<void> {
  const written: { parts: ReadyRecord['parts']; row: Row }[] = []
  for (const [at, record] of records.entries()) {
    if (isTurnLongFor(records)) await nextTurn()
    written.push({ parts: record.parts, row: rowOf(record, decoded[at] ?? []) })
  }
  await afterEach(plan, hook, written)
  if (plan.afterAll === undefined) return
  const rows = written.map(({ row }) => row)
  await plan.afterAll(rows, hook.slice('after'.length).toLowerCase() as SavedOperation)
}
