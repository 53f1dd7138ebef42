/** The JavaScript of the page `/docs` with types: a parameter has the type that `page-types.d.ts` gives its name. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../core/plan/fixture.js'
import { libraries, ts } from '../../support/typescript.js'

const folder = join(root, 'runtime/features/docs/page')
const meanings = readFileSync(join(root, 'tests/features/docs/page-types.d.ts'), 'utf8')

const options: ts.CompilerOptions = {
  ...{ allowJs: true, checkJs: true, strict: true, noImplicitAny: false, strictNullChecks: false },
  useUnknownInCatchVariables: false,
  ...{ noUnusedLocals: true, noUnusedParameters: true },
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
  noEmit: true,
  skipLibCheck: true,
}

/** What the compiler says of the page. */
export function checkPage(edit: (text: string, name: string) => string = (text) => text): string {
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const texts = new Map(
    scripts.map((name) => {
      const text = edit(readFileSync(join(folder, name), 'utf8'), name)
      return [join(folder, name), annotated(text)]
    }),
  )
  // Declarations are not checked where libraries are not, and these have to be.
  texts.set(join(folder, 'page-types.ts'), meanings)
  const host = { ...ts.createCompilerHost(options), ...libraries }
  const program = ts.createProgram([...texts.keys()], options, {
    ...host,
    fileExists: (path) => texts.has(path) || host.fileExists(path),
    readFile: (path) => texts.get(path) ?? host.readFile(path),
    getSourceFile: (path, target, ...rest) => {
      const text = texts.get(path)
      if (text === undefined) return host.getSourceFile(path, target, ...rest)
      return ts.createSourceFile(path, text, target, true)
    },
  })
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), {
    getCurrentDirectory: () => folder,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  })
}

const [names = ''] = meanings.split('\n}\n')
const matching = (shape: RegExp) => new Set([...names.matchAll(shape)].map(([, name]) => name))
const named = matching(/^ {2}(\w+)\??: /gm)
/** What calls may leave out. */
const optional = matching(/^ {2}(\w+)\?: /gm)

const typeOf = (name: string) => (named.has(name) ? `PageTypes['${name}']` : 'any')

/** Types before the parameters of functions that have a name; those of others follow from where they are handed. */
function annotated(text: string): string {
  const source = ts.createSourceFile('page.js', text, ts.ScriptTarget.ES2023, true)
  const edits: { readonly at: number; readonly text: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && hasName(node)) {
      for (const parameter of node.parameters) edits.push(...editsOf(parameter))
    }
    if (ts.isVariableDeclaration(node)) edits.push(...castOf(node))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return edits
    .toSorted((one, other) => other.at - one.at)
    .reduce((made, edit) => made.slice(0, edit.at) + edit.text + made.slice(edit.at), text)
}

const hasName = (node: ts.Node) =>
  ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node.parent)

/** An object that gets its other members later. */
function* castOf({ name, initializer }: ts.VariableDeclaration) {
  if (initializer === undefined || !ts.isObjectLiteralExpression(initializer)) return
  const type = typeOfName(name)
  if (type === 'any') return
  yield { at: initializer.getStart(), text: `/** @type {${type}} */ (` }
  yield { at: initializer.end, text: ')' }
}

function* editsOf({ name, dotDotDotToken: rest, initializer }: ts.ParameterDeclaration) {
  const type = rest === undefined ? typeOfName(name) : 'any[]'
  yield { at: (rest ?? name).getStart(), text: `/** @type {${type}} */ ` }
  const mayMiss = ts.isIdentifier(name) && optional.has(name.text) && initializer === undefined
  if (mayMiss) yield { at: name.end, text: ' = undefined' }
}

function typeOfName(name: ts.BindingName): string {
  if (ts.isIdentifier(name)) return typeOf(name.text)
  if (ts.isArrayBindingPattern(name)) return 'any'
  const members = name.elements.map((element) => {
    if (element.dotDotDotToken !== undefined) return '[rest: string]: any'
    const key = (element.propertyName ?? element.name).getText()
    const type = ts.isIdentifier(element.name) ? typeOf(key) : typeOfName(element.name)
    return `${key}?: ${type}`
  })
  return `{ ${members.join('; ')} }`
}
