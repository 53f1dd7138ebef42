import type { Column, Entity } from '../../blueprint/types.js'
import { isChoiceOfOne, storedAs } from '../../kinds/kinds.js'

/**
 * The comparisons of a column's values; `runtime/features/operators/comparisons.ts` has the table.
 */
export type Comparisons = 'truth' | 'choice' | 'order' | 'text'

/** The words of each, those that take a list apart. */
export const words = {
  truth: ['equals', 'not'],
  choice: ['equals', 'not'],
  order: ['equals', 'not', 'lt', 'lte', 'gt', 'gte'],
  text: ['equals', 'not', 'lt', 'lte', 'gt', 'gte'],
} as const satisfies Readonly<Record<Comparisons, readonly string[]>>

export const listWords = ['in', 'notIn'] as const
export const textWords = ['contains', 'startsWith', 'endsWith'] as const

export const hasLists = (comparisons: Comparisons) => comparisons !== 'truth'

/** Null: of values that the databases compare each in its way, as JSON. */
export function comparisonsOf(column: Column): Comparisons | null {
  const { isJson, isSecret, isText, name } = storedAs(column)
  if (isJson || isSecret) return null
  if (name === 'boolean') return 'truth'
  if (name === 'uuid' || isChoiceOfOne(column.kind)) return 'choice'
  return isText ? 'text' : 'order'
}

/** The match columns of a repository that may be compared. */
export function comparedColumns({
  match,
  columns,
}: Entity): readonly (readonly [Column, Comparisons])[] {
  return match.flatMap((each) => {
    const column = columns.find(({ name }) => name === each.column)
    const comparisons = column === undefined ? null : comparisonsOf(column)
    return column === undefined || comparisons === null ? [] : [[column, comparisons] as const]
  })
}
