import type { Project } from '../../../plan/project.js'
import { importLine } from '../../../plan/render/imports.js'
import { isLarge } from '../../../plan/views/fields/large.js'
import { literal, member } from '../../../source/literal.js'

export interface GraphqlEndpointView {
  readonly schema: string
  readonly records: readonly RecordView[]
  /** Every repository is served, as the type of its name. */
  readonly areUsual: boolean
  readonly hasResolvers: boolean
  /** Imports and options of features. */
  readonly imports: readonly string[]
  readonly options: readonly string[]
  /** In development the schema is made when it is asked for: it takes most of the start. */
  readonly isLarge: boolean
}

interface RecordView {
  /** The code of the repository: `repositories.posts`. */
  readonly repository: string
  /** The name of the GraphQL type. */
  readonly type: string
}

export function graphqlEndpointView(project: Project): GraphqlEndpointView {
  const { path, schema_file, resolvers } = project.derived.graphql.settings.output
  const types = project.derived.graphql.types
  const records = project.entities.flatMap(({ key, name }) => {
    const type = types.get(key)
    return type === undefined ? [] : [{ name, type, repository: member('repositories', key) }]
  })
  return {
    schema: literal(`${path}/${schema_file}`),
    records: records.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    areUsual: project.entities.every(({ key, name }) => types.get(key) === name),
    hasResolvers: resolvers,
    isLarge: isLarge(project),
    ...partsOf(project),
  }
}

function partsOf(project: Project) {
  const said = project.features.flatMap(({ graphql }) => graphql?.endpoint?.(project) ?? [])
  const { resources_around: around } = project.slots
  const aroundMutation = { from: '#runtime/http/around-writes.js', names: ['aroundMutation'] }
  const imports = said.flatMap((each) => each.imports)
  return {
    imports: [...imports, ...(around.length === 0 ? [] : [aroundMutation])].map(importLine),
    options: [
      ...said.flatMap(({ lines }) => lines),
      ...(around.length === 0 ? [] : [`around: aroundMutation([${around.join(', ')}]),`]),
    ],
  }
}
