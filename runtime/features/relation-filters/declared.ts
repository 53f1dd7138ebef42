import type { Column } from '../../model/columns.js'
import type { Access } from '../../model/entity.js'
import type { MatchType } from '../../model/matching.js'
import type { MatchValue } from '../../model/queries.js'
import { andSeen } from '../../policy/gates.js'
import { ofPivot, type SentFilter } from './conditions.js'
import { type FilterTypes, findFilter, type RelationFilter } from './find-filter.js'

/** Compares columns by words, `seller.name[startsWith]=La`, where a project has that. */
export interface Comparing {
  /** Returns the words of a column. */
  words(column: Column, type: MatchType): readonly string[]
  /** A condition of the column; 400 where it cannot be read. */
  sent(compared: Compared, word: string, said: Pick<MatchValue, 'negated' | 'text'>): unknown
  /** Compares with a value that is no text. */
  typed(compared: Compared, word: string, value: unknown): unknown
  /** Returns true if no index serves it. */
  isScan(word: string): boolean
}

export interface Compared {
  readonly name: string
  readonly column: Column
  readonly type: MatchType
}

/** A repository's declaration, and the comparisons of its columns. */
export interface Declared {
  readonly types: FilterTypes
  readonly comparing: Comparing | null
}

/** Null: it asks for no column. */
export function comparedBy({ name, type, asks }: RelationFilter): Compared | null {
  if (type === 'exists' || (asks.kind !== 'column' && asks.kind !== 'pivot')) return null
  return { name, column: asks.column, type }
}

/** Makes the comparison of the record behind the last relation. */
export const comparison = (
  filter: RelationFilter,
  word: string,
  condition: unknown,
): SentFilter => ({
  filter,
  negated: false,
  isFew: filter.asks.kind === 'column' && (word === 'equals' || word === 'in'),
  condition: () => ofLastRecord(filter, condition),
})

/** A condition on the column that a filter asks for, where the user sees that column. */
export function ofLastRecord({ asks }: RelationFilter, condition: unknown): unknown {
  if (asks.kind === 'pivot') return ofPivot(condition)
  return asks.kind === 'column' ? andSeen(asks.access, asks.column.field, condition) : condition
}

/** Lists the names of a filter that this user may send, alone and with each comparison. */
export function namesOf(
  access: Access,
  { types, comparing }: Declared,
  name: string,
): readonly string[] {
  const filter = findFilter(access, types, name)
  if (filter === null) return []
  const compared = comparedBy(filter)
  const words = compared === null ? [] : comparing?.words(compared.column, compared.type)
  return [name, ...(words ?? []).map((word) => `${name}[${word}]`)]
}

/** The filter of a parameter; `word` where it compares: `startsWith` of `seller.name[startsWith]`. */
export function sentFilter(
  access: Access,
  { types, comparing }: Declared,
  name: string,
): { readonly filter: RelationFilter; readonly word: string | null } | null {
  const filter = findFilter(access, types, name)
  if (filter !== null) return { filter, word: null }
  const start = name.indexOf('[')
  if (comparing === null || start < 1 || !name.endsWith(']')) return null
  const compared = findFilter(access, types, name.slice(0, start))
  if (compared === null || comparedBy(compared) === null) return null
  return { filter: compared, word: name.slice(start + 1, -1) }
}
