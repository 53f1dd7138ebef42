/** Lists that are read from any record on: `offset=40&limit=20`. Its row in the list of what `reads` names. */
export const offsetsRead = {
  name: 'offsets',
  parameters: ['offset', 'limit'],
} as const
