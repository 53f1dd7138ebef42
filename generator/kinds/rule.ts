import type { ColumnFacts, Rule } from './kind.js'
import { literal } from './literal.js'
import { blankCheckOf, chainOf } from './text/text-rules.js'

/** The bounds that a field says, by the names of its modifiers. */
export function limits({ min, max }: ColumnFacts): readonly (readonly [string, number])[] {
  const both = [['min', min] as const, ['max', max] as const]
  return both.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

const chained = (column: ColumnFacts): string =>
  blankCheckOf(column) +
  limits(column)
    .map(([name, value]) => `.${name}(${value})`)
    .join('') +
  chainOf(column)

/** `text().max(160)`. */
export const bounded = (column: ColumnFacts): string => `()${chained(column)}`

/** `select(['draft', 'live'])`. */
export const chosen = (column: ColumnFacts): string =>
  `([${(column.options ?? []).map(literal).join(', ')}])${chained(column)}`

/** `formed(/^[a-z]+$/, 'must be lower-case letters').max(20)`. */
export const patterned =
  (pattern: RegExp, says: string) =>
  (column: ColumnFacts): string =>
    `(${String(pattern)}, ${literal(says)})${chained(column)}`

/** `textarea(5000)`: a rule with a bound of its own takes another one in its place. */
export function replacing(column: ColumnFacts): string {
  const { max, ...others } = column
  return `(${max === undefined ? '' : max})${chained(others)}`
}

/** One in the file that every project gets. */
export const usualRule = (name: string): Rule => ({ name, file: 'rules', given: bounded })
