import { isTurnLongFor, nextTurn } from '../../event-loop.js'
import { Budget } from '../../model/budget.js'
import type { Access } from '../../model/entity.js'
import type { Resource } from '../../model/resource.js'
import { type Flags, flagsOf } from '../../policy/access.js'
import { answerTest } from '../../policy/condition-sql.js'
import { masksOf, noMasks } from '../../policy/gates.js'
import { readResources, resourcesInTurns } from '../read.js'
import { allColumns, isDecidedByRow, type RowReader, rowReader } from '../row-reader.js'
import { hookOf } from './parts.js'
import type { AfterHook, ReadyRecord, Sending, WritePlan } from './plan.js'
import { withMade } from './steps.js'

/** Reads the rows that were written, and makes resources of them. */
export interface WrittenReader {
  readonly reader: RowReader
  /** Flags of which the written row decides; absent: it is read again, or has none. */
  readonly flags?: Flags
  /** Makes resources of decoded rows. */
  resources(rows: readonly (readonly unknown[])[]): Promise<readonly Resource[]>
}

/** Reads the rows of a statement's RETURNING: all columns where a hook or a part of the write wants them. */
export async function writtenReader(
  plan: WritePlan,
  hook: AfterHook,
  records: readonly ReadyRecord[],
): Promise<WrittenReader> {
  return readerOf(plan, needsRow(plan, hook, records))
}

/** Returns true if something that follows the statement wants all columns of the rows. */
export const needsRow = (
  { access: { entity }, afterAll }: WritePlan,
  hook: AfterHook,
  records: readonly ReadyRecord[],
): boolean =>
  hookOf(entity, hook) !== undefined ||
  afterAll !== undefined ||
  records.some(({ parts }) => parts.some((part) => part.needsRow === true))

/** @param isWhole Whether all columns are read. */
export async function readerOf(
  { access, isMinimal }: WritePlan,
  isWhole: boolean,
): Promise<WrittenReader> {
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
  if (isDecided) return { reader, flags, resources: (rows) => resourcesInTurns(reader, rows) }
  const idsOf = (rows: readonly (readonly unknown[])[]) => rows.map(([id]) => id)
  return { reader, resources: (rows) => readAgain(access, idsOf(rows)) }
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
    filter: answerTest(entity, { id: ids.length === 1 ? ids[0] : { in: ids } }),
    flags: await flagsOf(access, 'asked'),
    budget,
    most: ids.length,
  })
  const byId = new Map(found.map((resource) => [resource.id, resource]))
  return ids.flatMap((id) => byId.get(String(id)) ?? [])
}

/** The records of rows that were written, with those that were made with them. */
export async function resourcesOf(
  { isMinimal }: WritePlan,
  { records, resources: read }: Sending,
  decoded: readonly (readonly unknown[])[],
): Promise<readonly Resource[]> {
  if (isTurnLongFor(records)) await nextTurn()
  const resources = await read(decoded)
  if (isMinimal) return resources
  for (const [at, resource] of resources.entries()) {
    const record = records[at]
    if (record === undefined || record.steps.every(({ made }) => made === undefined)) continue
    if (isTurnLongFor(records)) await nextTurn()
    await withMade(record, resource)
  }
  return resources
}
