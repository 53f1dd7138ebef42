import { isTurnLong, nextTurn } from '../../../event-loop.js'
import type { Access, Extension, PlaceOf } from '../../../model/entity.js'
import { extended } from '../../../policy/access.js'
import { accessesOf } from '../../extend-write.js'
import type { PlannedRecord } from '../plan.js'

/** A record of a request, and what it says beside its fields. */
export interface NamedRecord extends Omit<PlannedRecord, 'access'> {
  readonly parameters: Access['parameters']
}

/**
 * Adds what each record is asked, of records that one request writes together.
 * @param ofRecord What the write of one record does besides, by its place in the request.
 */
export async function withAccesses(
  access: Access,
  records: readonly NamedRecord[],
  placeOf: PlaceOf,
  ofRecord?: (at: number) => readonly Extension[] | undefined,
): Promise<readonly PlannedRecord[]> {
  const writes = records.map(({ write }) => write)
  const placeOfRecord: PlaceOf = (index, field) => placeOf(records[index]?.at ?? index, field)
  const accesses = accessesOf(access, writes, placeOfRecord)
  const planned: PlannedRecord[] = []
  for (const [index, { at, id, write, parameters }] of records.entries()) {
    if (isTurnLong()) await nextTurn()
    const own = accesses[index] ?? access
    const said = own.parameters === parameters ? own : Object.assign({}, own, { parameters })
    planned.push({ at, id, write, access: extended(said, ofRecord?.(at)) })
  }
  return planned
}
