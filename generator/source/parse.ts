import { Project, type SourceFile } from './ts-morph.js'

/** A file to look into, which it is not checked for; null: it does not parse as TypeScript. */
export function parse(text: string): SourceFile | null {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true })
  const source = project.createSourceFile('api.ts', text)
  return project.getProgram().getSyntacticDiagnostics(source).length > 0 ? null : source
}
