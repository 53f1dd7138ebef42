import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'
import { transform, type TransformFailure } from 'esbuild'
import type { LoadProblem } from './position.js'

export const GRAPHQL_CONFIG = 'config/svc-graphql.ts'

interface Config {
  readonly config: Readonly<Record<string, unknown>>
  readonly text: string
}

/**
 * What `config/svc-graphql.ts` says, as data; empty where there is none. It is run without its imports: they need the
 * server's packages, and the generator runs before those are installed.
 */
export async function readGraphqlConfig(
  root: string,
): Promise<Config | { readonly problems: readonly LoadProblem[] }> {
  const path = join(root, GRAPHQL_CONFIG)
  if (!existsSync(path)) return { config: {}, text: '' }
  const text = readFileSync(path, 'utf8')
  try {
    const exported = await runAlone(text, () => identities)
    const { graphql } = exported
    if (typeof graphql !== 'object' || graphql === null) throw new Error("it exports no 'graphql'")
    return { config: { ...graphql }, text }
  } catch (error) {
    const broken = syntaxProblem(error, GRAPHQL_CONFIG, 'graphql-config')
    if (broken !== null) return { problems: [broken] }
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    const message = `the GraphQL config cannot be read: ${why}`
    return {
      problems: [{ file: GRAPHQL_CONFIG, line: 1, column: 1, rule: 'graphql-config', message }],
    }
  }
}

/** Where a file that `runAlone` was given is no TypeScript; null: that is not what went wrong. */
export function syntaxProblem(error: unknown, file: string, rule: string): LoadProblem | null {
  if (!isBuildFailure(error)) return null
  const [first] = error.errors
  const { line = 1, column = 0 } = first?.location ?? {}
  const message = `'${file}' is no TypeScript: ${first?.text ?? ''}`
  return { file, line, column: column + 1, rule, message }
}

const isBuildFailure = (error: unknown): error is TransformFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors)

/** Every import of a config gives back what it is given: `defineGraphql` among them. */
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
