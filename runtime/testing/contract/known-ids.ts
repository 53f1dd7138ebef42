import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { Data } from './schema.js'

/** The ids of records that are there. */
export type Ids = () => readonly string[]

/** A column that names a record. */
export const isReference = (given: Data): boolean => /\/Id$/.test(String(given['$ref']))

/** References to one record, as text and as a number. */
export const references = (ids: Ids): Arbitrary<string | number> =>
  fc.oneof(knownIds(ids), knownIds(ids).map(Number))

/** Ids of records that are there, and of none. */
const knownIds = (ids: Ids): Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.nat().map((at) => numbers(ids()).at(at % 50) ?? '1') },
    fc.integer({ min: 1, max: 2 ** 31 - 1 }).map(String),
  )

const numbers = (ids: readonly string[]) => ids.filter((id) => /^\d+$/.test(id)).slice(0, 50)

export function uuids(ids: Ids): Arbitrary<string> {
  const made = ids()
    .filter((id) => id.includes('-'))
    .slice(-50)
  return made.length === 0 ? fc.uuid() : fc.oneof(fc.constantFrom(...made), fc.uuid())
}
