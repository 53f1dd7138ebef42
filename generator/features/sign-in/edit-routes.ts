import { parse } from '../../source/parse.js'
import { insertion, splice, type Edit } from '../../source/text-edits.js'
import type {
  ArrayLiteralExpression,
  CallExpression,
  SourceFile,
  Statement,
} from '../../source/ts-morph.js'
import { Node, SyntaxKind } from '../../source/ts-morph.js'
import { authActions, publishedFolder, type AuthAction } from './actions.js'

type Name = AuthAction['action']

/**
 * `routes/api.ts` with the given actions answered by their published copies: imports, routes, and
 * the others listed in `svcAuth`. Only what is missing is added, so twice is the same as once.
 * Null when the file has a shape that cannot be edited safely.
 */
export function routePublished(text: string, published: readonly Name[]): string | null {
  return edited(text, (source) => {
    const call = registration(source)
    const last = source.getImportDeclarations().findLast(importsAuth)
    const named = namesOf(source)
    if (call === null || last === undefined || named === null) return null
    const { api, statement } = call
    const { quote, end, line } = styleOf(text, statement)
    const isRouted = ({ path, controller }: AuthAction) =>
      hasRoute(source, api, path, named.get(controller))
    const publishedActions = authActions.filter(({ action }) => published.includes(action))
    const added = publishedActions.filter((action) => !isRouted(action))
    const imports = added.filter(({ controller }) => !named.has(controller))
    const declared = declaredIn(source)
    if (imports.some(({ controller }) => declared.has(controller))) return null
    const answeredHere = new Set(
      [...authActions.filter(isRouted), ...publishedActions].map(({ action }) => action),
    )
    const list = actionsEdit(call, answeredHere, { quote, line })
    if (list === null) return null
    return [
      ...imports.map(({ controller }) => {
        const from = `#${publishedFolder}/${controller}.js`
        const added = `${line}import { ${controller} } from ${quote}${from}${quote}${end}`
        return insertion(last.getEnd(), added)
      }),
      ...list,
      ...added.map(({ path, controller }) => {
        const route = `${api}.route(${quote}${path}${quote}, ${named.get(controller) ?? controller})`
        return insertion(statement.getEnd(), `${line}${route}${end}`)
      }),
    ]
  })
}

/** Returns the lines to paste where `routePublished` cannot edit. */
export function linesToPaste(published: readonly Name[]): readonly string[] {
  const publishedActions = authActions.filter(({ action }) => published.includes(action))
  const rest = authActions.filter(({ action }) => !published.includes(action))
  return [
    ...publishedActions.map(
      ({ controller }) => `import { ${controller} } from '#${publishedFolder}/${controller}.js'`,
    ),
    '',
    ...`svcAuth(api, ${optionsText(
      rest.map(({ action }) => `'${action}'`),
      'svcAuth(api)'.length,
    )})`.split('\n'),
    ...publishedActions.map(({ path, controller }) => `api.route('${path}', ${controller})`),
  ]
}

/**
 * Returns true if the file calls `svcAuth`, in whatever shape; what stands in a comment does
 * nothing.
 */
export function callsAuth(text: string): boolean {
  const source = parse(text.replace(/^\uFEFF/, ''))
  return source !== null && usesOf(source).length > 0
}

/** `routes/api.ts` with `svcAuth` before `svcResources`; null when it cannot be edited safely. */
export function registerAuth(text: string): string | null {
  return edited(text, (source) => {
    if (registration(source) !== null) return []
    const resources = calls(source, 'svcResources')
    const [statement] = resources
    const imported = source
      .getImportDeclarations()
      .find((each) => each.getNamedImports().some((name) => name.getName() === 'svcResources'))
    if (statement === undefined || resources.length > 1 || imported === undefined) return null
    const isImported = importsSvcAuth(source)
    if (usesOf(source).length > 0 || (!isImported && declaredIn(source).has('svcAuth'))) return null
    const [api] = statement.call.getArguments()
    if (!Node.isIdentifier(api)) return null
    const { quote, end, line } = styleOf(text, statement.statement)
    const from = `${quote}#app/Http/auth.js${quote}`
    const added = insertion(imported.getStart(), `import { svcAuth } from ${from}${end}${line}`)
    return [
      ...(isImported ? [] : [added]),
      insertion(statement.statement.getStart(), `svcAuth(${api.getText()})${end}${line}`),
    ]
  })
}

