import { parse } from '../../source/parse.js'
import { importedFile } from '../../source/specifiers.js'
import { Node, SyntaxKind, type CallExpression, type SourceFile } from '../../source/ts-morph.js'
import type { Lists } from './routes.js'

/** The routes of a file, in its order. Paths begin where the file is mounted. */
export type Served =
  /** A call that registers routes of svc's, if it is one of those that do; else it is unread. */
  | ({
      readonly is: 'call'
      readonly name: string
      readonly below: string
      /** Its options; null: they are not lists of texts. */
      readonly lists: Lists | null
    } & Omit<Unread, 'is'>)
  /** A route of the developer's; `handler` is its name, or the place of a function without one. */
  | {
      readonly is: 'own'
      readonly method: string
      readonly path: string
      readonly handler: string
    }
  | Unread

/** It has to do with routes, and is not run, so which is unknown. */
interface Unread {
  readonly is: 'unread'
  readonly place: string
  readonly text: string
}

/** Text of a file of the project, or null when there is none. */
export type ReadText = (path: string) => string | null

/** Reads the routes on the variable `name` of a file; null when the file cannot be read. */
export function servedRoutes(path: string, name: string, read: ReadText): readonly Served[] | null {
  return servedBy({ path, name, below: '', shown: null, read, within: [] })
}

interface App {
  readonly path: string
  /** The variable that holds the routes. */
  readonly name: string
  /** The path that they are mounted at. */
  readonly below: string
  /** The name of its functions without a name: the controller, or null for their places. */
  readonly shown: string | null
  readonly read: ReadText
  /** The files that mount it, so that a circle ends. */
  readonly within: readonly string[]
}

function servedBy(app: App): readonly Served[] | null {
  const text = app.read(app.path)
  const source = text === null ? null : parse(text.replace(/^\uFEFF/, ''))
  return source === null ? null : servedIn(source, app)
}

function servedIn(source: SourceFile, app: App): readonly Served[] {
  const made = source.getVariableDeclaration(app.name)?.getInitializer()
  if (made === undefined) return [unreadFile(app)]
  const chained = callsOf(made)
  const base = chained === null ? '' : basePath(chained)
  if (base === null) return [unread(made, app)]
  const here = { ...app, below: joined(app.below, base) }
  const first = chained?.flatMap((call) => servedByCall(source, call, here))
  return [
    ...(first ?? [unread(made, app)]),
    ...uses(source, app.name).flatMap((use) => servedByUse(source, use, here)),
  ]
}

/** Finds the uses of the routes in the file. */
function uses(source: SourceFile, name: string): readonly Node[] {
  return source
    .getDescendantsOfKind(SyntaxKind.Identifier)
    .filter((each) => each.getText() === name && isUse(each) && !isShadowed(each, name))
}

/** Not their declaration, an export, a type, a name of something else. */
function isUse(name: Node): boolean {
  const parent = name.getParent()
  if (Node.isTypeQuery(parent) || Node.isExportSpecifier(parent)) return false
  if (Node.isExportAssignment(parent) || Node.isImportSpecifier(parent)) return false
  if (Node.isVariableDeclaration(parent) || Node.isPropertyAssignment(parent)) {
    return parent.getNameNode() !== name
  }
  if (Node.isPropertyAccessExpression(parent)) return parent.getNameNode() !== name
  // `api.route('/admin', admin)` is read where `api` is.
  const isMounted = Node.isCallExpression(parent) && nameOfCall(parent) === 'route'
  return !isMounted || parent.getArguments()[1] !== name
}

/** A parameter of that name hides the app; the call of its function is what counts. */
const isShadowed = (node: Node, name: string) =>
  node
    .getAncestors()
    .some(
      (each) =>
        Node.isParametered(each) && each.getParameters().some((one) => one.getName() === name),
    )

/** `api.get(…).get(…)` and `svcAuth(api)` as statements of the file; anything else is not run here. */
function servedByUse(source: SourceFile, use: Node, app: App): readonly Served[] {
  const statement = use.getFirstAncestor((each) => each.getParent() === source)
  const used = Node.isExpressionStatement(statement) ? statement.getExpression() : undefined
  if (!Node.isCallExpression(used)) return [unread(statement ?? use, app)]
  const isArgument = used.getArguments()[0] === use
  if (isArgument) return [registration(used, app) ?? unread(used, app)]
  const calls = callsOf(used)
  const isRoot = calls?.[0] !== undefined && rootOf(calls[0]) === use
  if (calls === null || !isRoot) return [unread(used, app)]
  return calls.flatMap((call) => servedByCall(source, call, app))
}

/** `svcResources(api)`, `svcAuth(api, { actions: ['login'] })`. */
function registration(call: CallExpression, app: App): Served | null {
  const name = call.getExpression().getText()
  const [, options] = call.getArguments()
  if (!/^svc[A-Z]\w*$/.test(name)) return null
  const lists = options === undefined ? {} : listsOf(options)
  return { ...unread(call, app), is: 'call', name, below: app.below, lists }
}

/** Options that are nothing but lists of texts. */
function listsOf(options: Node): Lists | null {
  if (!Node.isObjectLiteralExpression(options)) return null
  const lists = options.getProperties().map((property) => {
    if (!Node.isPropertyAssignment(property)) return null
    const value = property.getInitializer()
    const list = Node.isArrayLiteralExpression(value) ? textsOf(value) : null
    return list === null ? null : ([property.getName(), list] as const)
  })
  return lists.every((list) => list !== null) ? Object.fromEntries(lists) : null
}

