import { FIELD_KINDS } from '../blueprint/field-kinds.js'
import type { Blueprint, Problem } from '../blueprint/types.js'
import { GRAPHQL_CONFIG, readGraphqlConfig } from '../load/config-data.js'
import { readClosedFields } from '../load/field-gates.js'
import {
  isInSchema,
  readSettings,
  type Closed,
  type GraphqlFacts,
  type GraphqlSettings,
} from '../plan/graphql/settings.js'

/** What the command line says instead of the config. */
export type OutputOptions = Partial<GraphqlSettings['output']>

/** What GraphQL needs besides the manifest: its config, and what policies never show. */
export async function readGraphql(
  root: string,
  blueprint: Blueprint,
  output: OutputOptions = {},
): Promise<{ readonly graphql: GraphqlFacts } | { readonly problems: readonly Problem[] }> {
  const read = await readGraphqlConfig(root)
  if ('problems' in read) return read
  const written = readSettings(read.config)
  const settings = { ...written, output: { ...written.output, ...output } }
  const problems = problemsOf(settings, blueprint).map((found) => placed(found, read.text))
  if (problems.length > 0) return { problems: problems.toSorted(byPlace) }
  return { graphql: { settings, closed: await closedIn(root, blueprint, settings) } }
}

async function closedIn(
  root: string,
  { entities }: Blueprint,
  { enabled }: GraphqlSettings,
): Promise<ReadonlyMap<string, Closed>> {
  if (!enabled) return new Map()
  const found = await Promise.all(
    entities.map(async ({ key, name }) => [key, await readClosedFields(root, name)] as const),
  )
  return new Map(
    found.flatMap(([key, closed]) => (closed === null ? [] : [[key, closed] as const])),
  )
}

function problemsOf(settings: GraphqlSettings, { entities }: Blueprint): readonly Problem[] {
  const { repositories, types, fields, schema, output } = settings
  const keys = entities.map(({ key }) => key)
  const columns = entities.flatMap(({ key, columns: all }) =>
    all.map(({ name }) => `${key}.${name}`),
  )
  const relations = entities.flatMap((entity) =>
    entity.relations
      .filter(({ kind }) => kind === 'hasMany')
      .map(({ key }) => `${entity.key}.${key}`),
  )
  const listed = Object.entries(schema.ids).flatMap(([key, all]) =>
    all.map((name) => `${key}.${name}`),
  )
  const isOutside = /^([/\\]|\w:|\.\.(\/|$))/.test(output.path) || output.path === ''
  return [
    ...unknown('repositories.only', 'repository', repositories.only ?? [], keys),
    ...unknown('repositories.except', 'repository', repositories.except, keys),
    ...unknown('repositories.names', 'repository', Object.keys(repositories.names), keys),
    ...unknown('types', 'field kind', Object.keys(types), Object.keys(FIELD_KINDS)),
    ...unknown('fields', 'column', Object.keys(fields), columns),
    ...unknown('schema.ids', 'has-many relation', listed, relations),
    ...(isOutside
      ? [
          problem(
            `output.path is '${output.path}', which is not a folder of the project`,
            undefined,
            "path: 'app/GraphQL'",
          ),
        ]
      : []),
    ...(settings.enabled && !keys.some((key) => isInSchema(settings, key))
      ? [
          problem(
            'repositories leaves none for the schema',
            keys,
            'enabled: false switches GraphQL off',
          ),
        ]
      : []),
  ]
}

function unknown(
  at: string,
  what: string,
  names: readonly string[],
  known: readonly string[],
): readonly Problem[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => problem(`${at} names '${name}', and there is no such ${what}`, known))
}

const byPlace = (a: Problem, b: Problem) => a.line - b.line || a.column - b.column

/** Where the config first says what a problem quotes. */
function placed(found: Problem, text: string): Problem {
  const name = /'([^']+)'/.exec(found.message)?.[1]?.split('.').at(-1)
  const at =
    name === undefined ? -1 : text.search(new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`))
  if (at === -1) return found
  const lines = text.slice(0, at).split('\n')
  return { ...found, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

const escaped = (name: string) => name.replaceAll(/[^\w]/g, '\\$&')

const problem = (message: string, known?: readonly string[], fix?: string): Problem => ({
  file: GRAPHQL_CONFIG,
  line: 1,
  column: 1,
  rule: 'graphql-config',
  message,
  ...(known === undefined ? {} : { known }),
  ...(fix === undefined ? {} : { fix }),
})
