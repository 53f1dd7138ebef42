import { posix } from 'node:path'
import ts from 'typescript'

/** Where every checked folder seems to lie: what two of them have in common is read and checked once. */
const seeming = '/svc-project'
const sources = new Map<string, { readonly text: string; readonly source: ts.SourceFile }>()
const builders = new Map<string, ts.SemanticDiagnosticsBuilderProgram>()

/** What `tsc -p <project>` prints in a project that emits nothing; empty when there is nothing wrong. */
export function typeCheck(folder: string, project: '.' | 'prisma' = '.'): string {
  const system = systemOf(folder)
  const config = ts.getParsedCommandLineOfConfigFile(
    posix.join(seeming, project, 'tsconfig.json'),
    {},
    { ...system, onUnRecoverableConfigFileDiagnostic: (problem) => fail(problem.messageText) },
  )
  if (config === undefined) return fail(`${folder} has no tsconfig.json`)
  const builder = ts.createSemanticDiagnosticsBuilderProgram(
    config.fileNames,
    config.options,
    hostOf(config.options, system),
    builders.get(project),
    config.errors,
  )
  builders.set(project, builder)
  const found = [
    ...builder.getConfigFileParsingDiagnostics(),
    ...builder.getOptionsDiagnostics(),
    ...builder.getSyntacticDiagnostics(),
    ...builder.getGlobalDiagnostics(),
    ...builder.getSemanticDiagnostics(),
  ]
  return ts.formatDiagnostics(found, {
    getCurrentDirectory: () => seeming,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  })
}

function systemOf(folder: string): ts.System {
  const real = (path: string) =>
    path === seeming || path.startsWith(`${seeming}/`) ? folder + path.slice(seeming.length) : path
  const seen = (path: string) =>
    path.startsWith(`${folder}/`) ? seeming + path.slice(folder.length) : path
  return {
    ...ts.sys,
    getCurrentDirectory: () => seeming,
    fileExists: (path) => ts.sys.fileExists(real(path)),
    directoryExists: (path) => ts.sys.directoryExists(real(path)),
    getDirectories: (path) => ts.sys.getDirectories(real(path)),
    readFile: (path, encoding) => ts.sys.readFile(real(path), encoding),
    realpath: (path) => seen(ts.sys.realpath?.(real(path)) ?? path),
    readDirectory: (path, ...more) => ts.sys.readDirectory(real(path), ...more).map(seen),
  }
}

function hostOf(options: ts.CompilerOptions, system: ts.System): ts.CompilerHost {
  const host = ts.createIncrementalCompilerHost(options, system)
  const { getSourceFile } = host
  return {
    ...host,
    // What a file imports may be there in one folder and not in the next.
    hasInvalidatedResolutions: (path) => path.startsWith(seeming),
    getSourceFile: (path, ...more) => {
      const text = system.readFile(path)
      const known = sources.get(path)
      if (text === undefined || known?.text === text)
        return text === undefined ? text : known?.source
      const source = getSourceFile(path, ...more)
      if (source !== undefined) sources.set(path, { text, source })
      return source
    },
  }
}

function fail(message: string | ts.DiagnosticMessageChain): never {
  throw new Error(ts.flattenDiagnosticMessageText(message, '\n'))
}
