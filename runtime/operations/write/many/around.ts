import { type FieldErrors, HttpError } from '../../../errors.js'
import { isTurnLong, nextTurn } from '../../../event-loop.js'
import type { PlaceOf } from '../../../model/entity.js'
import { around } from '../../extend-write.js'
import type { PlannedRecord, WritePlan } from '../plan.js'

/** Inside what extensions put around the write of each record, and errors are of that record. */
export async function aroundAll<Done>(
  { access, records, placeOf }: WritePlan,
  work: () => Promise<Done>,
): Promise<Done> {
  if (access.extensions.every((each) => each.around === undefined)) return work()
  const views = new Map<unknown, unknown>()
  const viewOf = viewsOf(records, placeOf)
  let run = work
  for (const record of records.toReversed()) {
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
        const view = viewOf(whole, record.at)
        views.set(view, whole)
        throw view
      }
    }
    run = () => around(record.access, record.write, own)
  }
  try {
    return await run()
  } catch (error) {
    throw views.get(error) ?? error
  }
}

/** Says what an answer about many records has to do with one of them. */
function viewsOf(records: readonly PlannedRecord[], placeOf: PlaceOf) {
  const places = new Map(records.map(({ at }) => [placeOf(at, ''), at]))
  const known = new Map<HttpError, ReadonlyMap<number, FieldErrors>>()
  return (error: unknown, at: number): unknown => {
    if (!(error instanceof HttpError)) return error
    const byRecord = known.get(error) ?? errorsByRecord(error, places)
    known.set(error, byRecord)
    const { status, message, headers } = error
    return new HttpError(status, message, byRecord.get(at) ?? {}, headers)
  }
}

/** By record, from places such as `3.title` and `ids.3`: once, however many records there are. */
function errorsByRecord(
  { errors = {} }: HttpError,
  places: ReadonlyMap<string, number>,
): ReadonlyMap<number, FieldErrors> {
  const byRecord = new Map<number, FieldErrors>()
  for (const [name, texts] of Object.entries(errors)) {
    const [, before, field] = /^((?:ids\.)?\d+\.?)(.*)$/s.exec(name) ?? []
    const at = before === undefined ? undefined : places.get(before)
    if (at === undefined || field === undefined) continue
    const own = byRecord.get(at) ?? {}
    own[field] = texts
    byRecord.set(at, own)
  }
  return byRecord
}
