/** Answers with some attributes: `fields=title,price`. Its row in the list of what `reads` names. */
export const sparseRead = { name: 'sparse', parameters: ['fields'] } as const
