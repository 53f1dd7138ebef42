import type { Message } from 'esbuild'

/** Lines about code that cannot be read, each mistake as `file:line:column` with its line; null: it is something else. */
export function syntaxLines(error: unknown): readonly string[] | null {
  const errors = errorsIn(error)
  // A missing import may exist when the server runs; its loader reports it well.
  const isSyntax = ({ text, location }: Message) => location !== null && !isImport.test(text)
  if (errors.length === 0 || !errors.every(isSyntax)) return null
  return errors.flatMap(linesOf)
}

const isImport = /^(Could not resolve|No matching export)/

function errorsIn(error: unknown): readonly Message[] {
  if (typeof error !== 'object' || error === null || !('errors' in error)) return []
  return Array.isArray(error.errors) ? error.errors : []
}

function linesOf({ text, location }: Message): readonly string[] {
  if (location === null) return [text]
  const { file, line, column, lineText } = location
  const code = lineText.trimStart()
  // esbuild counts bytes.
  const before = Buffer.from(lineText).subarray(0, column).toString()
  const indent = before.slice(lineText.length - code.length).replaceAll(/[^\t]/g, ' ')
  return [`${file}:${line}:${before.length + 1}  ${text}`, `  ${code}`, `  ${indent}^`]
}
