import { isPart, operatorsOf } from './comparisons.js'
import { comparisonSent, comparisonTyped } from './operators.js'

/** What features compare other columns by, that are not of the repository itself. */
export const comparing = {
  words: operatorsOf,
  sent: comparisonSent,
  typed: comparisonTyped,
  isScan: isPart,
}