/** The calls of `x.get(…).post(…)` from the first on; null when it is nothing of the kind. */
function callsOf(expression: Node): readonly CallExpression[] | null {
  if (Node.isNewExpression(expression) || Node.isIdentifier(expression)) return []
  if (!Node.isCallExpression(expression)) return null
  const callee = expression.getExpression()
  if (!Node.isPropertyAccessExpression(callee)) return null
  const before = callsOf(callee.getExpression())
  return before && [...before, expression]
}

function rootOf(call: CallExpression): Node | undefined {
  const callee = call.getExpression()
  return Node.isPropertyAccessExpression(callee) ? callee.getExpression() : undefined
}

const nameOfCall = (call: CallExpression): string => {
  const callee = call.getExpression()
  return Node.isPropertyAccessExpression(callee) ? callee.getName() : ''
}

/** Reads the path of `new Hono().basePath('/v1')`; null when it is computed. */
function basePath(calls: readonly CallExpression[]): string | null {
  return calls
    .filter((call) => nameOfCall(call) === 'basePath')
    .map((call) => textOf(call.getArguments()[0]))
    .reduce<string | null>(
      (base, part) => (base === null || part === null ? null : joined(base, part)),
      '',
    )
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete', 'options', 'all'])
/** Calls without a route of their own. */
const silent = new Set(['use', 'basePath', 'notFound', 'onError'])

function servedByCall(source: SourceFile, call: CallExpression, app: App): readonly Served[] {
  const name = nameOfCall(call)
  const given = call.getArguments()
  if (silent.has(name)) return []
  if (name === 'route') return mounted(source, call, app)
  const [asked, paths, handlers] =
    name === 'on'
      ? [textsOf(given[0]), textsOf(given[1]), given.slice(2)]
      : [methods.has(name) ? [name] : null, textsOf(given[0]), given.slice(1)]
  const handler = handlers.at(-1)
  if (asked === null || paths === null || handler === undefined) return [unread(call, app)]
  return paths.flatMap((path) =>
    asked.map((method) => ({
      is: 'own' as const,
      method: method.toUpperCase(),
      path: joined(app.below, path),
      handler: handlerName(handler, app),
    })),
  )
}

/** `api.route('/stats', StatsController)`: the routes of an app of this file, or of one it imports. */
function mounted(source: SourceFile, call: CallExpression, app: App): readonly Served[] {
  const [at, routes] = call.getArguments()
  const path = textOf(at)
  if (path === null || !Node.isIdentifier(routes)) return [unread(call, app)]
  const name = routes.getText()
  const below = joined(app.below, path)
  const from = importOf(source, name, app.path)
  const inner = { ...app, ...(from ?? { name }), below, within: [...app.within, idOf(app)] }
  if (inner.within.includes(idOf(inner))) return [unread(call, app)]
  const isHere =
    from === null && source.getVariableDeclaration(name)?.getInitializer() !== undefined
  const found = isHere ? servedIn(source, inner) : from && servedBy({ ...inner, shown: from.name })
  return found === null || found.length === 0 ? [unread(call, app)] : found
}

const idOf = ({ path, name }: App) => `${path} ${name}`

/** The file and the name there of what is imported under a name; null: not from a file of the project. */
function importOf(source: SourceFile, local: string, path: string) {
  for (const each of source.getImportDeclarations()) {
    const from = each.getModuleSpecifierValue()
    const found = each
      .getNamedImports()
      .find((one) => (one.getAliasNode() ?? one.getNameNode()).getText() === local)
    const file = importedFile(path, from)
    if (found !== undefined && file !== null) return { path: file, name: found.getName() }
  }
  return null
}

/** `show`, `Stats.show`; a function without a name is known by its place. */
function handlerName(handler: Node, { shown, path }: App): string {
  const isNamed = Node.isIdentifier(handler) || Node.isPropertyAccessExpression(handler)
  return isNamed ? handler.getText() : (shown ?? `${path}:${handler.getStartLineNumber()}`)
}

const textOf = (node: Node | undefined): string | null =>
  Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node)
    ? node.getLiteralText()
    : null

/** A text, or a list of them. */
function textsOf(node: Node | undefined): readonly string[] | null {
  const texts = Node.isArrayLiteralExpression(node)
    ? node.getElements().map(textOf)
    : [textOf(node)]
  return texts.every((text) => text !== null) ? texts : null
}

/** As Hono joins them: `/api` and `/` are `/api`. */
function joined(base: string, path: string): string {
  const rest = path.replace(/^\//, '')
  return rest === '' ? base : `${base.replace(/\/$/, '')}/${rest}`
}

const unreadFile = ({ path, name }: App): Unread => {
  return { is: 'unread', place: path, text: `declares no '${name}'` }
}

function unread(node: Node, { path }: App): Unread {
  const callee = Node.isCallExpression(node) ? node.getExpression() : undefined
  const isChained =
    Node.isPropertyAccessExpression(callee) && !Node.isIdentifier(callee.getExpression())
  const start = isChained ? callee.getNameNode().getStart() : node.getStart()
  const source = node.getSourceFile()
  const [line = ''] = source.getFullText().slice(start, node.getEnd()).split('\n')
  const text = line.length > 60 ? `${line.slice(0, 59)}…` : line
  return { is: 'unread', place: `${path}:${source.getLineAndColumnAtPos(start).line}`, text }
}
