import { IndentationText, Node, Project, QuoteKind, SyntaxKind, type SourceFile } from 'ts-morph'

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
  list.addShorthandPropertyAssignment({ name: 'users' })
  source.addImportDeclaration({ moduleSpecifier: './users.js', namedImports: ['users'] })
  return source.getFullText()
}

/** The file of `users` with the fields it lacks; null when it cannot be edited safely. */
export function addSignInFields(text: string, missing: readonly ('email' | 'password')[]): string | null {
  const source = parse(text)
  const lists = source
    .getDescendantsOfKind(SyntaxKind.PropertyAssignment)
    .filter((property) => property.getName() === 'fields')
    .map((property) => property.getInitializer())
  const [fields, ...others] = lists
  const vocabulary = source.getImportDeclaration('svckit')
  if (others.length > 0 || !Node.isObjectLiteralExpression(fields) || vocabulary === undefined) return null
  if (missing.some((name) => fields.getProperty(name) !== undefined)) return null
  for (const name of missing) {
    const initializer = name === 'email' ? 'email().unique()' : 'password()'
    fields.addPropertyAssignment({ name, initializer })
    if (!isNamed(source, name)) vocabulary.addNamedImport(name)
  }
  return source.getFullText()
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
