import type { IncludeNode, IncludeTree } from '../../../runtime/query/query.js'

/** The text that reads back as the same tree. */
export function printInclude(tree: IncludeTree): string {
  return tree.flatMap((node) => printPaths(node)).join(',')
}

function printPaths(node: IncludeNode): string[] {
  const head = node.columns === null ? node.key : `${node.key}[${node.columns.join('|')}]`
  const tails = node.children.flatMap((child) => printPaths(child))
  return tails.length === 0 ? [head] : tails.map((tail) => `${head}.${tail}`)
}
