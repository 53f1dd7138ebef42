import type { ts as TypeScript } from 'ts-morph'

type Node = TypeScript.Node
type SourceFile = TypeScript.SourceFile

/** New names by old. */
export type Identifiers = ReadonlyMap<string, string>

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Changes names in a file whose repository changed its own: identifiers, and the files that imports speak of. Members,
 * texts and comments stay as they are, whatever they say.
 */
export async function renameIdentifiers(text: string, identifiers: Identifiers): Promise<string> {
  // Only a renamed repository needs the compiler, and it takes a while to load.
  const { ts } = await import('./ts-morph.js')
  const edits: Edit[] = []
  const file: SourceFile = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const visit = (node: Node): void => {
    if (ts.isIdentifier(node) && !isMember(node)) edit(node, 0, identifiers.get(node.text))
    const isPath =
      ts.isStringLiteral(node) &&
      (ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent))
    if (isPath) edit(node, 1, renamedPath(node.text, identifiers))
    ts.forEachChild(node, visit)
  }
  const isMember = (node: Node) =>
    (ts.isPropertyAccessExpression(node.parent) || ts.isPropertyAssignment(node.parent)) &&
    node.parent.name === node
  const edit = (node: Node, quotes: number, name: string | undefined) => {
    if (name === undefined) return
    edits.push({ start: node.getStart(file) + quotes, end: node.getEnd() - quotes, text: name })
  }
  visit(file)
  return edits.reduceRight(
    (current, { start, end, text: name }) => current.slice(0, start) + name + current.slice(end),
    text,
  )
}

/** `#app/Policies/PostPolicy.js` → `#app/Policies/ArticlePolicy.js`. */
function renamedPath(path: string, identifiers: Identifiers): string | undefined {
  const [, folder, name, ending] = /^((?:\.{1,2}|#\w+)\/.*?)?([^/]+?)(\.[jt]s)$/.exec(path) ?? []
  const renamed = name === undefined ? undefined : identifiers.get(name)
  return folder === undefined || renamed === undefined ? undefined : `${folder}${renamed}${ending}`
}
