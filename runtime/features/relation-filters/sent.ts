import { boolean } from '../../kinds/boolean.js'
import type { Access } from '../../model/entity.js'
import type { Match } from '../../model/matching.js'
import type { MatchValue } from '../../model/queries.js'
import { type ColumnMatch, perColumn, readBy } from '../../query/filter.js'
import { readMatch } from '../../query/match.js'
import { badParameter } from '../../query/query.js'
import type { SentFilter } from './conditions.js'
import { ofLastRecord, comparedBy, comparison, type Declared, sentFilter } from './declared.js'
import { findFilter, type RelationFilter } from './find-filter.js'
import { anyMorph, readMorph } from './morph-filter.js'

/** Reads the parameters; throws 400 where one cannot be read. */
export function sent(
  access: Access,
  declared: Declared,
  said: readonly MatchValue[],
): readonly SentFilter[] {
  const isCompared = ({ column }: MatchValue) => !Object.hasOwn(declared.types, column)
  const plain = perColumn(said.filter((value) => !isCompared(value)))
  return [
    ...plain.map((each) => matched(access, declared, each)),
    ...compared(access, declared, said.filter(isCompared)),
  ]
}

function matched(access: Access, { types }: Declared, said: ColumnMatch): SentFilter {
  const filter = findFilter(access, types, said.column)
  if (filter === null) throw badParameter(said.column, 'is not known')
  const { asks, type } = filter
  if (type === 'exists') return whether(access, said, filter)
  const condition = async (negated: boolean): Promise<unknown> => {
    if (asks.kind === 'exists') return true
    if (asks.kind === 'morph') {
      const match = await readMorph(asks, said.texts, negated)
      return readBy(access, said, type, () => match)
    }
    const { column } = asks
    const found = readBy(access, said, type, (texts) => readMatch(column, type, texts, negated))
    return ofLastRecord(filter, found)
  }
  const isFew = asks.kind === 'column' && type !== 'partial' && type !== 'boolean'
  return { filter, negated: said.negated, isFew, condition }
}

/** `reviews=true`: there is one. */
function whether(access: Access, said: ColumnMatch, filter: RelationFilter): SentFilter {
  const { asks } = filter
  const read = ([text = '']: readonly string[]): Match => {
    const value = boolean.fromText(text, access.entity.id)
    return typeof value === 'boolean' ? { condition: value } : { problem: 'true or false' }
  }
  const isThere = readBy(access, said, 'boolean', read) !== said.negated
  const condition = (negated: boolean) => (asks.kind === 'morph' ? anyMorph(asks, negated) : true)
  return { filter, negated: !isThere, isFew: false, condition }
}

function compared(
  access: Access,
  declared: Declared,
  said: readonly MatchValue[],
): readonly SentFilter[] {
  const seen = new Set<string>()
  return said.map(({ column: name, negated, text }) => {
    const found = sentFilter(access, declared, name)
    const of = found === null ? null : comparedBy(found.filter)
    if (found?.word === undefined || found.word === null || of === null || !declared.comparing) {
      throw badParameter(name, 'is not known')
    }
    if (seen.has(name)) throw badParameter(name, 'must not be sent more than once')
    seen.add(name)
    const condition = declared.comparing.sent(of, found.word, { negated, text })
    return comparison(found.filter, found.word, condition)
  })
}