/** Under its own name, and to be called. */
function importsSvcAuth(source: SourceFile): boolean {
  return source.getImportDeclarations().some((each) => {
    const found = each.getNamedImports().find((one) => one.getName() === 'svcAuth')
    const isPlain = found?.getAliasNode() === undefined && found?.isTypeOnly() === false
    return isPlain && !each.isTypeOnly() && each.getModuleSpecifierValue().endsWith('/Http/auth.js')
  })
}

/** The text with these edits; null when it, or what came of it, cannot be read as TypeScript. */
function edited(
  text: string,
  editsOf: (source: SourceFile) => readonly Edit[] | null,
): string | null {
  // The compiler counts from behind the mark.
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const plain = text.slice(mark.length)
  const source = parse(plain)
  const edits = source === null ? null : editsOf(source)
  if (edits === null) return null
  const after = splice(plain, edits)
  return parse(after) === null ? null : mark + after
}

interface Registration {
  readonly node: CallExpression
  readonly statement: Statement
  /** Name of the variable that holds the routes. */
  readonly api: string
  /** The actions it lists, or null: all. */
  readonly listed: readonly Name[] | null
  readonly list: ArrayLiteralExpression | null
}

/** The one statement `svcAuth(api)` or `svcAuth(api, { actions: ['login'] })`; null for any other shape. */
function registration(source: SourceFile): Registration | null {
  const [found, ...others] = calls(source, 'svcAuth')
  if (found === undefined || others.length > 0 || usesOf(source).length > 1) return null
  const [api, options, ...more] = found.call.getArguments()
  if (!Node.isIdentifier(api) || more.length > 0) return null
  const given = options === undefined ? { listed: null, list: null } : listedActions(options)
  return given && { node: found.call, statement: found.statement, api: api.getText(), ...given }
}

/** Every call of `svcAuth`, wherever it is made. */
function usesOf(source: SourceFile): readonly CallExpression[] {
  return source
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .filter((call) => call.getExpression().getText() === 'svcAuth')
}

/** Calls that are statements of the file itself. */
function calls(source: SourceFile, name: string) {
  return source.getStatements().flatMap((statement) => {
    const call = Node.isExpressionStatement(statement) ? statement.getExpression() : null
    if (call === null || !Node.isCallExpression(call)) return []
    return call.getExpression().getText() === name ? [{ statement, call }] : []
  })
}

/** Names of `{ actions: [...] }`; null when it says anything else. */
function listedActions(options: Node): Pick<Registration, 'listed' | 'list'> | null {
  if (!Node.isObjectLiteralExpression(options)) return null
  const [property, ...more] = options.getProperties()
  if (!Node.isPropertyAssignment(property) || more.length > 0) return null
  const list = property.getInitializer()
  if (property.getName() !== 'actions' || !Node.isArrayLiteralExpression(list)) return null
  const listed = list.getElements().map((element) => {
    const text = Node.isStringLiteral(element) ? element.getLiteralText() : ''
    return authActions.find(({ action }) => action === text)?.action
  })
  return listed.every((name) => name !== undefined) ? { listed, list } : null
}

function importsAuth(declaration: ReturnType<SourceFile['getImportDeclarations']>[number]) {
  const specifier = declaration.getModuleSpecifierValue()
  const isPublished = specifier.includes(publishedFolder)
  return isPublished || declaration.getNamedImports().some((name) => name.getName() === 'svcAuth')
}

