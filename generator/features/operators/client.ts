import type { ClientPart } from '../client/names.js'
import { hasRead } from '../reads/feature.js'
import { comparisonsOf, type Comparisons } from './comparisons.js'

/** The type of what compares a column; `value` is that of one value. */
export const filterType = (comparisons: Comparisons, value: string): string =>
  types[comparisons](value)

const types: Readonly<Record<Comparisons, (value: string) => string>> = {
  truth: () => 'TruthFilter',
  choice: (value) => `ChoiceFilter<${value}>`,
  order: (value) => `OrderFilter<${value}>`,
  text: (value) => `TextFilter<${value}>`,
}

/** `match: { price: { gte: '5.00' } }`, in place of a value. */
export const operatorsInClient: ClientPart = {
  compared: ({ api }, entity, column, value) => {
    const comparisons = comparisonsOf(column)
    const isCompared = comparisons !== null && hasRead(entity, api.project, 'operators')
    return isCompared ? filterType(comparisons, value) : null
  },
}
