import { fileURLToPath } from 'node:url'
import { libraries, ts } from '../../support/typescript.js'

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')

const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  verbatimModuleSyntax: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  paths: { svckit: [`${root}/generator/index.ts`] },
}

/** A host that sees the given texts as files beside this one. */
export function hostOf(files: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = { ...ts.createCompilerHost(options), ...libraries }
  const { fileExists, readFile, getSourceFile } = host
  return {
    ...host,
    fileExists: (path) => files.has(path) || fileExists(path),
    readFile: (path) => files.get(path) ?? readFile(path),
    getSourceFile: (path, target, ...rest) => {
      const text = files.get(path)
      return text === undefined
        ? getSourceFile(path, target, ...rest)
        : ts.createSourceFile(path, text, target, true)
    },
  }
}

export const pathOf = (name: string) => `${root}/tests/core/types/${name}.ts`

/** Returns the compiler's errors in each text, as `line:column  message`. */
export function compile(
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, readonly string[]>> {
  const files = new Map(Object.entries(texts).map(([name, text]) => [pathOf(name), text]))
  const program = ts.createProgram([...files.keys()], options, hostOf(files))
  const said = Object.keys(texts).map((name) => {
    const source = program.getSourceFile(pathOf(name))
    return [name, ts.getPreEmitDiagnostics(program, source).map(lineOf)] as const
  })
  return Object.fromEntries(said)
}

function lineOf({ file, start = 0, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, '\n')
  const place = file?.getLineAndCharacterOfPosition(start) ?? { line: 0, character: 0 }
  return `${place.line + 1}:${place.character + 1}  ${text}`
}

/** Returns the completions of an editor at the place marked `‸`. */
export function completions(text: string): readonly string[] {
  const path = pathOf('completions')
  const files = new Map([[path, text.replace('‸', '')]])
  const host = hostOf(files)
  const { fileExists, readFile, getCurrentDirectory, getDefaultLibFileName } = host
  const service = ts.createLanguageService({
    fileExists,
    readFile,
    getCurrentDirectory,
    getDefaultLibFileName,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [path],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const found = readFile(name)
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found)
    },
  })
  const found = service.getCompletionsAtPosition(path, text.indexOf('‸'), undefined)
  return (found?.entries ?? []).map(({ name }) => name).toSorted()
}
