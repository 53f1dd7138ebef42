/** The JavaScript of the page `/docs` with types: a parameter has the type that `page-types.d.ts` gives its name. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../core/plan/fixture.js'
import { printed, problemsOf } from '../../support/compiler.js'
import { ts } from '../../support/typescript.js'

const folder = join(root, 'runtime/features/docs/page')
const meanings = readFileSync(join(root, 'tests/features/docs/page-types.d.ts'), 'utf8')

const options = {
  ...{ allowJs: true, checkJs: true, strict: true, noImplicitAny: false, strictNullChecks: false },
  useUnknownInCatchVariables: false,
  ...{ noUnusedLocals: true, noUnusedParameters: true },
  ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], types: [] },
  ...{ module: 'esnext', moduleResolution: 'bundler' },
  ...{ noEmit: true, skipLibCheck: true },
}

/** What the compiler says of the page. */
export function checkPage(edit: (text: string, name: string) => string = (text) => text): string {
  const copy = mkdtempSync(join(tmpdir(), 'svc-page-'))
  const write = (name: string, text: string) => writeFileSync(join(copy, name), text)
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.js'))) {
    write(name, annotated(edit(readFileSync(join(folder, name), 'utf8'), name)))
  }
  // Declarations are not checked where libraries are not, and these have to be.
  write('page-types.ts', meanings)
  write('tsconfig.json', JSON.stringify({ compilerOptions: options }))
  const problems = printed(problemsOf(join(copy, 'tsconfig.json')))
  rmSync(copy, { recursive: true })
  return problems
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
