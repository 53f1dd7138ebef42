import { Node, Project, type CallExpression, type SourceFile, type Statement } from 'ts-morph'
import { authActions, publishedFolder, type AuthAction } from './auth-actions.js'

type Name = AuthAction['action']

/** A text put between two places of another. */
interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * `routes/api.ts` with the given actions answered by their published copies: imports, routes, and
 * the others listed in `svcAuth`. Only what is missing is added, so twice is the same as once.
 * Null when the file has a shape that cannot be edited safely.
 */
export function routePublished(text: string, published: readonly Name[]): string | null {
  const source = parse(text)
  const call = registration(source)
  if (call === null) return null
  const { api, listed, statement } = call
  const style = styleOf(text, statement)
  const routed = authActions.filter(({ controller }) => hasRoute(source, controller))
  const wanted = authActions.filter(({ action }) => published.includes(action))
  const added = wanted.filter(({ controller }) => !hasRoute(source, controller))
  const imports = added.filter(({ controller }) => !isImported(source, controller))
  if (imports.some(({ controller }) => isDeclared(source, controller))) return null
  const own = new Set([...routed, ...wanted].map(({ action }) => action))
  const rest = (listed ?? authActions.map(({ action }) => action)).filter((name) => !own.has(name))
  const { quote, end, line } = style
  const list = rest.map((name) => quote + name + quote).join(', ')
  const isListed = listed !== null && listed.length === rest.length
  const last = source.getImportDeclarations().findLast(importsAuth)
  const edits: Edit[] = [
    ...imports.map(({ controller }) => {
      const from = `../${publishedFolder}/${controller}.js`
      const added = `${line}import { ${controller} } from ${quote}${from}${quote}${end}`
      return insertion(last?.getEnd() ?? 0, added)
    }),
    ...(isListed ? [] : [argumentEdit(call.node, `{ actions: [${list}] }`)]),
    ...added.map(({ path, controller }) =>
      insertion(statement.getEnd(), `${line}${api}.route(${quote}${path}${quote}, ${controller})${end}`),
    ),
  ]
  return last === undefined ? null : splice(text, edits)
}

/** What to paste where `routePublished` cannot edit. */
export function linesToPaste(published: readonly Name[]): readonly string[] {
  const wanted = authActions.filter(({ action }) => published.includes(action))
  const rest = authActions.filter(({ action }) => !published.includes(action))
  return [
    ...wanted.map(
      ({ controller }) => `import { ${controller} } from '../${publishedFolder}/${controller}.js'`,
    ),
    '',
    `svcAuth(api, { actions: [${rest.map(({ action }) => `'${action}'`).join(', ')}] })`,
    ...wanted.map(({ path, controller }) => `api.route('${path}', ${controller})`),
  ]
}

/** `routes/api.ts` with `svcAuth` before `svcResources`; null when it cannot be edited safely. */
export function registerAuth(text: string): string | null {
  const source = parse(text)
  if (registration(source) !== null) return text
  const resources = calls(source, 'svcResources')
  const [statement] = resources
  const imported = source
    .getImportDeclarations()
    .find((each) => each.getNamedImports().some((name) => name.getName() === 'svcResources'))
  if (statement === undefined || resources.length > 1 || imported === undefined) return null
  if (source.getFullText().includes('svcAuth')) return null
  const [api] = statement.call.getArguments()
  if (!Node.isIdentifier(api)) return null
  const { quote, end, line } = styleOf(text, statement.statement)
  const from = `${quote}../app/Http/auth.js${quote}`
  return splice(text, [
    insertion(imported.getStart(), `import { svcAuth } from ${from}${end}${line}`),
    insertion(statement.statement.getStart(), `svcAuth(${api.getText()})${end}${line}`),
  ])
}

function parse(text: string): SourceFile {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true })
  return project.createSourceFile('api.ts', text)
}

interface Registration {
  readonly node: CallExpression
  readonly statement: Statement
  /** Name of the variable that holds the routes. */
  readonly api: string
  /** The actions it lists, or null: all. */
  readonly listed: readonly Name[] | null
}

