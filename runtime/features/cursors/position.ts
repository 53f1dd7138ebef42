import { badParameter } from '../../query/query.js'
import type { Held, Way } from './keyset.js'
import type { Seal } from './seal.js'

/** The beginning of a page. */
export interface Position {
  readonly way: Way
  /** Sort values of the record before it; null: it begins where the list does, or ends. */
  readonly from: readonly Held[] | null
}

/** Names of the cursor in messages: `after` and `before` in GraphQL. */
export type Said = 'cursor' | 'after' | 'before'

export const first: Position = { way: 'next', from: null }

/** Addresses have to hold it, and servers before this one take some 8,000 characters. */
const mostCharacters = 6_000

/** @param about What the list is: a cursor is of one order, one set of filters, one place. */
export function cursorOf(seal: Seal, about: string, { way, from }: Position): string {
  const cursor = seal.close(JSON.stringify([way, from]), about)
  if (cursor.length <= mostCharacters) return cursor
  throw badParameter(
    'sort',
    'is by values too long to go on from with a cursor: sort by shorter ones, or ask for pages by number',
  )
}

/** 400 for what is no cursor of this list. */
export function positionOf(
  seal: Seal,
  about: string,
  cursor: string,
  { name, keys }: { readonly name: Said; readonly keys: number },
): Position {
  if (cursor === '') return first
  const text = cursor.length > mostCharacters ? null : seal.open(cursor, about)
  const position = text === null ? null : parsed(text, keys)
  const isRight = name === 'cursor' || position?.way === (name === 'after' ? 'next' : 'prev')
  if (position !== null && isRight) return position
  throw badParameter(
    name,
    position === null
      ? 'is no cursor of this list: cursors hold for the sort, search and filters they came with. Begin with an empty one'
      : `takes ${name === 'after' ? 'what is called next' : 'what is called previous'}`,
  )
}

/** Our own text; of an older version of this server it may be another one. */
function parsed(text: string, keys: number): Position | null {
  const said: unknown = JSON.parse(text)
  if (!Array.isArray(said)) return null
  const [way, from] = said as readonly unknown[]
  if (way !== 'next' && way !== 'prev') return null
  if (from === null) return { way, from }
  if (!Array.isArray(from) || from.length !== keys || !from.every(isHeld)) return null
  return { way, from }
}

const isHeld = (value: unknown): value is Held =>
  value === null || typeof value === 'string' || typeof value === 'number'
