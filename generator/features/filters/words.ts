/** `GET /posts/filters`: what lists may be asked for. Its row in the list of what `reads` names. */
export const filtersRead = { name: 'filters', parameters: [] } as const
