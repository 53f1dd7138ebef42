import { ts } from 'ts-morph'
import type { RenderedFile } from '../../../generator/plan/render/render.js'
import { importedFile } from '../../../generator/source/specifiers.js'

/**
 * `runtime/errors.ts: conflict` for each export of the runtime that no other file imports and its own file has no use
 * for. `files` may be those of several projects.
 */
export function unusedRuntimeExports(files: readonly RenderedFile[]): readonly string[] {
  const isRuntime = ({ path }: { readonly path: string }) => path.startsWith('runtime/')
  const code = files.filter(({ path }) => path.endsWith('.ts'))
  const runtime = new Map(code.filter(isRuntime).map(({ path, content }) => [path, content]))
  const rest = code.filter((file) => !isRuntime(file))
  const library = [...runtime].map(([path, text]) => parse(path, text))
  const others = rest.map(({ path, content }) => parse(path, content))
  const imported = new Set([...library, ...others].flatMap(importsOf))
  return library.flatMap(idleExportsOf).filter((place) => !imported.has(place))
}

const parse = (path: string, text: string) =>
  ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)

/** Lists the exports of a file that it hands on, or does not use itself. */
function idleExportsOf(source: ts.SourceFile): readonly string[] {
  const own = exportsOf(source).filter((name) => timesNamed(source, name) < 2)
  const others = source.statements.filter(ts.isExportDeclaration)
  const handedOn = others.flatMap(({ exportClause }) => namesIn(exportClause))
  return [...own, ...handedOn].map((name) => `${source.fileName}: ${name}`)
}

/** Names of what a file declares and exports. */
function exportsOf(source: ts.SourceFile): readonly string[] {
  return source.statements.flatMap((statement) => {
    if (!ts.canHaveModifiers(statement)) return []
    const modifiers = ts.getModifiers(statement) ?? []
    const isExported = modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    return isExported ? declaredBy(statement) : []
  })
}

function declaredBy(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  return isNamed && statement.name !== undefined ? [statement.name.text] : []
}

/** `runtime/errors.ts: notFound` for each name that a file takes from another, to use it or to hand it on. */
function importsOf(source: ts.SourceFile): readonly string[] {
  const found: string[] = []
  const take = (specifier: ts.Expression | undefined, names: readonly string[]) => {
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return
    const path = importedFile(source.fileName, specifier.text) ?? ''
    found.push(...names.map((name) => `${path}: ${name}`))
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node))
      take(node.moduleSpecifier, namesIn(node.importClause?.namedBindings))
    if (ts.isExportDeclaration(node)) take(node.moduleSpecifier, namesIn(node.exportClause))
    if (ts.isVariableDeclaration(node)) take(loadedBy(node), namesIn(node.name))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** `'./a.js'` of `const { a } = await import('./a.js')`. */
function loadedBy({ initializer }: ts.VariableDeclaration): ts.Expression | undefined {
  if (initializer === undefined || !ts.isAwaitExpression(initializer)) return undefined
  const call = initializer.expression
  const isImport = ts.isCallExpression(call) && call.expression.kind === ts.SyntaxKind.ImportKeyword
  return isImport ? call.arguments[0] : undefined
}

/** `a` of `{ a as b }`. */
function namesIn(bindings: ts.Node | undefined): readonly string[] {
  if (bindings === undefined) return []
  const isList =
    ts.isNamedImports(bindings) ||
    ts.isNamedExports(bindings) ||
    ts.isObjectBindingPattern(bindings)
  if (!isList) return []
  return bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).getText())
}

/** How often code, not comments, names it. */
function timesNamed(source: ts.SourceFile, name: string): number {
  let times = 0
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name) times += 1
    ts.forEachChild(node, visit)
  }
  visit(source)
  return times
}
