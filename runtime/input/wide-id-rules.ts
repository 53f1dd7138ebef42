import { z } from 'zod'
import { bigInteger } from '../kinds/big-integer.js'
import { integer } from '../kinds/integer.js'
import { noDigits, type StoredKind } from '../kinds/kind.js'
import { text } from '../kinds/text.js'
import { uuid } from '../kinds/uuid.js'
import { worded } from './messages.js'

const kinds = { bigInteger, integer, text, uuid } as const

/** The id of another record; that the user may see it is checked besides. */
export const wideReference = (kind: 'bigInteger' | 'text') =>
  z.union([z.string(), z.number()]).transform((value, context) => {
    const id = idIn(kinds[kind], value)
    if (id === undefined) context.addIssue(worded('must be the id of a record', 'exists'))
    return String(id)
  })

/** Digits of a larger number may be lost before it comes here. */
const idIn = ({ key }: StoredKind, value: string | number) =>
  typeof value === 'string' || Number.isSafeInteger(value)
    ? key?.fromText(String(value))
    : undefined

/** Words that stand in paths where an id does, now or in a later version. */
const reserved = new Set(['.', '..', 'action', 'actions', 'bulk', 'filters', 'getters', 'search'])

/** Characters that a path cannot contain, or that proxies read in another way. */
const unfit = /[\s\p{C}/\\?#%]/u

/**
 * The id of a new record, which the body names.
 * @example givenId('text', { max: 12 })
 */
export const givenId = (kind: keyof typeof kinds, { max = 64 }: { readonly max?: number } = {}) =>
  z.union([z.string(), z.number()]).transform((value, context) => {
    const id = idIn(kinds[kind], value)
    const problem = problemOf(kinds[kind], id, max)
    if (problem !== null) context.addIssue(problem)
    return id ?? ''
  })

function problemOf(kind: StoredKind, id: string | number | undefined, max: number): string | null {
  if (id === undefined) {
    return `must be ${kind.isText ? 'a text that is not empty' : kind.says(noDigits)}`
  }
  const given = String(id)
  if (!kind.isText) return null
  if (given.length > max) return `must not be longer than ${max} characters`
  if (unfit.test(given)) return 'must not contain blanks or any of / \\ ? # %'
  return reserved.has(given) ? 'is a word that addresses of the API keep for themselves' : null
}
