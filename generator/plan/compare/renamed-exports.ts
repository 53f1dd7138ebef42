import type { ts as TypeScript } from 'ts-morph'
import { importedFile, specifiersIn } from '../../source/specifiers.js'
import { splice, type Edit } from '../../source/text-edits.js'

type Node = TypeScript.Node

/** What files of svc export under another name today: file, its old name, its name. */
const renamed = [{ file: 'app/context.ts', from: 'Env', to: 'AppEnv' }] as const

/**
 * The text of a file with the names of today for what it imports. Where the new name is taken, the
 * import alone has it: `AppEnv as Env`.
 */
export async function renameExports(path: string, text: string): Promise<string> {
  let now = text
  for (const name of renamed) if (mayName(path, now, name)) now = await renameOne(path, now, name)
  return now
}

type Renamed = (typeof renamed)[number]

function mayName(path: string, text: string, { file, from }: Renamed): boolean {
  if (!new RegExp(`\\b${from}\\b`).test(text)) return false
  return path === file || specifiersIn(text).some((each) => importedFile(path, each) === file)
}

async function renameOne(path: string, text: string, { file, from, to }: Renamed): Promise<string> {
  // Only a file with the old name needs the compiler, and it takes a while to load.
  const { ts } = await import('../../source/ts-morph.js')
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const [names, imported, taken]: [Node[], Node[], Node[]] = [[], [], []]
  const isOfFile = (node: Node): boolean =>
    (ts.isImportDeclaration(node) &&
      ts.isStringLiteral(node.moduleSpecifier) &&
      importedFile(path, node.moduleSpecifier.text) === file) ||
    (node.parent !== undefined && isOfFile(node.parent))
  const visit = (node: Node): void => {
    if (ts.isIdentifier(node) && node.text === to) taken.push(node)
    if (ts.isImportSpecifier(node) && (node.propertyName ?? node.name).text === from) {
      if (isOfFile(node)) imported.push(node.propertyName ?? node.name)
    }
    if (ts.isIdentifier(node) && node.text === from && !isMember(node)) names.push(node)
    ts.forEachChild(node, visit)
  }
  const isMember = ({ parent }: Node) =>
    ts.isPropertyAccessExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isQualifiedName(parent) ||
    ts.isImportSpecifier(parent)
  visit(source)
  if (path !== file && imported.length === 0) return text
  const as = (node: Node, name: string): Edit => ({
    start: node.getStart(source),
    end: node.getEnd(),
    text: name,
  })
  const isAlias = (node: Node) =>
    ts.isImportSpecifier(node.parent) && node.parent.propertyName === node
  if (imported.some(isAlias))
    return splice(
      text,
      imported.map((node) => as(node, to)),
    )
  if (taken.length > 0)
    return splice(
      text,
      imported.map((node) => as(node, `${to} as ${from}`)),
    )
  return splice(
    text,
    [...imported, ...names].map((node) => as(node, to)),
  )
}
