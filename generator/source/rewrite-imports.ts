import type { ts as TypeScript } from 'ts-morph'
import { specifiersIn } from './specifiers.js'
import { splice, type Edit } from './text-edits.js'

type Node = TypeScript.Node

/** The text with other specifiers in its imports, and with everything else as it is. */
export async function rewriteImports(
  text: string,
  rewritten: (specifier: string) => string,
): Promise<string> {
  if (specifiersIn(text).every((specifier) => rewritten(specifier) === specifier)) return text
  // Only a file that imports what has moved needs the compiler, and it takes a while to load.
  const { ts } = await import('./ts-morph.js')
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const edits: Edit[] = []
  const isSpecifier = ({ parent }: Node) =>
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    // `import('…')`, `vi.mock('…')`
    ts.isCallExpression(parent)
  const visit = (node: Node): void => {
    if (ts.isStringLiteral(node) && isSpecifier(node)) {
      const now = rewritten(node.text)
      const place = { start: node.getStart(file) + 1, end: node.getEnd() - 1 }
      if (now !== node.text) edits.push({ ...place, text: now })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return splice(text, edits)
}

/** The imports at the top of a text, each with the comments before it, and where they stand. */
async function importsAtTop(text: string) {
  const { ts } = await import('./ts-morph.js')
  const { statements } = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest)
  const rest = statements.findIndex((each) => !ts.isImportDeclaration(each))
  const imports = rest === -1 ? statements : statements.slice(0, rest)
  const [first] = imports
  const start = first === undefined ? 0 : text.indexOf('import', first.pos)
  const ends = imports.map(({ end }) => end)
  const pieces = ends.map((end, at) => text.slice(ends[at - 1] ?? start, end).replace(/^\n/, ''))
  return { start, end: ends.at(-1) ?? start, pieces }
}

/** svc's own text with its imports in the order that the formatter gives them. */
export async function sortImports(
  text: string,
  tidy: (path: string, text: string) => Promise<string>,
): Promise<string> {
  const { start, end } = await importsAtTop(text)
  const sorted = await tidy('imports.ts', text.slice(start, end))
  return text.slice(0, start) + sorted.trimEnd() + text.slice(end)
}

/** An edited copy of `model` with its imports in the same order; those that are only here stay behind the one they follow. */
export async function orderImportsAs(model: string, text: string): Promise<string> {
  const order = (await importsAtTop(model)).pieces
  const { start, end, pieces } = await importsAtTop(text)
  let rank = -1
  const ranked = pieces.map((piece) => {
    const at = order.indexOf(piece)
    if (at !== -1) rank = at
    return { piece, rank }
  })
  const sorted = ranked.toSorted((one, other) => one.rank - other.rank)
  return text.slice(0, start) + sorted.map(({ piece }) => piece).join('\n') + text.slice(end)
}
