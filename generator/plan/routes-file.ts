import type { SourceFile } from 'ts-morph'

/**
 * `routes/api.ts` is the developer's: svc adds the imports and calls it wants today and wanted not before, takes away those
 * it no longer wants, and touches nothing else. Twice is the same as once. Null when the file cannot be read.
 */
export async function editRoutes(
  mine: string,
  base: string | null,
  svc: string,
): Promise<string | null> {
  // Only an edited file that svc has something to say to needs the compiler, and it takes a while to load.
  const { Project } = await import('ts-morph')
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true })
  const open = (name: string, text: string) => project.createSourceFile(`${name}.ts`, text)
  const [file, before, today] = [open('mine', mine), open('base', base ?? ''), open('svc', svc)]
  if (project.getProgram().getSyntacticDiagnostics(file).length > 0) return null
  const [old, wanted] = [partsOf(before), partsOf(today)]
  for (const part of old.calls) if (!wanted.calls.includes(part)) removeCall(file, part)
  for (const part of wanted.calls) if (!old.calls.includes(part)) addCall(file, part)
  for (const [name, from] of wanted.imports) if (!old.imports.has(name)) addImport(file, name, from)
  for (const [name, from] of old.imports)
    if (!wanted.imports.has(name)) dropImport(file, name, from)
  return file.getFullText()
}

interface Parts {
  /** Modules by what is imported from them. */
  readonly imports: ReadonlyMap<string, string>
  /** Statements that call something: `svcResources(api)`. */
  readonly calls: readonly string[]
}

function partsOf(file: SourceFile): Parts {
  const imports = file.getImportDeclarations().flatMap((each) => {
    const from = each.getModuleSpecifierValue()
    return each.getNamedImports().map((name) => [name.getName(), from] as const)
  })
  return { imports: new Map(imports), calls: callsIn(file).map(({ text }) => text) }
}

function callsIn(file: SourceFile) {
  return file.getStatements().flatMap((statement) => {
    const text = statement.getText().replace(/;$/, '')
    return /^[\w.]+\(/.test(text) ? [{ text, statement }] : []
  })
}

/** `svcAuth` of `svcAuth(api)`; with other arguments it is the developer's, and here already. */
const calleeOf = (call: string) => call.slice(0, call.indexOf('('))

function addCall(file: SourceFile, call: string): void {
  if (callsIn(file).some(({ text }) => calleeOf(text) === calleeOf(call))) return
  const last = file.getVariableStatement((each) => each.isExported())
  const index = last === undefined ? file.getStatements().length : last.getChildIndex() + 1
  file.insertStatements(index, call)
}

function removeCall(file: SourceFile, call: string): void {
  for (const { text, statement } of callsIn(file)) if (text === call) statement.remove()
}

function addImport(file: SourceFile, name: string, from: string): void {
  if (partsOf(file).imports.has(name)) return
  const known = file.getImportDeclaration((each) => each.getModuleSpecifierValue() === from)
  if (known !== undefined && !known.isTypeOnly()) known.addNamedImport(name)
  else file.insertText(afterImports(file), `import { ${name} } from '${from}'\n`)
}

function afterImports(file: SourceFile): number {
  const last = file.getImportDeclarations().at(-1)
  return last === undefined ? 0 : Math.min(last.getEnd() + 1, file.getEnd())
}

/** Unless the developer uses it. */
function dropImport(file: SourceFile, name: string, from: string): void {
  const uses = file.getFullText().match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0
  const known = file.getImportDeclaration((each) => each.getModuleSpecifierValue() === from)
  if (known === undefined || uses > 1) return
  known
    .getNamedImports()
    .find((each) => each.getName() === name)
    ?.remove()
  if (known.getNamedImports().length === 0 && known.getDefaultImport() === undefined) known.remove()
}
