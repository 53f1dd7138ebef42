import { sentence, worded } from '../../input/messages.js'
import type { Input } from '../../input/validation.js'
import type { Write } from '../../model/entity.js'
import { isRecord } from '../../model/get-own.js'
import { mustBeObject } from '../../operations/write/inputs.js'
import type { HasRelated, Link } from '../relations/entries.js'

/** A relation to records that point back. */
export interface ChildLink extends Link {
  readonly relation: HasRelated
}

export const isChildLink = (link: Link): link is ChildLink =>
  !('pivot' in link.relation) && link.relation.kind !== 'belongsTo'

/** A record to be made below another one. */
export interface Child {
  /** The record of the request that it is below. */
  readonly parent: number
  /** The place in the body of that record: `comments.0`, or `phone`. */
  readonly place: string
  readonly body: Input
}

/** Something that is wrong with the body of a record, by a name in it. */
export type Problem = readonly [parent: number, name: string, texts: readonly string[]]

/** Counts the records that a body creates. */
export function countChildren({ body }: Write, { key }: ChildLink): number {
  const value = body[key]
  if (Array.isArray(value)) return value.length
  return isRecord(value) ? 1 : 0
}

/** The children in the body of a record, and what cannot be one. */
export function readChildren(
  { body }: Write,
  { key, toOne }: ChildLink,
  parent: number,
): { readonly children: readonly Child[]; readonly problems: readonly Problem[] } {
  if (!Object.hasOwn(body, key)) return { children: [], problems: [] }
  const value = body[key]
  const wrong = (name: string, text: string): Problem => [parent, name, [text]]
  if (toOne) {
    if (value === null) return { children: [], problems: [] }
    return isRecord(value)
      ? { children: [{ parent, place: key, body: value }], problems: [] }
      : {
          children: [],
          problems: [wrong(key, sentence(key, worded('must be an object', 'object')))],
        }
  }
  if (!Array.isArray(value)) {
    return {
      children: [],
      problems: [wrong(key, sentence(key, worded('must be a list of records', 'records')))],
    }
  }
  const children: Child[] = []
  const problems: Problem[] = []
  for (const [at, each] of value.entries()) {
    const place = `${key}.${at}`
    if (isRecord(each)) children.push({ parent, place, body: each })
    else problems.push(wrong(place, mustBeObject))
  }
  return { children, problems }
}

/** Refuses a child that names a record above it: the one above is new. */
export function namedParents(
  { parent, place, body }: Child,
  { relation, source }: ChildLink,
  above: Write,
): readonly Problem[] {
  const { foreignKey, morphType } = relation
  const own = new Map<string, unknown>([[foreignKey, above.body['id']]])
  if (morphType !== null) own.set(morphType, source.key)
  return [...own].flatMap(([name, value]): Problem[] => {
    if (!Object.hasOwn(body, name)) return []
    const isSame = value !== undefined && String(value) === String(body[name])
    return isSame
      ? []
      : [[parent, `${place}.${name}`, [sentence(name, worded(isAbove, 'isAbove'))]]]
  })
}

const isAbove = 'is the record above, which is new: leave it out'
