import type { Project } from '../../../plan/project.js'
import { importLine, merged, type Import } from '../../../plan/render/imports.js'
import { isLarge } from '../../../plan/views/fields/large.js'
import { literal, member } from '../../../source/literal.js'
import { resolverParts } from './resolver.js'

export interface GraphqlEndpointView {
  readonly schema: string
  readonly records: readonly RecordView[]
  /** Every repository is served, as the type of its name. */
  readonly areUsual: boolean
  readonly hasResolvers: boolean
  /** Resolvers of repositories without a file, with methods of features. */
  readonly resolvers: readonly ResolverView[]
  /** Imports and options of features. */
  readonly imports: readonly string[]
  readonly options: readonly string[]
  /** In development the schema is made when it is asked for: it takes most of the start. */
  readonly isLarge: boolean
}

interface ResolverView {
  readonly type: string
  /** `PostRepository`, imported from its file. */
  readonly repository: string
  readonly lines: readonly string[]
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
    ...partsOf(project, resolvers ? [] : resolversOf(project)),
  }
}

interface ResolverWithImports extends ResolverView {
  readonly imports: readonly Import[]
}

/** The resolvers of repositories that features add methods to; the runtime has those of all others. */
const resolversOf = (project: Project): readonly ResolverWithImports[] =>
  project.entities
    .flatMap((entity) => {
      const type = project.derived.graphql.types.get(entity.key)
      const said = type === undefined ? [] : resolverParts(entity, project)
      if (type === undefined || said.length === 0) return []
      const repository = `${entity.name}Repository`
      const own = { from: `#app/Repositories/${repository}.js`, names: [repository] }
      const imports = [own, ...said.flatMap((each) => each.imports)]
      return [{ type, repository, lines: said.flatMap((each) => each.lines), imports }]
    })
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))

const inEndpoint: Import = {
  from: '#runtime/features/graphql/default-resolver.js',
  names: ['defaultResolver'],
}

function partsOf(project: Project, resolvers: readonly ResolverWithImports[]) {
  const said = project.features.flatMap(({ graphql }) => graphql?.endpoint?.(project) ?? [])
  const { resources_around: around } = project.slots
  const aroundMutation = { from: '#runtime/http/around-writes.js', names: ['aroundMutation'] }
  const imports = [
    ...said.flatMap((each) => each.imports),
    ...(around.length === 0 ? [] : [aroundMutation]),
    ...(resolvers.length === 0 ? [] : [inEndpoint]),
    ...resolvers.flatMap((each) => each.imports),
  ]
  return {
    resolvers,
    imports: merged(imports).map(importLine),
    options: [
      ...said.flatMap(({ lines }) => lines),
      ...(around.length === 0 ? [] : [`around: aroundMutation([${around.join(', ')}]),`]),
    ],
  }
}
