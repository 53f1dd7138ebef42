import { comparisonsInGraphql } from '../operators/graphql.js'
import { hasRead } from '../reads/feature.js'
import { treeWords } from './words.js'

/** `postList(where: { any: [{ price: { gte: "5" } }] })`, with the comparisons of columns in it. */
export const treesInGraphql = comparisonsInGraphql({
  has: (entity, project) => hasRead(entity, project, 'trees'),
  words: treeWords,
  members: (where) => [`any: [${where}!]`, `all: [${where}!]`, `not: ${where}`],
})
