import type { ImportDeclaration, SourceFile, Statement } from 'ts-morph'
import { plain } from '../../source/merge.js'
import { deletion, insertion, splice, type Edit } from '../../source/text-edits.js'

/**
 * `routes/api.ts` is the developer's: svc adds the imports and calls it wants today and wanted not before, takes away those
 * it no longer wants, and touches nothing else, comments least of all. Twice is the same as once. Null when the file, or
 * what came of it, cannot be read. Line feeds only.
 */
export async function editRoutes(
  mine: string,
  base: string | null,
  svc: string,
): Promise<string | null> {
  // Only an edited file that svc has something to say to needs the compiler, and it takes a while to load.
  const { Project } = await import('../../source/ts-morph.js')
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true })
  let opened = 0
  const open = (text: string): SourceFile | null => {
    const file = project.createSourceFile(`${(opened += 1)}.ts`, plain(text))
    return project.getProgram().getSyntacticDiagnostics(file).length === 0 ? file : null
  }
  const [before, today] = [open(base ?? ''), open(svc)]
  if (before === null || today === null) return null
  const [old, todays] = [partsOf(before), partsOf(today)]
  const steps: readonly ((file: SourceFile) => readonly Edit[])[] = [
    ...old.calls
      .filter((call) => !todays.calls.includes(call))
      .map((call) => (file: SourceFile) => removeCall(file, call)),
    (file) => addCalls(file, todays.calls, old.calls),
    ...[...todays.imports]
      .filter(([name]) => !old.imports.has(name))
      .map(
        ([name, from]) =>
          (file: SourceFile) =>
            addImport(file, name, from),
      ),
    ...[...old.imports]
      .filter(([name]) => !todays.imports.has(name))
      .map(
        ([name, from]) =>
          (file: SourceFile) =>
            dropImport(file, name, from),
      ),
  ]
  const after = steps.reduce<string | null>(
    (text, step) => {
      const file = text === null ? null : open(text)
      return file === null ? null : splice(file.getFullText(), step(file))
    },
    open(mine)?.getFullText() ?? null,
  )
  return after === null || open(after) === null ? null : after
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

/** Before the next one that is here; else after `api` itself. */
function addCalls(
  file: SourceFile,
  todays: readonly string[],
  old: readonly string[],
): readonly Edit[] {
  const here = callsIn(file)
  const find = (call: string) => here.find(({ text }) => calleeOf(text) === calleeOf(call))
  return todays.flatMap((call, at) => {
    if (old.includes(call) || find(call) !== undefined) return []
    const next = todays.slice(at + 1).flatMap((each) => find(each) ?? [])[0]?.statement
    if (next !== undefined) return [insertion(startOf(next), `${call}${endOf(next)}\n`)]
    const api = file.getVariableStatement((each) => each.isExported())
    const last = api ?? file.getStatements().at(-1)
    if (last === undefined) return [insertion(0, `${call}\n`)]
    return [insertion(afterLine(file, last), `\n${call}${endOf(last)}\n`)]
  })
}

const endOf = (statement: Statement) => (statement.getText().endsWith(';') ? ';' : '')

/** With the comments right above it. */
function startOf(statement: Statement): number {
  const text = statement.getSourceFile().getFullText()
  return statement.getLeadingCommentRanges().reduceRight((start, comment) => {
    const isAbove = /^[ \t]*\n?[ \t]*$/.test(text.slice(comment.getEnd(), start))
    return isAbove ? comment.getPos() : start
  }, statement.getStart())
}

/** Behind the statement's line, or right behind the statement when another one shares it. */
function afterLine(file: SourceFile, statement: Statement): number {
  const line = /^[ \t]*(\/\/[^\n]*)?\n/.exec(file.getFullText().slice(statement.getEnd()))
  return statement.getEnd() + (line?.[0].length ?? 0)
}

function removeCall(file: SourceFile, call: string): readonly Edit[] {
  return callsIn(file)
    .filter(({ text }) => text === call)
    .map(({ statement }) => without(file, statement))
}

const without = (file: SourceFile, statement: Statement) =>
  deletion(file.getFullText(), statement.getStart(), statement.getEnd())

function addImport(file: SourceFile, name: string, from: string): readonly Edit[] {
  if (partsOf(file).imports.has(name)) return []
  const known = file.getImportDeclaration((each) => isFrom(each, from) && !each.isTypeOnly())
  const named = known?.getNamedImports().at(-1)
  if (named !== undefined) return [insertion(named.getEnd(), `, ${name}`)]
  const line = `import { ${name} } from '${from}'\n`
  const last = file.getImportDeclarations().at(-1)
  if (last === undefined) return [insertion(0, line)]
  const at = afterLine(file, last)
  return [insertion(at, at === last.getEnd() ? `\n${line}` : line)]
}

const isFrom = (declaration: ImportDeclaration, from: string) =>
  declaration.getModuleSpecifierValue() === from

/** Unless the developer uses it. */
function dropImport(file: SourceFile, name: string, from: string): readonly Edit[] {
  const uses = file.getFullText().match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0
  const known = file.getImportDeclaration((each) => isFrom(each, from))
  const names = known?.getNamedImports() ?? []
  const at = names.findIndex((each) => each.getName() === name)
  const [previous, gone, next] = [names[at - 1], names[at], names[at + 1]]
  if (known === undefined || gone === undefined || uses > 1) return []
  if (names.length === 1 && known.getDefaultImport() === undefined) return [without(file, known)]
  if (next !== undefined) return [{ start: gone.getStart(), end: next.getStart(), text: '' }]
  return [{ start: previous?.getEnd() ?? gone.getStart(), end: gone.getEnd(), text: '' }]
}
