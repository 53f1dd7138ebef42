import { notFound } from '../errors.js'
import { type Access, accessTo, ask, flagsOf, mayStore, newRequest, visibleRows } from './access.js'
import { type Described, describeAll } from './condition.js'
import { isDecidable } from './condition-memory.js'
import type { Row } from './definition.js'
import type { Entity } from './entity.js'
import { readId } from './ids.js'
import { type Part, run } from './plan.js'
import { readRow, readWritten } from './read.js'
import { deleteRefused, refusal, refusedWithoutRow, writeRefused } from './refusal.js'
import type { Resource } from './resource.js'
import type { SelectPlan } from './select.js'
import { decodeRow, partsOf, resourceOf, rowObject, type Want, wantKey } from './selection.js'
import type { Input } from './validation.js'
import { deletePlan, insertPlan, updatePlan } from './write-plan.js'
import {
  fillValues,
  merged,
  readInput,
  stamped,
  startingValues,
  storable,
} from './write-values.js'

/** Makes a record: policy, validation, foreign keys, hooks, one INSERT. */
export async function storeResource(
  entity: Entity,
  user: unknown,
  body: Input,
): Promise<Resource> {
  const access = accessTo(newRequest(user), entity)
  const { hooks } = entity.definition
  const context = { user: access.request.user }
  if (!(await mayStore(access))) throw refusedWithoutRow(access, 'store')
  const input = await readInput(access, body, 'canStore', 'whole')
  if ('error' in input) throw input.error
  const filled = await fillValues(access, startingValues(access, input.values))
  const values = merged(filled, await hooks?.beforeStore?.(context, filled))
  const columns = storedColumns(entity)
  const stored = await storable(entity, stamped(entity, values, 'store'), columns)
  const written = await write(access, values, async (want) => {
    const plan = entity.plans.get(`insert|${wantKey(want)}`, () => insertPlan(entity, want, columns))
    return { plan, parts: [...partsOf(always, want.flags), part(stored)] }
  }, 'afterStore')
  if (written === null) throw notFound()
  await hooks?.afterStore?.(context, written.row)
  return written.resource
}
