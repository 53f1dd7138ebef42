/**
 * Lists that are asked in a body, with any, all and not of comparisons: `POST /posts/search`. Its row in the list of what `reads`
 * names.
 */
export const treesRead = {
  name: 'trees',
  // The body has it, and no address.
  parameters: [],
  // `POST /posts/search` is its address.
  entry: 'search',
} as const

/** Words of a tree, which columns of these names cannot be there. */
export const treeWords: readonly string[] = ['any', 'all', 'not']
