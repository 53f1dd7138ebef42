import { compileFunction } from 'node:vm'
import { transform, type TransformFailure } from 'esbuild'
import type { LoadProblem } from './position.js'

/**
 * What a file of config/ exports, as data. It is run without its imports: they need the server's packages, and the generator runs
 * before those are installed.
 */
export const runConfig = (text: string): Promise<Readonly<Record<string, unknown>>> =>
  runAlone(text, () => identities)

/** Why it cannot be read. */
export function configProblem(
  error: unknown,
  { file, rule }: { readonly file: string; readonly rule: string },
  what: string,
): LoadProblem {
  const broken = syntaxProblem(error, file, rule)
  if (broken !== null) return broken
  const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  return { file, line: 1, column: 1, rule, message: `${what} cannot be read: ${why}` }
}

/** Returns the syntax error of a file that `runAlone` was given; null: something else failed. */
export function syntaxProblem(error: unknown, file: string, rule: string): LoadProblem | null {
  if (!isBuildFailure(error)) return null
  const [first] = error.errors
  const { line = 1, column = 0 } = first?.location ?? {}
  const message = `'${file}' does not parse as TypeScript: ${first?.text ?? ''}`
  return { file, line, column: column + 1, rule, message }
}

const isBuildFailure = (error: unknown): error is TransformFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors)

/** Every import of a config gives back what it is given: `defineConfig` among them. */
const identities: object = new Proxy({}, { get: () => (value: unknown) => value })

/** Runs one file; `imported` answers whatever it imports. */
export async function runAlone(
  text: string,
  imported: (specifier: string) => unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const { code } = await transform(text, {
    loader: 'ts',
    format: 'cjs',
    target: 'node20',
    tsconfigRaw: {},
    logLevel: 'silent',
  })
  const module = { exports: {} }
  compileFunction(code, ['require', 'module', 'exports'])(imported, module, module.exports)
  return module.exports
}