/** The published controllers by what the file calls them; null when one is imported otherwise than as a value by its name. */
function namesOf(source: SourceFile): ReadonlyMap<string, string> | null {
  const names = new Map<string, string>()
  for (const each of source.getImportDeclarations()) {
    const [, controller] = published.exec(each.getModuleSpecifierValue()) ?? []
    if (controller === undefined) continue
    const found = each.getNamedImports().find((one) => one.getName() === controller)
    if (found === undefined || each.isTypeOnly() || found.isTypeOnly()) return null
    names.set(controller, (found.getAliasNode() ?? found.getNameNode()).getText())
  }
  return names
}

const published = new RegExp(`${publishedFolder}/(\\w+)\\.js$`)

/** Every name that the file itself gives something. */
function declaredIn(source: SourceFile): ReadonlySet<string> {
  return new Set(source.getLocals().map((symbol) => symbol.getName()))
}

/** `api.route('/login', LoginController)`, as a statement of the file itself. */
function hasRoute(
  source: SourceFile,
  api: string,
  path: string,
  local: string | undefined,
): boolean {
  if (local === undefined) return false
  return calls(source, `${api}.route`).some(({ call }) => {
    const [at, controller] = call.getArguments()
    return (
      Node.isStringLiteral(at) && at.getLiteralText() === path && controller?.getText() === local
    )
  })
}

/** Takes what is one's own out of the listed actions, or lists the others; null when a comment is in the way. */
function actionsEdit(
  { node, listed, list }: Registration,
  answeredHere: ReadonlySet<Name>,
  { quote, line }: { readonly quote: string; readonly line: string },
): readonly Edit[] | null {
  if (list !== null && listed !== null) {
    const isBare = !/\/[/*]/.test(list.getText())
    if (isBare && listed.length > 0 && listed.every((name) => answeredHere.has(name))) {
      return [{ start: list.getStart(), end: list.getEnd(), text: '[]' }]
    }
    const gone = list.getElements().filter((_, at) => answeredHere.has(listed[at] ?? 'login'))
    const edits = gone.map((element) => withoutElement(list, element))
    return edits.every((edit) => edit !== null) ? edits : null
  }
  const rest = authActions.map(({ action }) => action).filter((name) => !answeredHere.has(name))
  if (rest.length === authActions.length) return []
  const names = rest.map((name) => quote + name + quote)
  const text = optionsText(names, node.getText().length).replaceAll('\n', line)
  return [insertion(node.getArguments()[0]?.getEnd() ?? 0, `, ${text}`)]
}

/** On one line where it fits beside the rest of the call. */
function optionsText(names: readonly string[], beside: number): string {
  const inline = `{ actions: [${names.join(', ')}] }`
  if (beside + inline.length <= 98) return inline
  return `{\n  actions: [\n${names.map((name) => `    ${name},\n`).join('')}  ],\n}`
}

/** The element with its comma, and with the line it had for itself; a comment beside it stays. */
function withoutElement(list: ArrayLiteralExpression, element: Node): Edit | null {
  const text = list.getSourceFile().getFullText()
  const after = /^\s*(?:,[ \t]*)?/.exec(text.slice(element.getEnd(), list.getEnd() - 1))?.[0] ?? ''
  const hasComma = after.includes(',')
  const isLast = list.getElements().at(-1) === element
  if (!hasComma && !isLast) return null
  const start = element.getStart()
  const end = element.getEnd() + (hasComma ? after.length : 0)
  const indent = /\n[ \t]*$/.exec(text.slice(0, start))?.[0] ?? ''
  const isAlone = indent !== '' && /^\r?\n/.test(text.slice(end))
  return { start: isAlone ? start - indent.length : start, end, text: '' }
}

function styleOf(text: string, statement: Statement) {
  const line = text.includes('\r\n') ? '\r\n' : '\n'
  const quote = /from "/.test(text) ? '"' : "'"
  return { quote, line, end: statement.getText().endsWith(';') ? ';' : '' }
}
