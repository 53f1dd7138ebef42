/** Lists below a record: `include[reviews][perPage]=3`. Its row in the list of what `reads` names. */
export const includeArgumentsRead = {
  name: 'includeArguments',
  // Columns that are called `include` have been `filter[include]` all along.
  parameters: [],
} as const
