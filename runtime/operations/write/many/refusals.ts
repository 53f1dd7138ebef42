import type { RawRow } from '../../../database/types.js'
import { forbidden, type HttpError, unauthenticated } from '../../../errors.js'
import type { Access, PlaceOf, Question } from '../../../model/entity.js'
import { explain } from '../../../policy/access.js'
import type { RowReader } from '../../row-reader.js'
import { withErrors } from '../places.js'
import type { PlannedRecord } from '../plan.js'

/** 403 naming records; 401 where there is no user. */
export function refused(
  access: Access,
  question: Question,
  records: readonly PlannedRecord[],
  placeOf: PlaceOf,
): HttpError {
  explain(access, question, 'denied')
  return access.request.user === null ? unauthenticated() : naming(forbidden(), records, placeOf)
}

/** Returns the error, at the places of these records. */
export function naming(
  error: HttpError,
  records: readonly PlannedRecord[],
  placeOf: PlaceOf,
): HttpError {
  const errors = records.map(({ at }): [string, string[]] => [placeOf(at, 'id'), [error.message]])
  return withErrors(error, Object.fromEntries(errors))
}

/** Rows that were written by the id that the database answers. */
export const byId = (reader: RowReader, raws: readonly RawRow[]) =>
  new Map(
    raws.map((raw) => {
      const row = reader.decode(raw)
      return [row[0], row] as const
    }),
  )
