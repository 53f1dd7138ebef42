import { countedText, HttpError, invalid, mostNamed } from '../../errors.js'
import { isTurnLong, nextTurn } from '../../event-loop.js'
import { absent, sentence, worded } from '../../input/messages.js'
import type { Input } from '../../input/validation.js'
import type { Access, Entity, PlaceOf } from '../../model/entity.js'
import { isRecord } from '../../model/get-own.js'
import { readId } from '../../model/ids.js'
import { mustBeObject, noRecord } from '../../operations/write/inputs.js'
import type { NamedRecord } from '../../operations/write/many/plan.js'
import { throwProblems } from '../../operations/write/places.js'
import { takeMembers } from '../../query/row-members.js'

/** Reads the body of a request about many records. */

/** Throws 413 for more records than are taken at once, and 422 for none. */
export function checkLength(list: readonly unknown[], most: number, name: string): void {
  if (list.length > most) {
    throw new HttpError(413, `One request takes at most ${most} records; these are ${list.length}.`)
  }
  if (list.length === 0) throw invalid({ [name]: ['Name at least one record.'] })
}

/** A list of objects, or of `noRecord` where one is none. */
export function listOf(body: unknown, most: number): readonly Input[] {
  if (!Array.isArray(body)) throw invalid({ body: ['The body must be a list of records.'] })
  checkLength(body, most, 'body')
  return body.map((item: unknown) => (isRecord(item) ? item : noRecord))
}

const notKnown = () => worded('is not known', 'notKnown')

export const listedTwice = () => worded('is in the list already', 'listedTwice')

/** The ids of `{ "ids": [] }` or of a list alone, each as a record; 422 for anything else. */
export function idsOf(body: unknown, most: number): readonly Input[] {
  const list = isRecord(body) ? body['ids'] : body
  if (!Array.isArray(list)) throw invalid({ ids: ['The ids field must be a list.'] })
  const other = isRecord(body) ? Object.keys(body).find((key) => key !== 'ids') : undefined
  if (other !== undefined) throw invalid({ [other]: [sentence(other, notKnown())] })
  checkLength(list, most, 'ids')
  return list.map((item: unknown) => (isRecord(item) ? item : { id: item }))
}

/**
 * Records that are there, by the `id` that each names; 422 for those that name none, or one that is
 * in the list already.
 */
export async function namedRecords(
  access: Access,
  operation: 'update' | 'delete',
  bodies: readonly Input[],
  placeOf: PlaceOf,
): Promise<readonly NamedRecord[]> {
  const problems = new Map<string, string[]>()
  const seen = new Set<unknown>()
  const records: NamedRecord[] = []
  for (const [at, given] of bodies.entries()) {
    if (isTurnLong()) await nextTurn()
    if (given === noRecord) {
      problems.set(placeOf(at), [mustBeObject])
      continue
    }
    const { id: named, ...fields } = given
    const { idText, id, problem } = readNamed(access.entity, named)
    const place = placeOf(at, 'id')
    if (problem !== null) {
      problems.set(place, [problem])
      continue
    }
    const key = id ?? `? ${idText}`
    if (seen.has(key)) problems.set(place, [sentence('id', listedTwice())])
    seen.add(key)
    const { access: own, body, problems: found } = takeMembers(access, fields)
    for (const [name, text] of found) problems.set(placeOf(at, name), [text])
    if (operation === 'delete') {
      for (const name of Object.keys(body)) {
        const isNamed = problems.size < mostNamed
        problems.set(placeOf(at, name), [isNamed ? sentence(name, notKnown()) : countedText])
      }
    }
    const write = { operation, idText, body }
    records.push({ at, id, write, parameters: own.parameters })
  }
  throwProblems(problems)
  return records
}

function readNamed(entity: Entity, named: unknown) {
  if (typeof named === 'string' || typeof named === 'number') {
    const idText = String(named)
    return { idText, id: readId(entity.id, idText), problem: null }
  }
  const text =
    named === undefined ? absent(named) : worded('must be the id of a record', 'recordId')
  return { idText: '', id: null, problem: sentence('id', text) }
}
