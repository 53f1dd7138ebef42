import {
  IndentationText,
  Node,
  Project,
  QuoteKind,
  SyntaxKind,
  type SourceFile,
} from '../libraries/ts-morph.cjs'

/** For features: what esbuild leaves out of the bundle is found from one depth of folders only. */
export { IndentationText, Node, Project, QuoteKind, SyntaxKind }

/** A file to look into, which it is not checked for; null: it does not parse as TypeScript. */
export function parse(text: string): SourceFile | null {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true })
  const source = project.createSourceFile('api.ts', text)
  return project.getProgram().getSyntacticDiagnostics(source).length > 0 ? null : source
}