/** The one statement `svcAuth(api)` or `svcAuth(api, { actions: ['login'] })`; null for any other shape. */
function registration(source: SourceFile): Registration | null {
  const [found, ...others] = calls(source, 'svcAuth')
  const uses = source.getFullText().match(/\bsvcAuth\s*\(/g)?.length ?? 0
  if (found === undefined || others.length > 0 || uses > 1) return null
  const [api, options, ...more] = found.call.getArguments()
  if (!Node.isIdentifier(api) || more.length > 0) return null
  const listed = options === undefined ? null : listedActions(options)
  if (listed === undefined) return null
  return { node: found.call, statement: found.statement, api: api.getText(), listed }
}

/** Calls that are statements of the file itself. */
function calls(source: SourceFile, name: string) {
  return source.getStatements().flatMap((statement) => {
    const call = Node.isExpressionStatement(statement) ? statement.getExpression() : null
    if (call === null || !Node.isCallExpression(call)) return []
    return call.getExpression().getText() === name ? [{ statement, call }] : []
  })
}

/** Names of `{ actions: [...] }`; undefined when it says anything else. */
function listedActions(options: Node): readonly Name[] | undefined {
  if (!Node.isObjectLiteralExpression(options)) return undefined
  const [property, ...more] = options.getProperties()
  if (!Node.isPropertyAssignment(property) || more.length > 0) return undefined
  const list = property.getInitializer()
  if (property.getName() !== 'actions' || !Node.isArrayLiteralExpression(list)) return undefined
  const names = list.getElements().map((element) => {
    const text = Node.isStringLiteral(element) ? element.getLiteralText() : ''
    return authActions.find(({ action }) => action === text)?.action
  })
  return names.every((name) => name !== undefined) ? names : undefined
}

function importsAuth(declaration: ReturnType<SourceFile['getImportDeclarations']>[number]) {
  const specifier = declaration.getModuleSpecifierValue()
  const isPublished = specifier.includes(publishedFolder)
  return isPublished || declaration.getNamedImports().some((name) => name.getName() === 'svcAuth')
}

const isImported = (source: SourceFile, controller: string) =>
  source
    .getImportDeclarations()
    .some((each) => each.getModuleSpecifierValue().endsWith(`${publishedFolder}/${controller}.js`))

/** Something else has the name already. */
const isDeclared = (source: SourceFile, name: string) =>
  source.getImportDeclarations().some((each) =>
    each.getNamedImports().some((one) => (one.getAliasNode() ?? one.getNameNode()).getText() === name),
  ) || source.getVariableDeclaration(name) !== undefined

function hasRoute(source: SourceFile, controller: string): boolean {
  if (!isImported(source, controller)) return false
  return source.getStatements().some((statement) => {
    const call = Node.isExpressionStatement(statement) ? statement.getExpression() : null
    if (call === null || !Node.isCallExpression(call)) return false
    return call.getArguments().some((argument) => argument.getText() === controller)
  })
}

function styleOf(text: string, statement: Statement) {
  const line = text.includes('\r\n') ? '\r\n' : '\n'
  const quote = /from "/.test(text) ? '"' : "'"
  return { quote, line, end: statement.getText().endsWith(';') ? ';' : '' }
}

const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text })

function argumentEdit(call: CallExpression, options: string): Edit {
  const [api, given] = call.getArguments()
  if (given !== undefined) return { start: given.getStart(), end: given.getEnd(), text: options }
  return insertion(api?.getEnd() ?? 0, `, ${options}`)
}

/** Later places first, so that earlier ones stay where they are; at one place, in the order given. */
function splice(text: string, edits: readonly Edit[]): string {
  const ordered = edits.map((edit, index) => ({ ...edit, index }))
  ordered.sort((a, b) => b.start - a.start || b.index - a.index)
  return ordered.reduce(
    (whole, edit) => whole.slice(0, edit.start) + edit.text + whole.slice(edit.end),
    text,
  )
}
