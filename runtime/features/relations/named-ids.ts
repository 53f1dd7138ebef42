import { absent, sentence, worded } from '../../input/messages.js'
import type { Input } from '../../input/validation.js'
import type { Column } from '../../model/columns.js'
import { getOwn } from '../../model/get-own.js'
import { readId } from '../../model/ids.js'

/** Ids of one request; more are 422. */
const maxIds = 1000

/** Related records that a body names. */
export interface NamedIds {
  /** Each once, in the order given, as rows hold them. */
  readonly ids: readonly (number | string)[]
  /** Texts and numbers no record can have as its id. */
  readonly impossible: readonly string[]
  /** The problem with the list itself, or null. */
  readonly problem: string | null
}

/**
 * Reads `{ "users": [1, 2] }`, or a single id. Sync may be asked for none; attach and detach of
 * none would do nothing, and no policy would be asked.
 */
export function readIds(id: Column, key: string, input: Input, mayBeNone: boolean): NamedIds {
  const given = getOwn(input, key)
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  const problem = problemOf(given, list, mayBeNone)
  if (problem !== null) return { ids: [], impossible: [], problem: sentence(key, problem) }
  const ids = new Set<number | string>()
  const impossible = new Set<string>()
  for (const item of list) {
    const text = String(item)
    const found = readId(id, text)
    if (found === null) impossible.add(text.slice(0, 64))
    else ids.add(found)
  }
  return { ids: [...ids], impossible: [...impossible], problem: null }
}

function problemOf(given: unknown, list: readonly unknown[], mayBeNone: boolean): string | null {
  if (given === undefined || given === null) return absent(given)
  if (list.length === 0 && !mayBeNone) return worded('must not be empty', 'empty')
  if (list.length > maxIds) {
    return worded(`must not have more than ${maxIds} items`, 'maxItems', { max: maxIds })
  }
  return list.every(isIdLike) ? null : worded('must be a list of ids', 'ids')
}

const isIdLike = (item: unknown) => typeof item === 'string' || typeof item === 'number'

/** 422: ids that no record has, or none the user may see. The first are named, and the others counted. */
export function unknownIds(key: string, ids: readonly (number | string)[]): string {
  const text = `must be ids of records that exist: there is no ${someIds(ids)}`
  return sentence(key, worded(text, 'idsExist', { ids: someIds(ids, (count) => `… (+${count})`) }))
}

/** Ids that one text names. */
const mostIds = 20

const andMore = (count: number) => `and ${count} more`

/** `1, 2, 3`; of many ids, the first and how many more there are. */
export function someIds(ids: readonly (number | string)[], more = andMore): string {
  const named = ids
    .slice(0, mostIds)
    .map((id) => String(id).slice(0, 64))
    .join(', ')
  return ids.length > mostIds ? `${named} ${more(ids.length - mostIds)}` : named
}
