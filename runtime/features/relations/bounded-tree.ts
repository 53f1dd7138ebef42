import type { Access } from '../../model/entity.js'
import type { IncludeTree, ShowQuery } from '../../query/query.js'
import { tooDeep, treeOf } from './resolve-include.js'

/**
 * What is included, for who looks behind its relations before it is resolved: behind a morph there
 * are several repositories at each step, so it is no deeper than a request may ask for.
 */
export function boundedTree({ entity }: Access, include: ShowQuery['include']): IncludeTree {
  const tree = treeOf(include)
  const { maxIncludeDepth } = entity.settings
  if (depthOf(tree) > maxIncludeDepth) throw tooDeep(maxIncludeDepth)
  return tree
}

const depthOf = (tree: IncludeTree): number =>
  Math.max(0, ...tree.map(({ children }) => 1 + depthOf(children)))
