/** Filters by comparisons: `price[gte]=5`, `status[in]=a,b`. Its row in the list of what `reads` names. */
export const operatorsRead = { name: 'operators', parameters: [] } as const
