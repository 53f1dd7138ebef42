import type { Match } from '../../model/matching.js'
import { reachableRows } from '../../policy/access.js'
import { combine } from '../../policy/condition.js'
import { readMatch } from '../../query/match.js'
import { accessBehind } from '../relations/entries.js'
import type { Asks } from './find-filter.js'

type MorphAsks = Extract<Asks, { kind: 'morph' }>

/**
 * `subject.type=posts`, `subject.id=3`: a record of one of several repositories, that the user may see.
 * With a minus, there is one, and it is another.
 */
export async function readMorph(
  asks: MorphAsks,
  texts: readonly string[],
  negated: boolean,
): Promise<Match> {
  const read = asks.member === 'type' ? readType : readId
  const meant = read(
    asks,
    texts.flatMap((text) => text.split(',')),
    negated,
  )
  return 'problem' in meant ? meant : { condition: await anyOf(asks, 'finds', meant) }
}

/** Whether there is one. */
export const anyMorph = (asks: MorphAsks, negated: boolean): Promise<unknown> =>
  anyOf(asks, negated ? 'lacks' : 'finds', { of: () => true })

/** Records of a repository, by its URI key; false: none. */
interface Meant {
  of(type: string): unknown
}

type Read = Meant | { readonly problem: string }

function readType({ entry }: MorphAsks, named: readonly string[], negated: boolean): Read {
  const types = [...entry.links.keys()]
  if (!named.every((name) => types.includes(name))) return { problem: `one of ${types.join(', ')}` }
  return { of: (type) => named.includes(type) !== negated }
}

/** A text that is no id of a repository names none of its records. */
function readId(asks: MorphAsks, texts: readonly string[], negated: boolean): Read {
  const conditions = new Map<string, unknown>()
  let problem: string | null = null
  let isKnown = false
  for (const [type, link] of asks.entry.links) {
    const { id } = accessBehind(asks.access, link).entity
    const own = texts.filter((text) => id.storage.fromText(text, id) !== undefined)
    const match = readMatch(id, 'array', own.length === 0 ? texts : own, negated)
    isKnown ||= own.length > 0
    if ('condition' in match) conditions.set(type, match.condition)
    else if (own.length > 0) return match
    else problem ??= match.problem
  }
  if (!isKnown && problem !== null) return { problem }
  return { of: (type) => conditions.get(type) ?? negated }
}

async function anyOf(
  { entry, access }: MorphAsks,
  word: 'finds' | 'lacks',
  meant: Meant,
): Promise<unknown> {
  const tests = [...entry.links].map(async ([type, link]) => {
    const rows = await reachableRows(accessBehind(access, link))
    return [type, combine('all', [rows, meant.of(type)])] as const
  })
  return { [entry.key]: { [word]: Object.fromEntries(await Promise.all(tests)) } }
}
