import { isPart, operatorsOf } from './comparisons.js'
import { comparisonSent, comparisonTyped } from './operators.js'

/** Features compare columns of other tables with these functions. */
export const comparing = {
  words: operatorsOf,
  sent: comparisonSent,
  typed: comparisonTyped,
  isScan: isPart,
}
