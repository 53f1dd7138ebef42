import { isTurnLong, nextTurn } from '../../../event-loop.js'
import type { Access } from '../../../model/entity.js'
import type { PlannedRecord } from '../plan.js'
import { noSteps } from '../steps.js'

/** A record of a request, and what it says beside its fields. */
export interface NamedRecord extends Omit<PlannedRecord, 'access' | 'steps'> {
  readonly parameters: Access['parameters']
}

/** Adds what each record is asked, of records that one request writes together. */
export async function withAccesses(
  access: Access,
  records: readonly NamedRecord[],
): Promise<readonly PlannedRecord[]> {
  const planned: PlannedRecord[] = []
  for (const { at, id, write, parameters } of records) {
    if (isTurnLong()) await nextTurn()
    const own =
      access.parameters === parameters ? access : Object.assign({}, access, { parameters })
    planned.push({ at, id, write, access: own, steps: noSteps })
  }
  return planned
}
