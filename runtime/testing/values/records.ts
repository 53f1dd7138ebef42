import { searchProblem } from '../../query/parse-query.js'
import type { Edges, Values } from '../tested.js'

/** A record, and the values that it was written with. */
export interface Written {
  readonly id: string
  readonly values: Values
}

/** The first edge of every field, the second, and so on; a field that has no more is left out. */
export function rowsOf({ fields }: Pick<Edges, 'fields'>): readonly Values[] {
  const all = Object.entries(fields)
  const count = Math.max(0, ...all.map(([, values]) => values.length))
  return Array.from({ length: count }, (_, at) => {
    const some = all.filter(([, values]) => at < values.length)
    return Object.fromEntries(some.map(([name, values]) => [name, values[at]]))
  })
}

/** The columns that the other one has. */
export const pick = (all: Values, like: Values): Values =>
  Object.fromEntries(Object.keys(like).map((name) => [name, all[name]]))

export const idsOf = (records: readonly Written[]): readonly string[] => records.map(({ id }) => id)

/** NULL comes last both ways. */
export function descending(records: readonly Written[], name: string): readonly Written[] {
  const isNull = ({ values }: Written) => values[name] === null
  return [...records.filter((one) => !isNull(one)).toReversed(), ...records.filter(isNull)]
}

/**
 * Returns true if a filter takes the value: a comma stands between values, the word null for NULL,
 * and parts of texts are short.
 */
export const isAskable = (type: string, value: unknown): boolean =>
  value !== '' &&
  value !== 'null' &&
  !String(value).includes(',') &&
  (type !== 'partial' || searchProblem(String(value)) === null)

/** Returns true if a filter of this type finds the value. */
export function isFound(type: string, wanted: unknown, value: unknown): boolean {
  if (wanted === null || value === null) {
    return value === wanted || (wanted === false && value === null)
  }
  return type === 'partial' ? String(value).includes(String(wanted)) : value === wanted
}
