/** Why a condition holds for a row or does not, as data: what is printed, and what tools read. */

export type Verdict = 'yes' | 'no' | 'unknown'

export interface Tree {
  /** `hidden`: of a field that who asks may not see, so nothing is said of it. */
  readonly kind: 'all' | 'any' | 'not' | 'column' | 'related' | 'sql' | 'constant' | 'hidden'
  /** The condition in words: `customer_id is 3`. */
  readonly words: string
  /** Its words for all users whose own values are in it: `customer_id is the user's id`. */
  readonly label?: string
  /** Null: hidden. */
  readonly verdict: Verdict | null
  /** It is part of what decided. */
  readonly decides: boolean
  /** Words of others that would have to change with it, before the answer is another. */
  readonly with?: readonly string[]
  readonly parts?: readonly Tree[]
  readonly column?: ColumnFacts
  readonly related?: RelatedFacts
}

/** The two values that were compared. */
export interface ColumnFacts {
  readonly name: string
  readonly row: unknown
  /** Its words for people: short, and harmless to a terminal. */
  readonly shown: string
  readonly compared: unknown
  /** The user's field that it came from. */
  readonly from: string | null
}

export interface RelatedFacts {
  readonly repository: string
  readonly total: number
  /** For how many of them what is said of them holds. */
  readonly matching: number
  /** The one that decided, or came first; null: there is none to show. */
  readonly first: { readonly id: string; readonly tree: Tree | null } | null
}

export const verdictOf = (value: unknown): Verdict => {
  if (value === null || value === undefined) return 'unknown'
  return value === true || value === 1 ? 'yes' : 'no'
}

const opposites = { yes: 'no', no: 'yes', unknown: 'unknown' } as const

/** Joins verdicts as SQL does. */
export function joinedVerdict(kind: 'all' | 'any' | 'not', parts: readonly Verdict[]): Verdict {
  if (kind === 'not') return opposites[parts[0] ?? 'unknown']
  const deciding = kind === 'all' ? 'no' : 'yes'
  if (parts.includes(deciding)) return deciding
  return parts.includes('unknown') ? 'unknown' : opposites[deciding]
}

/** A leaf is what has no parts; those of related records are explained on their own. */
export const isLeaf = ({ parts }: Tree): boolean => parts === undefined
