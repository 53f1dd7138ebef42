import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configProblem, runConfig } from '../../../load/config-data.js'
import type { LoadProblem } from '../../../load/position.js'

export const GRAPHQL_CONFIG = 'config/svc-graphql.ts'

interface Config {
  readonly config: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Reads `config/svc-graphql.ts` as data; empty where there is none. */
export async function readGraphqlConfig(
  root: string,
): Promise<Config | { readonly problems: readonly LoadProblem[] }> {
  const path = join(root, GRAPHQL_CONFIG)
  if (!existsSync(path)) return { config: {}, text: '' }
  const text = readFileSync(path, 'utf8')
  try {
    const { graphql } = await runConfig(text)
    if (typeof graphql !== 'object' || graphql === null) throw new Error("it exports no 'graphql'")
    return { config: { ...graphql }, text }
  } catch (error) {
    const place = { file: GRAPHQL_CONFIG, rule: 'graphql-config' }
    return { problems: [configProblem(error, place, 'the GraphQL config')] }
  }
}
