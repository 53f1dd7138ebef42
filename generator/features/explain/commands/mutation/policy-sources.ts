import { posix } from 'node:path'
import type { ts as TypeScript } from 'ts-morph'

export type Ts = typeof TypeScript
export type Node = TypeScript.Node
export type Expression = TypeScript.Expression
type SourceFile = TypeScript.SourceFile

/** A function or a value at the top of a file. */
export interface Declared {
  readonly file: string
  readonly name: string
  readonly value: Expression | TypeScript.FunctionDeclaration
}

export interface Sources {
  readonly ts: Ts
  readonly source: (file: string) => SourceFile | null
  /**
   * Finds the declaration of a name in a file: of the file itself, or imported from another of
   * `app/`.
   */
  readonly named: (file: string, name: string) => Declared | null
  readonly policies: readonly Declared[]
}

/** @param files Text by path, of `app/`. */
export function policySources(ts: Ts, files: ReadonlyMap<string, string>): Sources {
  const parsed = new Map<string, SourceFile>()
  const source = (file: string): SourceFile | null => {
    const text = files.get(file)
    if (text === undefined) return null
    const found = parsed.get(file) ?? ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    parsed.set(file, found)
    return found
  }
  const named = (file: string, name: string): Declared | null => {
    const found = source(file)
    if (found === null) return null
    for (const statement of found.statements) {
      const own = declaredIn(ts, statement, name)
      if (own !== null) return { file, name, value: own }
      const from = importedIn(ts, statement, name)
      if (from !== null) return named(pathOf(file, from.module), from.name)
    }
    return null
  }
  const policies = [...files.keys()].toSorted().flatMap((file) => {
    const [, name] = /^app\/Policies\/(\w+Policy)\.ts$/.exec(file) ?? []
    return (name === undefined ? null : named(file, name)) ?? []
  })
  return { ts, source, named, policies }
}

function declaredIn(ts: Ts, statement: Node, name: string): Declared['value'] | null {
  if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement
  if (!ts.isVariableStatement(statement)) return null
  const { declarations } = statement.declarationList
  const found = declarations.find((each) => ts.isIdentifier(each.name) && each.name.text === name)
  return found?.initializer ?? null
}

function importedIn(ts: Ts, statement: Node, name: string) {
  if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier))
    return null
  const names = statement.importClause?.namedBindings
  if (names === undefined || !ts.isNamedImports(names)) return null
  const found = names.elements.find((each) => each.name.text === name)
  if (found === undefined) return null
  return { module: statement.moduleSpecifier.text, name: (found.propertyName ?? found.name).text }
}

function pathOf(file: string, module: string): string {
  const path = module.startsWith('#') ? module.slice(1) : posix.join(posix.dirname(file), module)
  return path.replace(/\.js$/, '.ts')
}
