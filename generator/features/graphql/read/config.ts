import { idsName } from '../../../blueprint/names/names.js'
import type { Blueprint, Problem } from '../../../blueprint/types.js'
import { isFieldKind, kinds } from '../../../kinds/kinds.js'
import { nearKeys } from '../../../load/config-keys.js'
import { readClosedFields } from '../../../load/field-gates.js'
import { placeOfKey } from '../../../load/keys-in.js'
import { someOf } from '../../../manifest/nearest.js'
import { wrongKeys } from '../config-shape.js'
import { claimed, typeNames } from '../names.js'
import {
  isInSchema,
  memberName,
  readSettings,
  type Closed,
  type GraphqlFacts,
  type GraphqlSettings,
} from '../settings.js'
import { GRAPHQL_CONFIG, readGraphqlConfig } from './config-file.js'

/** Options of the command line that replace the config's. */
export type OutputOptions = Partial<GraphqlSettings['output']>

declare module '../../../write/feature.js' {
  interface ConfigOverrides {
    readonly graphql?: OutputOptions
  }
}

/** Reads the GraphQL config, and the fields that policies never show. */
export async function readGraphql(
  root: string,
  blueprint: Blueprint,
  output: OutputOptions = {},
): Promise<{ readonly graphql: GraphqlFacts } | { readonly problems: readonly Problem[] }> {
  const read = await readGraphqlConfig(root)
  if ('problems' in read) return read
  const wrong = wrongKeys(read.config).map(({ path, says, known }) => {
    const at = path.split('.')
    return {
      ...problem(`'${path}' ${says}`),
      ...placeOfKey({ file: GRAPHQL_CONFIG, text: read.text }, ['graphql', ...at]),
      ...(known === undefined ? {} : nearKeys(at.at(-1) ?? '', known)),
    }
  })
  if (wrong.length > 0) return { problems: wrong.toSorted(byPlace) }
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
    all.filter(({ role }) => role !== 'id').map(({ name }) => `${key}.${name}`),
  )
  const computed = entities.flatMap(({ key, computed: all }) =>
    all.map((each) => `${key}.${each.key}`),
  )
  const relations = entities.flatMap((entity) =>
    entity.relations
      .filter(({ kind }) => kind === 'hasMany')
      .map(({ key }) => `${entity.key}.${key}`),
  )
  const listed = Object.entries(schema.ids).flatMap(([key, all]) =>
    all.map((name) => `${key}.${name}`),
  )
  return [
    ...unknown('repositories.only', 'repository', repositories.only ?? [], keys),
    ...unknown('repositories.except', 'repository', repositories.except, keys),
    ...unknown('repositories.names', 'repository', Object.keys(repositories.names), keys),
    ...unknownKinds(Object.keys(types)),
    ...unknown('fields', 'column', Object.keys(fields), [...columns, ...computed]),
    ...unknown('schema.ids', 'has-many relation', listed, relations),
    ...entities.flatMap((entity) => idsProblems(entity, schema.ids[entity.key] ?? [])),
    ...malformed('repositories.names', Object.values(repositories.names), /^[A-Z]\w*$/, 'Article'),
    ...takenNames(settings, entities),
    ...scalarProblems('types', Object.values(types), settings, entities),
    ...scalarProblems('fields', Object.values(fields), settings, entities),
    ...outputProblems(output),
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

/** Names of GraphQL, as the config of the server takes them too. */
const typeName = /^(?:[A-Z]\w*|\[[A-Z]\w*!?\])$/

function malformed(
  at: string,
  names: readonly string[],
  form: RegExp,
  example: string,
): readonly Problem[] {
  return names
    .filter((name) => !form.test(name))
    .map((name) =>
      problem(`${at} has '${name}', which cannot be a type`, undefined, `'${example}'`),
    )
}

type Entities = Blueprint['entities']

function idsProblems(
  { key, columns, relations }: Entities[number],
  listed: readonly string[],
): readonly Problem[] {
  const taken = new Set([...columns.map(({ name }) => name), ...relations.map((each) => each.key)])
  return listed
    .filter((relation) => taken.has(idsName(memberName(relation))))
    .map((relation) =>
      problem(
        `schema.ids names '${key}.${relation}', which would be '${idsName(memberName(relation))}', and '${key}' has that already`,
      ),
    )
}

const namesOf = (settings: GraphqlSettings, entities: Entities) => typeNames(entities, settings)

/** A name that the config gives, and that another type has or would need. */
function takenNames(settings: GraphqlSettings, entities: Entities): readonly Problem[] {
  const { names } = settings.repositories
  if (Object.keys(names).length === 0) return []
  const usual = { ...settings, repositories: { ...settings.repositories, names: {} } }
  const [given, before] = [namesOf(settings, entities), namesOf(usual, entities)]
  return Object.entries(names)
    .filter(([key, name]) => {
      const isMoved = given.has(key) && given.get(key) !== name
      const others = [...given].filter(([other]) => names[other] === undefined)
      return (
        isMoved ||
        others.some(([other, type]) => type !== before.get(other) && type.startsWith(name))
      )
    })
    .map(([, name]) =>
      problem(`repositories.names has '${name}', which another type has or needs`, [
        ...given.values(),
      ]),
    )
}

/** Checks the scalar of a field: one of GraphQL's or a new one. */
function scalarProblems(
  at: string,
  types: readonly string[],
  settings: GraphqlSettings,
  entities: Entities,
): readonly Problem[] {
  if (types.length === 0) return []
  const own = [...namesOf(settings, entities).values()]
  const taken = new Set(['Query', 'Mutation', 'Subscription', ...own.flatMap(claimed)])
  const records = types
    .filter((type) => typeName.test(type) && taken.has(type.replaceAll(/\W/g, '')))
    .map((type) => problem(`${at} has '${type}', which is not a scalar`, undefined, "'String'"))
  return [...malformed(at, types, typeName, 'Money'), ...records]
}

/** Folders whose files have meanings of their own. */
const ownFolders = [
  ...['config', 'dist', 'manifest', 'node_modules', 'prisma', 'routes', 'runtime', 'scripts'],
  ...['storage', 'tests'],
]

function outputProblems({ path, schema_file }: GraphqlSettings['output']): readonly Problem[] {
  const isPlain = /^\w[\w-]*(?:\/\w[\w-]*)*$/.test(path)
  const [top = ''] = path.toLowerCase().split('/')
  const isFree = isPlain && !ownFolders.includes(top)
  const what = isPlain ? `'${top}' has files of its own` : 'which is not a folder of the project'
  const isName = /^\w[\w-]*(?:\.\w[\w-]*)*\.graphql$/.test(schema_file)
  const folder = `output.path is '${path}', ${isPlain ? 'and ' : ''}${what}`
  const file = `output.schema_file is '${schema_file}', which is not a name like 'api.graphql'`
  return [
    ...(isFree ? [] : [problem(folder, undefined, "path: 'app/GraphQL'")]),
    ...(isName ? [] : [problem(file, undefined, "schema_file: 'schema.graphql'")]),
  ]
}

function unknownKinds(names: readonly string[]): readonly Problem[] {
  const all = kinds.map(({ name }) => name)
  const says = 'and there is no such field kind; docs/manifest.md lists them'
  return names
    .filter((name) => !isFieldKind(name))
    .map((name) => problem(`types names '${name}', ${says}`, someOf(name, all)))
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

/** Finds the first place in the config of the text that a problem quotes. */
function placed(found: Problem, text: string): Problem {
  const quoted = /'([^']+)'/.exec(found.message)?.[1] ?? ''
  const names = [quoted, quoted.split('.').at(-1) ?? ''].filter((name) => name !== '')
  const places = names.map((name) =>
    text.search(new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`)),
  )
  const at = places.find((place) => place !== -1)
  if (at === undefined) return found
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
