import { posix } from 'node:path'
import ts from 'typescript'
import type { ClientFile } from '../../generator/plan/client/files.js'
import { root } from '../plan/fixture.js'

/** As strict as somebody's web application may be. */
const options: ts.CompilerOptions = {
  strict: true,
  ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noImplicitReturns: true },
  ...{ noUnusedLocals: true, noUnusedParameters: true, noPropertyAccessFromIndexSignature: true },
  ...{ verbatimModuleSyntax: true, isolatedModules: true, erasableSyntaxOnly: true },
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
  noEmit: true,
  skipLibCheck: true,
}

/** What the compiler says of the files of a client, and of what is written beside them; none of it is on the disk. */
export function checkClient(files: readonly ClientFile[]): {
  readonly problems: string
  readonly program: ts.Program
} {
  // Within the checkout, whose packages it finds.
  const texts = new Map(files.map(({ path, content }) => [`${root}tests/client/${path}`, content]))
  const folders = new Set([...texts.keys()].map((path) => posix.dirname(path)))
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  const program = ts.createProgram([...texts.keys()], options, {
    ...host,
    directoryExists: (path) => folders.has(path) || host.directoryExists?.(path) === true,
    fileExists: (path) => texts.has(path) || fileExists(path),
    readFile: (path) => texts.get(path) ?? readFile(path),
    getSourceFile: (path, target, ...rest) => {
      const text = texts.get(path)
      return text === undefined
        ? getSourceFile(path, target, ...rest)
        : ts.createSourceFile(path, text, target, true)
    },
  })
  const problems = ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  })
  return { problems, program }
}
