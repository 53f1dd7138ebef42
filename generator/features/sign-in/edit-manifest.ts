import type { ObjectLiteralExpression, SourceFile } from '../../source/ts-morph.js'
import { IndentationText, Node, Project, QuoteKind, SyntaxKind } from '../../source/ts-morph.js'

/** `manifest/index.ts` with `users` among its repositories; null when it cannot be edited safely. */
export function addUsers(text: string): string | null {
  const source = parse(text)
  const [call, ...others] = source
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .filter((each) => each.getExpression().getText() === 'defineManifest')
  const argument = call?.getArguments()[0]
  if (others.length > 0 || !Node.isObjectLiteralExpression(argument)) return null
  const property = argument.getProperty('repositories')
  const list = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined
  if (!Node.isObjectLiteralExpression(list) || isNamed(source, 'users')) return null
  addEntry(list, 'users')
  const last = source.getImportDeclarations().at(-1)
  const quote = last?.getModuleSpecifier().getText().charAt(0) ?? "'"
  const end = last?.getText().endsWith(';') === true ? ';' : ''
  const line = `import { users } from ${quote}./users.js${quote}${end}`
  source.insertText(last?.getEnd() ?? 0, last === undefined ? `${line}\n` : `\n${line}`)
  return source.getFullText()
}

/** One more entry of an object, written as the others are: on their line, or on a line of its own. */
function addEntry(list: ObjectLiteralExpression, entry: string): void {
  const source = list.getSourceFile()
  const last = list.getProperties().at(-1)
  if (last === undefined) {
    list.replaceWithText(`{ ${entry} }`)
    return
  }
  const text = source.getFullText()
  const behind = text.slice(last.getEnd(), list.getEnd() - 1)
  const comma = /^\s*,/.exec(behind)?.[0] ?? ''
  const indent = /\n[ \t]*$/.exec(text.slice(0, last.getStart()))?.[0]
  if (indent === undefined) {
    source.insertText(last.getEnd() + comma.length, comma === '' ? `, ${entry}` : ` ${entry},`)
    return
  }
  const brace = list.getEnd() - 1 - (/\s*$/.exec(behind)?.[0].length ?? 0)
  const end = last.getEnd()
  source.insertText(brace, `${indent}${entry},`)
  if (comma === '') source.insertText(end, ',')
}

/** The file of `users` with the fields it lacks; null when it cannot be edited safely. */
export function addSignInFields(
  text: string,
  missing: readonly ('email' | 'password')[],
): string | null {
  const source = parse(text)
  const fields = fieldsOf(source)
  if (fields === null || source.getImportDeclaration('svckit') === undefined) return null
  if (missing.some((name) => fields.getProperty(name) !== undefined)) return null
  for (const name of missing) {
    const entry = name === 'email' ? 'email: email().unique()' : 'password: password()'
    addEntry(fieldsOf(source) ?? fields, entry)
  }
  for (const name of missing) {
    if (!isNamed(source, name)) source.getImportDeclaration('svckit')?.addNamedImport(name)
  }
  return source.getFullText()
}

/** The one `fields: { … }` of a file; inserting text forgets nodes, so it is asked for anew. */
function fieldsOf(source: SourceFile): ObjectLiteralExpression | null {
  const [fields, ...others] = source
    .getDescendantsOfKind(SyntaxKind.PropertyAssignment)
    .filter((property) => property.getName() === 'fields')
    .map((property) => property.getInitializer())
  return others.length === 0 && Node.isObjectLiteralExpression(fields) ? fields : null
}

function parse(text: string): SourceFile {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    manipulationSettings: {
      quoteKind: QuoteKind.Single,
      useTrailingCommas: true,
      indentationText: IndentationText.TwoSpaces,
    },
  })
  return project.createSourceFile('manifest.ts', text)
}

const isNamed = (source: SourceFile, name: string) =>
  source
    .getImportDeclarations()
    .some((each) => each.getNamedImports().some((one) => one.getName() === name))
