import { posix } from 'node:path'
import type { Blueprint } from '../../../generator/blueprint/types.js'
import { clientSettings } from '../../../generator/features/client/check.js'
import { clientFiles, type ClientFile } from '../../../generator/features/client/files.js'
import { describeProject } from '../../../generator/plan/describe-project.js'
import { root } from '../../core/plan/fixture.js'
import { libraries, ts } from '../../support/typescript.js'

/** A client that only the compiler reads, and nobody formats. */
export function clientOf(
  blueprint: Blueprint,
  folder: string,
  {
    hasQueries = false,
    zod = false,
  }: { readonly hasQueries?: boolean; readonly zod?: boolean } = {},
): Promise<readonly ClientFile[]> {
  const tidied = {
    find: (_: string, text: string) => text,
    note: () => {},
    again: () => null,
    made: () => {},
    parts: () => null,
    noteParts: () => {},
  }
  const project = describeProject(blueprint, { name: folder, svckit: '10.0.0', tidied })
  return clientFiles(project, clientSettings(folder, hasQueries, zod))
}

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

/** The same of a program that Node runs: what a browser has besides is not there. */
const inNode: ts.CompilerOptions = { ...options, lib: ['lib.es2023.d.ts'], types: ['node'] }

/** Of packages and of the language, parsed once. */
const known = new Map<string, ts.SourceFile | undefined>()

/** What the compiler says of the files of a client, and of what is written beside them; none of it is on the disk. */
export function checkClient(
  files: readonly ClientFile[],
  where: 'browser' | 'node' = 'browser',
): {
  readonly problems: string
  readonly program: ts.Program
} {
  const own = where === 'node' ? inNode : options
  // Within the checkout, whose packages it finds.
  const texts = new Map(
    files.map(({ path, content }) => [`${root}tests/features/client/${path}`, content]),
  )
  const folders = new Set([...texts.keys()].map((path) => posix.dirname(path)))
  const host = { ...ts.createCompilerHost(own), ...libraries }
  const { fileExists, readFile, getSourceFile } = host
  const program = ts.createProgram([...texts.keys()], own, {
    ...host,
    directoryExists: (path) => folders.has(path) || host.directoryExists?.(path) === true,
    fileExists: (path) => texts.has(path) || fileExists(path),
    readFile: (path) => texts.get(path) ?? readFile(path),
    getSourceFile: (path, target, ...rest) => {
      const text = texts.get(path)
      if (text !== undefined) return ts.createSourceFile(path, text, target, true)
      const source = known.get(path) ?? getSourceFile(path, target, ...rest)
      known.set(path, source)
      return source
    },
  })
  const problems = ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  })
  return { problems, program }
}
